"""The announcer: from acts to the words that are printed and spoken."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from assistant.acts import Act, Action, Notice, Question
from assistant.i18n import N_, Both, _, both, in_language, language, ngettext
from assistant.names import Names, capital
from assistant.retelling import changed
from assistant.reviewing import Review
from assistant.taking_up import how_it_stands
from audio.phrasebook import DEALER, SEAT
from engine import (
    ChallengeFolded,
    ChallengeMade,
    ChallengeTaken,
    DeclarationDue,
    Declared,
    Event,
    Game,
    GameWon,
    MancheWon,
    PetitsConverted,
    PointsScored,
    Refusal,
    RoundEnded,
    ScoreSet,
    TrickRotten,
    TrickWon,
    Undone,
)
from engine.header import score_of_words


@dataclass(frozen=True, slots=True)
class Announcement:
    """A sentence to be said.

    Attributes:
        question: whether the players are asked something.
        topic: ``score`` or ``turn``, of which only the newest is worth saying; else empty.
        both: the sentence in both languages, where somebody is shown both.
    """

    t: float
    decided: float
    text: str
    question: bool = False
    topic: str = ""
    both: Both | None = None


AGAIN = 10.0
"""Seconds within which several corrections in a row say the same score once."""
CLAUSES: dict[str, dict[str, str]] = {
    "out-of-turn": {"": "C-8"},
    "duplicate-card": {"": "C-9"},
    "unknown-card": {
        "trut": "T-2",
        "trut-gatine": "T-2",
        "trut-robin-red": "R-2",
        "truc": "L-2",
        "truc-y-flou": "F-2",
    },
    "not-in-hand": {"": "C-9"},
    "challenge-pending": {"": "T-22", "truc": "L-21"},
    "false-claim": {"": "T-29", "truc-y-flou": "F-20"},
    "too-late": {"": "T-29", "truc": "L-20", "truc-y-flou": "F-20"},
    "flor-in-force": {"truc-y-flou": "F-41"},
}
"""The clause of RULES.md that an infraction breaks, by game; ``""`` for all others."""

CALLS = {
    "trut": N_("{name} trute."),
    "brelan": N_("{name} annonce un brelan et trute."),
    "tierce": N_("{name} annonce une tierce et trute."),
    "deux-petits": N_("{name} dit « deux petits, un grand » et trute."),
    "raise": N_("{name} relance."),
    "rest": N_("{name} propose son reste."),
    "redeal": N_("{name} demande d'autres cartes."),
    "embit": N_("{name} embide."),
    "falta": N_("{name} dit « mi falta »."),
    "flor": N_("{name} annonce une flor."),
    "better": N_("{name} dit « alimidou con flor »."),
    "truc": N_("{name} truque."),
    "retruc": N_("{name} retruque."),
    "balou": N_("{name} dit « balou »."),
    "trucrest": N_("{name} dit « restou y troucou »."),
}
WORDS = {
    "pass": N_("{name} ne trute pas."),
    "hold": N_("{name} tient : trut d'office."),
    "refuse": N_("{name} ne tient pas."),
    "sing": N_("{name} chante."),
    "silent": N_("{name} ne chante pas."),
    "discard": N_("{name} écarte."),
    "accept": N_("{name} accepte."),
}
DUE = {
    "fortial": N_("Au fortial : à {name} de truter ou de passer."),
    "hold": N_("À tenir : {name}, « je veux » ou « je ne veux pas » ?"),
    "sing": N_("{name}, « je chante » ou « je ne chante pas » ?"),
    "discard": N_("Chacun écarte trois cartes."),
    "redeal": N_("Tout pâté : on redonne trois cartes à chacun."),
    "count": N_("Annoncez vos points."),
}
ENDS = {
    "fold": N_("Tout le monde se couche."),
    "refuse": N_("C'est refusé."),
    "fortial": N_("Personne ne trute au fortial."),
    "hold-refused": N_("Personne ne tient."),
}
INFRACTIONS = {
    "out-of-turn": N_("Ce n'est pas à {name} de jouer, c'est à {expected} (règle {clause})."),
    "duplicate-card": N_("{name} pose {card} : cette carte est déjà sortie dans cette manche (règle {clause})."),
    "unknown-card": N_("{name} pose une carte qui n'est pas de ce jeu (règle {clause})."),
    "not-in-hand": N_("{name} ne peut pas avoir cette carte : {card} (règle {clause})."),
    "challenge-pending": N_("{name} doit attendre : à {expected} de répondre d'abord (règle {clause})."),
    "false-claim": N_("{name} n'a pas la main qu'il faut pour cette annonce (règle {clause})."),
    "too-late": N_("{name} annonce trop tard (règle {clause})."),
    "flor-in-force": N_("Une flor est annoncée : l'embit ne compte plus (règle {clause})."),
}
REFUSED = {
    "out-of-turn": N_("Ce n'est pas à {name} de jouer, c'est à {expected}"),
    "duplicate-card": N_("Cette carte est déjà sortie : {card}"),
    "unknown-card": N_("Cette carte n'est pas de ce jeu : {card}"),
    "not-in-hand": N_("{name} ne peut pas avoir cette carte : {card}"),
    "challenge-pending": N_("C'est à {expected} de répondre d'abord"),
    "declare-pending": N_("C'est à {expected} de se déclarer d'abord"),
    "not-your-challenge": N_("Ce n'est pas à {name} de répondre"),
    "wrong-dealer": N_("C'est à {expected} de donner"),
    "wrong-cutter": N_("C'est à {expected} de couper"),
    "no-cards-left": N_("{name} n'a plus de carte en main"),
    "false-claim": N_("{name} n'a pas la main qu'il faut pour cette annonce"),
    "already-raised": N_("{name} a déjà relancé pour ce pli"),
}
"""Why a move is refused, with names; other sentences need none (``engine.refusals``)."""
QUESTIONS = {
    "which-card": N_("Quelle carte, {name} ?"),
    "which-card-maybe": N_("Quelle carte, {name} ? Je lis {card}."),
    "which-card-nobody": N_("Quelle carte a été jouée ?"),
    "whose-card": N_("Qui a joué {card} ? Je compte cette carte pour {name}."),
    "counted": N_("Je n'ai pas vu ce qu'a joué {name} : je compte {card}."),
    "twice": N_("Deux fois {card} ? Quelle carte, {name} ?"),
    "taken": N_("Je n'ai pas entendu {name} répondre : je compte le défi pour tenu."),
    "folded": N_("Je n'ai pas entendu {name} répondre : je compte le défi pour abandonné."),
    "who": N_("Qui a parlé ?"),
}
WHO = {
    "trut": N_("Qui trute ?"),
    "accept": N_("Qui accepte ?"),
    "fold": N_("Qui se couche ?"),
    "brelan": N_("Qui a un brelan ?"),
    "tierce": N_("Qui a une tierce ?"),
    "truc": N_("Qui truque ?"),
    "embit": N_("Qui embide ?"),
    "flor": N_("Qui a une flor ?"),
}
"""Who made a call; "Qui a parlé ?" for any other."""
ASKED_BACK = {
    "trut": N_("Je trute"),
    "brelan": N_("Brelan"),
    "tierce": N_("Tierce"),
    "deux-petits": N_("Deux petits, un grand"),
    "accept": N_("J'accepte"),
    "fold": N_("Je me couche"),
    "pass": N_("Je ne trute pas"),
    "hold": N_("Je veux"),
    "refuse": N_("Je refuse"),
    "sing": N_("Je chante"),
    "silent": N_("Je ne chante pas"),
    "raise": N_("Deux de plus"),
    "raise 1": N_("Un de plus"),
    "raise 2": N_("Deux de plus"),
    "raise 10": N_("Dix de plus"),
    "raise rest": N_("Le reste"),
    "rest": N_("Mon reste"),
    "redeal": N_("D'autres cartes"),
    "embit": N_("J'embide"),
    "falta": N_("Mi falta"),
    "flor": N_("Flor"),
    "better": N_("Alimidou con flor"),
    "truc": N_("Je truque"),
    "retruc": N_("Retruc"),
    "balou 4": N_("Balou quatro"),
    "balou 6": N_("Balou seiz"),
    "balou partido": N_("Balou partido"),
    "trucrest": N_("Restou y troucou"),
}
"""The words of a call that is asked back (see ``assistant.asking``); a card is asked by its name."""
ASKED_BACK_HERE = {
    "trut": {"accept": N_("Je vais voir")},
    "trut-robin-red": {"accept": N_("Je vais voir")},
    "trut-gatine": {"accept": N_("Je vais voir"), "refuse": N_("Je ne veux pas"), "redeal": N_("Tout pâté")},
    "truc-y-flou": {"sing": N_("Cantar"), "rest": N_("Alibarestou con flor")},
}
"""The same where one game has other words for it."""
CONFIRM = {
    "undo": N_("Reprendre le dernier coup, c'est bien ça ?"),
    "annul": N_("Maldonne : annuler cette manche ?"),
    "new-game": N_("Commencer une nouvelle partie ?"),
    "rematch": N_("Commencer la revanche ?"),
    "pause": N_("Faire une pause ?"),
}
HINTS = {
    "camera-lost gone": N_("La caméra est-elle débranchée ? En attendant, dictez les cartes."),
    "camera-lost blocked": N_("La caméra ne répond plus. En attendant, dictez les cartes."),
    "camera-lost frozen": N_("L'image est figée. En attendant, dictez les cartes."),
    "camera-lost dark": N_("L'image est noire : la lumière, ou un cache ? En attendant, dictez les cartes."),
    "camera-lost phone": N_("En attendant, dictez les cartes."),
    "camera-lost moved": N_("Remettez-la en place. En attendant, dictez les cartes."),
    "microphone-lost gone": N_("Le micro est-il débranché ? En attendant, servez-vous du clavier."),
}
"""Why something is lost (its ``reason``) and what helps, said after the notice."""
NOTICES = {
    "camera-lost": N_("Je ne vois plus la table."),
    "camera-lost moved": N_("La caméra a bougé : je ne lis plus les cartes."),
    "camera-lost phone": N_("J'attends les images du téléphone : ouvrez-y la page."),
    "camera-back": N_("Je vois de nouveau la table."),
    "microphone-lost": N_("Je n'entends plus la table."),
    "microphone-silent": N_("Le micro ne donne plus aucun son : est-il coupé ?"),
    "microphone-clipping": N_("Le micro sature : éloignez-le un peu, ou baissez-le."),
    "microphone-swapped": N_("J'écoute maintenant avec un autre micro : {device}."),
    "microphone-late": N_("J'entends en retard : la machine est trop occupée."),
    "microphone-back": N_("J'entends de nouveau la table."),
    "record-full": N_("Le disque est plein. Je n'arrive plus à enregistrer : je garde la partie en mémoire."),
    "record-lost": N_("Je n'arrive plus à enregistrer : je garde la partie en mémoire et je réessaie."),
    "record-back": N_("J'enregistre de nouveau : il ne manque rien."),
    "eyes-lost": N_("Un incident m'empêche de lire les cartes : je réessaie. En attendant, dictez-les."),
    "eyes-back": N_("Je lis de nouveau les cartes."),
    "ears-lost": N_("Un incident m'empêche d'écouter : je réessaie. En attendant, servez-vous du clavier."),
    "ears-back": N_("J'écoute de nouveau."),
    "viewer-lost": N_("L'affichage ne répond plus. La partie continue."),
    "page-lost": N_("La page ne répond plus. La partie continue."),
    "page-back": N_("La page répond de nouveau."),
    "viewer-back": N_("L'affichage répond de nouveau."),
    "voice-lost": N_("La voix ne répond plus : je continue par écrit."),
    "voice-back": N_("La voix répond de nouveau."),
    "inputs-lost": N_("Le clavier ne répond plus. La partie continue."),
    "inputs-back": N_("Le clavier répond de nouveau."),
    "referee-lost": N_("Un incident m'a peut-être fait manquer un coup : vérifiez le score."),
    "referee-back": N_("Tout est rentré dans l'ordre."),
    "nothing-to-undo": N_("Il n'y a rien à reprendre."),
    "corrected": N_("Je corrige : {name} a joué {card}."),
    "uncorrected": N_("La correction est annulée."),
    "redone": N_("C'est rétabli."),
    "nothing-to-redo": N_("Il n'y a rien à rétablir."),
    "nothing-to-correct": N_("Cela ne peut pas être corrigé ainsi."),
    "nothing-asked": N_("Je n'ai rien demandé."),
    "card-out": N_("Cette carte est déjà sortie : {card}."),
    "paused": N_("Pause. Dites « on reprend » pour continuer."),
    "resumed": N_("On reprend."),
    "new-game": N_("Nouvelle partie. À {dealer} de donner."),
    "rematch": N_("La revanche. À {dealer} de donner."),
    "dealer": N_("À {dealer} de donner ; le score reste."),
    "dealer-later": N_("Une manche est en cours : dites qui donne quand elle sera finie."),
    "dealer-unknown": N_("Qui donne ? Dites par exemple « le donneur est le trois »."),
    "quieter": N_("Je parle moins fort."),
    "louder": N_("Je parle plus fort."),
    "hush": N_("Je me tais. Pour que je parle de nouveau, dites « tu peux parler »."),
    "speak": N_("Je parle de nouveau."),
}


class Announcer:
    """Words for acts.

    Args:
        game: the game that the acts come from; only read.
        in_both: whether announcements are wanted in both languages.
    """

    def __init__(self, game: Game, *, in_both: bool = False) -> None:
        self._game = game
        self._in_both = in_both
        self.names = Names(game.header)
        self._last: dict[str, str] = {}
        self._latest: object = None
        self._retold: tuple[Notice | None, str] = (None, "")

    def words(self, act: Act) -> list[Announcement]:
        """What is said about an act, in the language in force; often nothing."""
        texts = self._said(act)
        score = self.names.score(self._game.score)
        topic = "turn" if isinstance(act, Notice) and act.kind == "turn" else ""
        question = isinstance(act, Question)
        return [
            Announcement(act.t, act.decided, text, question, "score" if text == score else topic, in_both)
            for text, in_both in self._with_the_other(texts, lambda: self._said(act))
        ]

    def _said(self, act: Act) -> list[str]:
        """The sentences about an act in the language in force; to ask twice changes nothing."""
        match act:
            case Action(quiet=True):
                return []
            case Action(refused=None):
                texts = self._accepted(act)
            case Action():
                texts = [self.infraction(act)]
            case Question():
                texts = [self.question(act)]
            case Notice():
                texts = self._notice(act)
        if texts:
            self._last[language()] = " ".join(texts)
        return texts

    def about(self, act: Act) -> Both:
        """What is said about an act that has just been announced, in both languages and in one piece."""
        return both(lambda: " ".join(self._said(act)))

    def _with_the_other(self, texts: list[str], say: Callable[[], list[str]]) -> list[tuple[str, Both | None]]:
        """Each sentence with what it is in both languages, if that is wanted."""
        if not self._in_both or not texts:
            return [(text, None) for text in texts]
        here = language()
        there = "en" if here == "fr" else "fr"
        with in_language(there):
            others = say()
        return [(text, {here: text, there: other}) for text, other in zip(texts, others, strict=True)]

    # -- what happened ---------------------------------------------------------------------------------------

    def _accepted(self, action: Action) -> list[str]:
        self._latest = action.outcomes[-1] if action.outcomes else self._latest
        texts = [self.outcome(outcome) for outcome in action.outcomes]
        texts = [text for text in texts if text]
        if any(isinstance(o, RoundEnded | Undone) for o in action.outcomes):
            texts.append(self.names.score(self._game.score))
        made = [o for o in action.outcomes if isinstance(o, ChallengeMade | ChallengeFolded)]
        if made and action.awaiting:
            asked = _("À {name} de répondre.").format(name=self.names.seat(action.awaiting[0]))
            texts = [*texts[:-1], f"{texts[-1]} {asked}"] if texts else [asked]
        return texts

    def outcome(self, outcome: object) -> str:
        """The sentence of one outcome, empty where nothing needs to be said."""
        names = self.names
        match outcome:
            case TrickWon(seat=seat):
                return _("Pli pour {name}.").format(name=names.seat(seat))
            case TrickRotten():
                return _("Pli pourri.")
            case ChallengeMade(seat=seat, verb=verb):
                return _(CALLS[verb]).format(name=names.seat(seat)) if verb in CALLS else ""
            case ChallengeTaken(seat=seat, stake=stake):
                return self._taken(names.seat(seat), stake)
            case ChallengeFolded(seat=seat):
                return _("{name} se couche.").format(name=names.seat(seat))
            case Declared(seat=seat, verb=verb):
                sentence = WORDS.get(verb) or CALLS.get(verb)
                return _(sentence).format(name=names.seat(seat)) if sentence else ""
            case DeclarationDue(phase=phase, awaiting=awaiting):
                return _(DUE[phase]).format(name=names.seat(awaiting[0] if awaiting else None)) if phase in DUE else ""
            case PetitsConverted(team=team):
                return _("Trois petits font un long pour {team}.").format(team=names.team(team))
            case PointsScored(team=team, points=points) if team is not None:
                return self._points(points, names.team(team))
            case RoundEnded():
                return self._ended(outcome)
            case MancheWon(team=team):
                return _("Manche gagnée par {team}.").format(team=names.team(team))
            case GameWon(team=team):
                return _("Partie gagnée par {team} !").format(team=names.team(team))
            case ScoreSet(score=score):
                return names.score(score)
            case Undone(count=count):
                return ngettext("Le dernier coup est repris.", "Les {n} derniers coups sont repris.", count).format(
                    n=count
                )
        return ""

    def _taken(self, name: str, stake: str) -> str:
        if stake == "long":
            return _("{name} va voir : la manche vaut un long.").format(name=name)
        if stake.isdigit():
            worth = ngettext("{n} point", "{n} points", int(stake)).format(n=stake)
            return _("{name} accepte : la manche vaut {worth}.").format(name=name, worth=worth)
        return _("{name} accepte.").format(name=name)

    def _ended(self, ended: RoundEnded) -> str:
        if ended.reason == "annul":
            return _("Manche annulée, rien n'est compté : {name} redonne.").format(name=self.names.seat(ended.dealer))
        parts = [_(ENDS[ended.reason])] if ended.reason in ENDS else []
        team = self.names.team(ended.winner) if ended.winner else ""
        kind, _sep, number = ended.award.partition(" ")
        if kind == "petit":
            parts.append(_("Un petit pour {team}.").format(team=team))
        elif kind == "long":
            parts.append(_("Un long pour {team}.").format(team=team))
        elif kind == "points":
            parts.append(self._points(int(number), team))
        elif kind == "nothing":
            parts.append(_("Manche nulle : personne ne marque."))
        return " ".join(parts)

    def counted(self, team: str, award: str) -> str:
        """What a round that was counted by hand gave: "Un petit pour Nord-Sud."

        Args:
            team: ``A`` or ``B``.
            award: ``petit``, ``long`` or a number of points.
        """
        named = self.names.team(team)
        if award.isdigit():
            return self._points(int(award), named)
        text = _("Un petit pour {team}.") if award == "petit" else _("Un long pour {team}.")
        return text.format(team=named)

    @staticmethod
    def _points(points: int, team: str) -> str:
        if points < 0:
            text = ngettext("{n} point de moins pour {team}.", "{n} points de moins pour {team}.", -points)
        else:
            text = ngettext("{n} point pour {team}.", "{n} points pour {team}.", points)
        return text.format(n=abs(points), team=team)

    # -- what is wrong, asked, said besides ------------------------------------------------------------------

    def infraction(self, action: Action) -> str:
        """The sentence of a refused event, with its clause of the rulebook."""
        code = action.refused or ""
        refusal = action.outcomes[0] if action.outcomes else None
        clauses = CLAUSES.get(code, {})
        clause = clauses.get(self._game.header.game, clauses.get("", ""))
        expected = action.awaiting[0] if code == "challenge-pending" and action.awaiting else action.turn
        if code not in INFRACTIONS:
            return self._refused(refusal) if isinstance(refusal, Refusal) else ""
        return _(INFRACTIONS[code]).format(
            name=self.names.seat(action.event.seat),
            expected=self.names.seat(expected),
            card=self.names.card(action.event.args[0]) if action.event.args else "",
            clause=clause,
        )

    def question(self, question: Question) -> str:
        """What the players are asked."""
        fields = question.fields
        kind = question.kind
        if kind == "sure":
            return self._sure(str(fields.get("meaning")))
        if kind == "which-card" and fields.get("card"):
            kind = "which-card-maybe"
        if kind.startswith("which-card") and fields.get("seat") is None:
            kind = "which-card-nobody"
        if kind == "who":
            return _(WHO.get(str(fields.get("verb"))) or QUESTIONS[kind])
        name, card = self.names.seat(fields.get("seat")), self.names.card(fields.get("card"))
        return capital(_(QUESTIONS[kind]).format(name=name, card=card))

    def _sure(self, meaning: str) -> str:
        """ "Je trute, c'est bien ça ?" """
        if meaning in CONFIRM:
            return _(CONFIRM[meaning])
        verb, _sep, number = meaning.partition(" ")
        if verb == DEALER:
            return _("À {name} de donner, c'est bien ça ?").format(name=self.names.seat(int(number)))
        if verb == SEAT:
            said = capital(self.names.seat(int(number))) if number.isdigit() else _("Le donneur")
            return _("{words}, c'est bien ça ?").format(words=said)
        here = ASKED_BACK_HERE.get(self._game.header.game, {})
        if verb == "declare":
            said = ngettext("{n} point", "{n} points", int(number)).format(n=number)
            return _("{words}, c'est bien ça ?").format(words=said)
        words = here.get(meaning) or ASKED_BACK.get(meaning) or ASKED_BACK.get(verb)
        said = _(words) if words else capital(self.names.card(meaning))
        return _("{words}, c'est bien ça ?").format(words=said)

    def _notice(self, notice: Notice) -> list[str]:
        game = self._game
        match notice.kind:
            case "score":
                return [self.names.score(game.score)]
            case "turn":
                return [self._whose_turn()]
            case "rules":
                return [self.rule()]
            case "repeat":
                return [self._last[language()]] if language() in self._last else []
            case "taken-up":
                return [" ".join([*how_it_stands(game, self.names), self._whose_turn()])]
            case "corrected" | "dropped" | "uncorrected" | "redone":
                return [" ".join([self._what_was_corrected(notice), *changed(self._not_again(notice), self.names)])]
            case "so-counted":
                return [self._so_counted(notice.fields.get("event"))]
            case "refused":
                return [self._refused(notice.fields["refusal"])]
            case "review":
                return [self._review(notice.fields.get("review"))]
            case "heard" | "named":  # a tone says it, or everybody sees it
                return []
        because = f"{notice.kind} {notice.fields.get('reason')}"
        text = _(NOTICES.get(because) or NOTICES[notice.kind]).format(
            name=self.names.seat(notice.fields.get("seat")),
            card=self.names.card(notice.fields.get("card")),
            device=notice.fields.get("device", ""),
            dealer=self.names.seat(game.next_dealer),
        )
        hint = HINTS.get(because)
        return [text] if hint is None else [text, _(hint)]

    def _review(self, review: object) -> str:
        """ "Dernier pli : Marie, le sept de cœur ; Jean, le roi de pique. Pli pour Marie." """
        if not isinstance(review, Review) or not review.cards:
            return _("Personne n'a encore joué de carte.")
        cards = " ; ".join(
            _("{name}, {card}").format(name=self.names.seat(reading.seat), card=self.names.card(reading.card))
            for reading in review.cards
        )
        if not review.complete:
            return _("Pli en cours : {cards}.").format(cards=cards)
        winner = self.names.seat(review.winner)
        won = _("Pli pourri.") if review.winner is None else _("Pli pour {name}.").format(name=winner)
        return _("Dernier pli : {cards}. {won}").format(cards=cards, won=won)

    def _not_again(self, notice: Notice) -> Mapping[str, object]:
        """What a correction changed, but for a score that the correction just before has said already."""
        fields, (before, said) = notice.fields, self._retold
        if "score" not in fields:
            return fields
        score = str(fields["score"])
        if notice is not before and before is not None and score == said and notice.decided - before.decided < AGAIN:
            return {name: field for name, field in fields.items() if name != "score"}
        self._retold = notice, score
        return fields

    def changes(self, notice: Notice) -> list[Announcement]:
        """The words for what a correction changed, where nobody has heard what was wrong."""

        def say() -> list[str]:
            texts = changed(notice.fields, self.names)
            return [" ".join(texts)] if texts else []

        said = self._with_the_other(say(), say)
        return [Announcement(notice.t, notice.decided, text, both=in_both) for text, in_both in said]

    def _what_was_corrected(self, notice: Notice) -> str:
        event = notice.fields.get("event")
        if notice.fields.get("card") is None and isinstance(event, Event):
            frame = _("Je retire : {sentence}") if notice.kind == "dropped" else _("Je corrige : {sentence}")
            return frame.format(sentence=self.sentence(event))
        return _(NOTICES[notice.kind]).format(
            name=self.names.seat(notice.fields.get("seat")), card=self.names.card(notice.fields.get("card"))
        )

    def _so_counted(self, event: object) -> str:
        assert isinstance(event, Event)
        return _("C'est bien ce que j'ai compté : {sentence}").format(sentence=self.sentence(event))

    def sentence(self, event: Event) -> str:
        """An event as one says what somebody does: "Marie joue le huit de pique."; as in the record where there
        are no other words for it."""
        name = self.names.seat(event.seat)
        if event.verb == "play":
            return _("{name} joue {card}.").format(name=name, card=self.names.card(event.args[0]))
        match event:
            case Event("fold"):
                return _("{name} se couche.").format(name=name)
            case Event("deal"):
                return _("On donne.") if event.seat is None else _("{name} donne.").format(name=name)
            case Event("cut"):
                return _("{name} coupe.").format(name=name)
            case Event("annul"):
                return _("Maldonne : la manche est annulée.")
            case Event("concede", None, (("A" | "B") as team,)):
                return _("Abandon : {team}.").format(team=self.names.team(team))
            case Event("set-score", None, agreed) if score := score_of_words(self._game.header.game, agreed):
                return _("Nouvelle marque. {score}").format(score=self.names.score(score))
            case Event("declare", _seat, (points,)) if points.isdigit():
                worth = ngettext("{n} point", "{n} points", int(points)).format(n=points)
                return _("{name} annonce {worth}.").format(name=name, worth=worth)
        words = CALLS.get(event.verb) or WORDS.get(event.verb)
        return _(words).format(name=name) if words else f"{event}."

    def _refused(self, refusal: object) -> str:
        """Why something that a person told is not allowed."""
        assert isinstance(refusal, Refusal)
        verb = str(refusal.fields.get("verb"))
        here = ASKED_BACK_HERE.get(self._game.header.game, {})
        words = here.get(verb) or ASKED_BACK.get(verb)
        fields = {**refusal.fields, "verb": _(words) if words else verb}
        return capital(_(refusal.template).format(**fields)) + "."

    def refusal(self, refusal: Refusal) -> str:
        """Why something is not allowed, with names and the clause of the rulebook."""
        clause = self._game.explain(refusal).clause.number
        fields, names = refusal.fields, self.names
        frame = REFUSED.get(refusal.code)
        if frame is None:
            sentence = self._refused(refusal).removesuffix(".")
        else:
            sentence = capital(
                _(frame).format(
                    name=names.seat(fields.get("seat")),
                    expected=names.seat(fields.get("expected")),
                    card=names.card(fields.get("card")),
                )
            )
        return _("{sentence} (règle {clause}).").format(sentence=sentence, clause=clause)

    def rule(self) -> str:
        """The clause of the rulebook behind what happened last, its first sentence; before the first deal, who
        deals."""
        if self._latest is None:
            return self._whose_turn()
        clause = self._game.explain(self._latest).clause  # type: ignore[arg-type]
        first, dot, _rest = clause.text(language()).partition(". ")
        return _("{text} Règle {clause}.").format(text=first + "." * bool(dot), clause=clause.number)

    def _whose_turn(self) -> str:
        game = self._game
        if game.phase == "over":
            return _("La partie est finie.")
        if game.phase == "deal":
            return _("À {name} de donner.").format(name=self.names.seat(game.next_dealer))
        if game.awaiting:
            return _("À {name} de répondre.").format(name=self.names.seat(game.awaiting[0]))
        return _("À {name} de jouer.").format(name=self.names.seat(game.turn))
