"""The traffic lights in words: what was measured, and one plain thing to do about it."""

from __future__ import annotations

from collections.abc import Iterable

from assistant.i18n import N_, _, language
from calibration.lights import Kind, Level, Light

TITLES: dict[Kind, str] = {
    "light": N_("Lumière"),
    "blur": N_("Netteté"),
    "glare": N_("Reflets"),
    "angle": N_("Angle"),
    "size": N_("Taille"),
}
FIGURES: dict[Kind, str] = {
    "light": N_("blanc à {value} sur 255"),
    "blur": N_("flou : {value} % d'une carte"),
    "glare": N_("tache : {value} carte"),
    "angle": N_("{value}° de la verticale"),
    "size": N_("carte de {value} pixels"),
}
DIGITS: dict[Kind, tuple[float, int]] = {
    "light": (1, 0),
    "blur": (100, 1),
    "glare": (1, 1),
    "angle": (1, 0),
    "size": (1, 0),
}
"""By what a figure is multiplied, and how many digits it has after the point."""
ADVICE: dict[str, str] = {
    "light-amber": N_("Il fait un peu sombre : allumez une lampe au-dessus de la table."),
    "light-red": N_("Il fait trop sombre pour lire : allumez une lampe au-dessus de la table."),
    "blur-amber": N_("L'image est un peu floue : essuyez l'objectif, posez la caméra fermement."),
    "blur-red": N_("L'image est trop floue pour lire : faites la mise au point sur la table."),
    "glare-amber": N_("La lampe se reflète sur la table : tournez-la ou décalez-la."),
    "glare-red": N_("La lampe se reflète en grand sur la table : tournez-la, ou mettez une nappe."),
    "angle-amber": N_("La caméra voit la table de biais : montez-la un peu."),
    "angle-red": N_("La caméra voit la table de trop bas : montez-la, qu'elle regarde d'en haut."),
    "size-amber": N_("Les cartes sont un peu petites : rapprochez la caméra."),
    "size-red": N_("Les cartes sont trop petites pour être lues : rapprochez la caméra."),
    "no-cards": N_("Posez quelques cartes sur la table et recommencez : la mesure sera plus sûre."),
}
MARKS: dict[Level, str] = {"green": N_("vert"), "amber": N_("orange"), "red": N_("rouge")}


def wording(light: Light) -> tuple[str, str, str]:
    """A light's name, its figure, and what to do (empty where all is well)."""
    times, digits = DIGITS[light.kind]
    number = f"{times * light.value:.{digits}f}"
    figure = _(FIGURES[light.kind]).format(value=number.replace(".", ",") if language() == "fr" else number)
    if not light.sure:
        figure = _("{figure} (estimé)").format(figure=figure)
    advice = "" if light.level == "green" else _(ADVICE[f"{light.kind}-{light.level}"])
    return _(TITLES[light.kind]), figure, advice


def lines_for(lights: Iterable[Light]) -> list[str]:
    """One line a light."""
    lines = []
    for light in lights:
        title, figure, advice = wording(light)
        said = _("{mark} – {title} : {figure}").format(mark=_(MARKS[light.level]), title=title, figure=figure)
        lines.append(f"  {said}. {advice}".rstrip())
    return lines
