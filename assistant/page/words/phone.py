"""The words of the phone's page: this phone as camera and microphone."""

from __future__ import annotations

from assistant.i18n import N_

WORDS: dict[str, str] = {
    "phone.title": N_("Le téléphone comme caméra"),
    "phone.start": N_("Ce téléphone est la caméra de la table"),
    "phone.start-sound": N_("Ce téléphone est le micro de la table"),
    "phone.stop": N_("Arrêter"),
    "phone.again": N_("Réessayer"),
    "phone.part.camera": N_("Caméra"),
    "phone.part.microphone": N_("Micro"),
    "phone.sound-only": N_(
        "Posez le téléphone sur la table, loin de la musique : il entend les coups à travers le bois."
    ),
    "phone.advice.stand": N_(
        "Fixez le téléphone entre 80 et 110 cm au-dessus de la table, l'objectif vers le bas, sur un pied à bras, "
        "une lampe de bureau ou une étagère."
    ),
    "phone.advice.side": N_("Le joueur de la place 1 est en bas de l'image ; toute la table se voit, et un peu plus."),
    "phone.advice.power": N_("Branchez-le : quatre heures de caméra vident une batterie."),
    "phone.advice.quiet": N_(
        "Coupez les appels (mode « Ne pas déranger »). Laissez cette page ouverte : elle garde l'écran allumé."
    ),
    "phone.private": N_("Rien n'est enregistré, ni sur le téléphone ni sur l'ordinateur."),
    "phone.not-wanted": N_(
        "Cette table n'attend pas de téléphone. Pour qu'elle en prenne un, lancez sur l'ordinateur :"
    ),
    "phone.join": N_("Pour être la caméra de la table, il faut son code : il est écrit sur l'ordinateur."),
    "phone.offline": N_("L'ordinateur de la table ne répond pas."),
    "phone.old-browser": N_(
        "Ce navigateur ne donne pas sa caméra aux pages. Essayez Chrome, Safari ou Firefox, à jour."
    ),
    "phone.take-over": N_("Prendre sa place"),
    "phone.stopped.denied": N_(
        "Le navigateur n'a pas donné la caméra ou le micro. Autorisez-les pour cette page dans ses réglages, "
        "puis réessayez."
    ),
    "phone.stopped.no-device": N_("Ce téléphone n'a pas la caméra ou le micro qu'il faut."),
    "phone.stopped.busy": N_("Une autre application tient la caméra ou le micro. Fermez-la, puis réessayez."),
    "phone.stopped.failed": N_("La caméra ou le micro ne s'ouvre pas. Rechargez la page, puis réessayez."),
    "phone.stopped.taken": N_("Un autre téléphone est déjà la caméra ou le micro de cette table."),
    "phone.stopped.replaced": N_("Un autre téléphone a pris la place de celui-ci."),
    "phone.stopped.over": N_("La table est finie."),
    "phone.stopped.phone-not-wanted": N_("Cette table n'attend pas de téléphone."),
    "phone.stopped.watch-only": N_("Pour être la caméra de la table, il faut son code."),
    "phone.state.starting": N_("J'ouvre la caméra et le micro…"),
    "phone.state.waiting": N_("Je cherche la table…"),
    "phone.state.sending": N_("Relié à la table"),
    "phone.state.asleep": N_("En veille : revenez sur cette page"),
    "phone.state.lost": N_("Plus de liaison : j'essaie de nouveau…"),
    "phone.picture": N_("Ce que voit le téléphone"),
    "phone.level": N_("Force du son"),
    "phone.rate.one": N_("{n} image/s"),
    "phone.rate.many": N_("{n} images/s"),
    "phone.delay": N_("retard {ms} ms"),
    "phone.by-upload": N_("par envois simples"),
    "phone.held": N_("netteté et lumière tenues"),
    "phone.turn": N_("Tourner l'image"),
    "phone.torch": N_("Lampe"),
    "phone.zoom": N_("Zoom"),
    "phone.hint.battery": N_("Batterie à {percent} % : branchez le téléphone."),
    "phone.hint.awake": N_(
        "Ce navigateur ne sait pas garder l'écran allumé : réglez le verrouillage automatique sur « jamais »."
    ),
    "phone.insecure": N_(
        "Par cette adresse un navigateur ne donne ni caméra ni micro. Il faut l'adresse sûre, en https."
    ),
    "phone.to-secure": N_("Aller à l'adresse sûre"),
    "phone.no-secure": N_("L'adresse sûre est le code QR sur l'ordinateur de la table (lancée avec --web 0.0.0.0)."),
    "phone.warning": N_("Votre navigateur va avertir : c'est prévu"),
    "phone.warning.why": N_(
        "L'ordinateur de la table a fait lui-même le certificat qui chiffre la liaison ; aucun organisme ne l'a signé, "
        "et le navigateur ne le connaît pas. Acceptez-le une fois :"
    ),
    "phone.warning.chrome": N_("Chrome (Android)"),
    "phone.warning.chrome.how": N_(
        "« Votre connexion n'est pas privée » : touchez « Paramètres avancés ». | "
        "Touchez « Continuer vers le site (dangereux) », en bas."
    ),
    "phone.warning.safari": N_("Safari (iPhone, iPad)"),
    "phone.warning.safari.how": N_(
        "« Cette connexion n'est pas privée » : touchez « Afficher les détails ». | "
        "Touchez « consulter ce site web », en bas, puis encore « Consulter le site web »."
    ),
    "phone.warning.firefox": N_("Firefox"),
    "phone.warning.firefox.how": N_(
        "« Attention : risque probable de sécurité » : touchez « Avancé ». | "
        "Touchez « Accepter le risque et poursuivre »."
    ),
    "phone.fingerprint": N_(
        "Pour être sûr, comparez l'empreinte (SHA-256) que l'avertissement montre dans ses détails :"
    ),
}
