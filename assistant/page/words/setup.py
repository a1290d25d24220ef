"""The words of the calibration panels."""

from __future__ import annotations

from assistant.i18n import N_

WORDS: dict[str, str] = {
    "setup.title": N_("Préparer la table"),
    "setup.parts": N_("Ce qui s'apprend"),
    "setup.table": N_("Table"),
    "setup.deck": N_("Cartes"),
    "setup.knocks": N_("Coups"),
    "setup.voices": N_("Voix"),
    "setup.watch-only": N_("Pour préparer la table, il faut le code affiché sur l'ordinateur."),
    "setup.join": N_("Donner le code"),
    "setup.again": N_("Réessayer"),
    "setup.stop": N_("Arrêter"),
    "setup.busy": N_("Quelqu'un d'autre apprend quelque chose à l'arbitre en ce moment. Attendez qu'il ait fini."),
    "setup.pause": N_("L'arbitre fait une pause : rien de ce que vous montrez ou dites ici ne compte dans la partie."),
    "setup.ended": N_("C'est arrêté ; la partie continue."),
    "setup.camera.none": N_("Cette table n'a pas de caméra."),
    "setup.camera.none.how": N_(
        "Relancez trut watch avec une caméra branchée, ou ouvrez la page « Téléphone » sur celui qui filmera la table."
    ),
    "setup.camera.lost": N_("La caméra ne donne plus d'image."),
    "setup.camera.lost.how": N_(
        "Vérifiez qu'elle est branchée et qu'aucun autre programme ne s'en sert. Cette page attend."
    ),
    "setup.microphone.none": N_("Cette table n'a pas de micro."),
    "setup.microphone.none.how": N_(
        "Relancez trut watch avec un micro branché, ou ouvrez la page « Téléphone » sur celui qui écoutera la table."
    ),
    "setup.microphone.lost": N_("Le micro ne donne plus de son."),
    "setup.microphone.lost.how": N_(
        "Vérifiez qu'il est branché et qu'aucun autre programme ne s'en sert. Cette page attend."
    ),
    "setup.film": N_("Ceci est un film : vous pouvez regarder et essayer, rien n'est appris ni gardé."),
    "setup.seat": N_("Place {seat}"),
    "setup.name": N_("Nom"),
    "setup.replace": N_("Remplacer"),
    "setup.table.about": N_("Où est la table dans l'image, qui est assis où, et si les cartes se lisent bien."),
    "setup.table.steps": N_("Étapes"),
    "setup.table.step.corners": N_("Coins"),
    "setup.table.step.seats": N_("Places"),
    "setup.table.step.check": N_("Vérifier"),
    "setup.table.corners.how": N_(
        "Tirez chaque coin sur un coin de la table. Au clavier : les flèches, Maj pour aller plus vite."
    ),
    "setup.table.corner.1": N_("Coin du fond à gauche"),
    "setup.table.corner.2": N_("Coin du fond à droite"),
    "setup.table.corner.3": N_("Coin proche à droite"),
    "setup.table.corner.4": N_("Coin proche à gauche"),
    "setup.table.corner.at": N_("{corner}, à {x} et {y} pour cent de l'image"),
    "setup.table.find": N_("Chercher la table"),
    "setup.table.finding": N_("Je cherche la table : ôtez un instant les mains de l'image…"),
    "setup.table.found.seen": N_("Table trouvée (confiance {confidence} %). Si le tracé est faux, tirez les coins."),
    "setup.table.found.picture": N_("Aucun bord de table en vue : je prends toute l'image. Sinon, tirez les coins."),
    "setup.table.found.hand": N_("Coins placés à la main."),
    "setup.table.kept": N_("C'est la table « {name} » enregistrée. Si la caméra a bougé, cherchez à nouveau."),
    "setup.table.seats.how": N_(
        "Tirez chaque joueur à sa place, ou touchez son nom puis le bord de la table devant lui."
    ),
    "setup.table.seat.at": N_("{name}, place {seat}"),
    "setup.table.seat.now": N_("Touchez le bord de la table devant {name}."),
    "setup.table.sit": N_("Chacun pose la main devant soi"),
    "setup.table.sit.about": N_("Chacun son tour, posez la main sur la table : la place se règle toute seule."),
    "setup.table.sit.now": N_("{name} : posez la main sur la table, devant vous."),
    "setup.table.sit.noted": N_("{name} : c'est noté. Ôtez la main."),
    "setup.table.sit.done": N_("Tout le monde est placé."),
    "setup.table.check.how": N_("Posez quelques cartes face visible sur la table, mains hors de l'image."),
    "setup.table.check.go": N_("Regarder la table"),
    "setup.table.checking": N_("Je regarde…"),
    "setup.table.lights": N_("Les cinq feux"),
    "setup.table.level.green": N_("vert"),
    "setup.table.level.amber": N_("orange"),
    "setup.table.level.red": N_("rouge"),
    "setup.table.light": N_("{title} : {level}"),
    "setup.table.cards.one": N_("{n} carte lue : {cards}"),
    "setup.table.cards.many": N_("{n} cartes lues : {cards}"),
    "setup.table.cards.none": N_("Aucune carte lue."),
    "setup.table.zones": N_(
        "Ce que voit l'arbitre : les zones des joueurs et les cartes lues ; tout ce qui est à côté de la "
        "table est voilé."
    ),
    "setup.table.picture": N_("Image de la caméra"),
    "setup.table.veiled": N_(
        "Des cartes sont en main : tout ce qui est à côté de la table est voilé. Avant de tout montrer, "
        "posez vos cartes face cachée."
    ),
    "setup.table.whole": N_("Montrer toute l'image"),
    "setup.table.save": N_("Enregistrer et utiliser"),
    "setup.table.saving": N_("J'enregistre : mains hors de l'image un instant…"),
    "setup.table.save.how": N_(
        "L'arbitre s'en sert tout de suite, et la prochaine fois aussi. On garde l'image de la table seule, "
        "sans ce qui l'entoure."
    ),
    "setup.table.saved.now": N_("Table « {name} » enregistrée ; l'arbitre s'en sert déjà."),
    "setup.table.saved.seats": N_(
        "Table « {name} » enregistrée pour la prochaine fois : cette partie se joue à un autre nombre de joueurs."
    ),
    "setup.table.saved.no-eyes": N_(
        "Table « {name} » enregistrée ; l'arbitre s'en servira à son prochain démarrage, car ses yeux ne répondent pas."
    ),
    "setup.table.not-remembered": N_(
        "Les réglages n'ont pas pu être écrits : la prochaine fois, donnez --profile {name}."
    ),
    "setup.table.usual-name": N_("table"),
    "setup.deck.about": N_(
        "Apprendre à l'arbitre les cartes de votre jeu : il les lira mieux, et il lira les jeux qu'il ne connaît pas."
    ),
    "setup.deck.yours": N_("Vos jeux"),
    "setup.deck.none": N_("Aucun jeu appris pour l'instant."),
    "setup.deck.shown.one": N_("{n} carte sur {all}"),
    "setup.deck.shown.many": N_("{n} cartes sur {all}"),
    "setup.deck.broken": N_("fichier abîmé : à refaire"),
    "setup.deck.more": N_("Compléter"),
    "setup.deck.more.of": N_("Compléter « {name} »"),
    "setup.deck.use": N_("Jouer avec"),
    "setup.deck.use.anyway": N_("Jouer quand même"),
    "setup.deck.use.of": N_("Jouer avec « {name} »"),
    "setup.deck.new": N_("Apprendre un jeu"),
    "setup.deck.like": N_("Il ressemble à"),
    "setup.deck.like.french32": N_("32 cartes françaises"),
    "setup.deck.like.french52": N_("52 cartes françaises"),
    "setup.deck.like.spanish40": N_("40 cartes espagnoles"),
    "setup.deck.like.spanish48": N_("48 cartes espagnoles"),
    "setup.deck.like.numbered8": N_("Cartes numérotées de 1 à 8"),
    "setup.deck.begin": N_("Commencer"),
    "setup.deck.exists": N_("Il y a déjà un jeu « {name} »."),
    "setup.deck.redo": N_("Refaire à neuf"),
    "setup.deck.kept": N_(
        "Chaque carte est enregistrée aussitôt : vous pouvez vous arrêter quand vous voulez. On garde une "
        "petite image de chaque carte, rien d'autre."
    ),
    "setup.deck.show": N_("Montrez {card}."),
    "setup.deck.thanks": N_("Merci : {card}."),
    "setup.deck.complete": N_("Toutes les cartes sont apprises. Touchez une carte pour la refaire."),
    "setup.deck.camera": N_("Une à une devant la caméra"),
    "setup.deck.camera.off": N_("Ne plus regarder"),
    "setup.deck.camera.how": N_("Posez la carte seule sur la table, ôtez la main, attendez le merci."),
    "setup.deck.pack": N_("Le jeu étalé devant la caméra"),
    "setup.deck.photo": N_("Photo d'un jeu étalé"),
    "setup.deck.photo.of": N_("Photo : {card}"),
    "setup.deck.photo.how": N_(
        "Étalez des cartes sans qu'elles se touchent, dans n'importe quel ordre, et photographiez-les d'en haut."
    ),
    "setup.deck.looking": N_("Je regarde l'image…"),
    "setup.deck.found.one": N_("{n} carte trouvée sur l'image."),
    "setup.deck.found.many": N_("{n} cartes trouvées sur l'image."),
    "setup.deck.too-big": N_("Cette photo ne peut pas être lue par ce navigateur."),
    "setup.deck.grid": N_("Les cartes du jeu"),
    "setup.deck.grid.how": N_("Touchez une carte pour la montrer ensuite, ou pour la refaire."),
    "setup.deck.card.learnt": N_("{card} : apprise"),
    "setup.deck.card.missing": N_("{card} : à montrer"),
    "setup.deck.card.wanted": N_("{card} : demandée"),
    "setup.deck.card.alike": N_("{card} : apprise, ressemble à une autre"),
    "setup.deck.legend.learnt": N_("apprise"),
    "setup.deck.legend.wanted": N_("demandée"),
    "setup.deck.legend.missing": N_("à montrer"),
    "setup.deck.legend.alike": N_("se ressemblent"),
    "setup.deck.unnamed": N_("Quelles sont ces cartes ?"),
    "setup.deck.unnamed.how": N_("Je n'ai pas su les nommer. Touchez-en une, puis son nom dans la grille."),
    "setup.deck.unnamed.nth": N_("Carte à nommer n° {n}"),
    "setup.deck.unnamed.now": N_("Touchez dans la grille la carte que vous voyez ici."),
    "setup.deck.unnamed.none": N_("Ce n'est pas une carte"),
    "setup.deck.alike": N_("Cartes qui se ressemblent : montrez-les encore sous une autre lumière."),
    "setup.deck.alike.pair": N_("{a} et {b}"),
    "setup.deck.restore": N_("Remettez ensuite la table comme elle était."),
    "setup.deck.done": N_("J'ai fini"),
    "setup.deck.used.now": N_("L'arbitre lit désormais avec le jeu « {name} », aussi dans cette partie."),
    "setup.deck.used.pack": N_(
        "Le jeu « {name} » sera pris au prochain démarrage de trut watch : ses cartes ne sont pas celles du "
        "jeu de cette partie."
    ),
    "setup.deck.used.no-eyes": N_(
        "Le jeu « {name} » sera pris au prochain démarrage de trut watch : en ce moment l'arbitre ne regarde pas."
    ),
    "setup.knocks.about": N_(
        "Apprendre à l'arbitre le son du poing sur votre table : cinq coups, puis une demi-minute sans coup."
    ),
    "setup.knocks.known": N_("Les coups de cette table sont appris."),
    "setup.knocks.unknown": N_("Pas encore appris : l'arbitre écoute avec ce qu'il sait de toutes les tables."),
    "setup.knocks.kept": N_(
        "On ne garde que quelques nombres, dans un fichier sur cet ordinateur ; aucun son n'est enregistré."
    ),
    "setup.knocks.begin": N_("Apprendre les coups"),
    "setup.knocks.knock": N_("Tapez cinq fois du poing, comme au jeu, une seconde entre les coups."),
    "setup.knocks.count.one": N_("{n} coup sur {all}."),
    "setup.knocks.count.many": N_("{n} coups sur {all}."),
    "setup.knocks.talk": N_("Merci. Maintenant ne tapez plus : parlez, riez, posez des verres et des cartes."),
    "setup.knocks.left": N_("Encore {n} s."),
    "setup.knocks.level": N_("Niveau du micro"),
    "setup.knocks.learnt": N_("Appris, et déjà utilisé : {after} coups entendus sur {all} (avant : {before})."),
    "setup.knocks.learnt.later": N_(
        "Appris : {after} coups entendus sur {all} (avant : {before}). L'arbitre s'en servira à son prochain démarrage."
    ),
    "setup.knocks.false": N_("Faux coups pendant la demi-minute : {after} (avant : {before})."),
    "setup.voices.about": N_(
        "Chaque joueur dit chaque annonce une fois : l'arbitre le comprend mieux, et sait qui parle."
    ),
    "setup.voices.kept": N_(
        "On garde une empreinte de chaque phrase, dans un fichier sur cet ordinateur, jusqu'à ce que vous "
        "l'effaciez ; l'enregistrement, non."
    ),
    "setup.voices.who": N_("Qui parle ?"),
    "setup.voices.other": N_("Quelqu'un d'autre"),
    "setup.voices.begin": N_("Commencer"),
    "setup.voices.known": N_("Voix apprises"),
    "setup.voices.none": N_("Aucune voix apprise."),
    "setup.voices.phrases.one": N_("{n} phrase"),
    "setup.voices.phrases.many": N_("{n} phrases"),
    "setup.voices.forget": N_("Effacer"),
    "setup.voices.forget.of": N_("Effacer la voix de {name}"),
    "setup.voices.forget.sure": N_("Effacer la voix de {name} de cet ordinateur ?"),
    "setup.voices.forgotten": N_("La voix de {name} est effacée."),
    "setup.voices.hello": N_("{name}, à vous : dites chaque phrase comme au jeu."),
    "setup.voices.hello.again": N_("{name}, encore une fois, comme ce soir : la voix change d'un jour à l'autre."),
    "setup.voices.say": N_("Dites :"),
    "setup.voices.number": N_("Phrase {n} sur {all}"),
    "setup.voices.next": N_("Ensuite : {names}"),
    "setup.voices.skip": N_("Passer cette phrase"),
    "setup.voices.remark.silent": N_("Rien entendu ; plus près du micro, peut-être ?"),
    "setup.voices.remark.loud": N_("Trop fort pour le micro ; un peu plus loin ?"),
    "setup.voices.remark.short": N_("Trop court, ou trop bas ; encore une fois ?"),
    "setup.voices.remark.unclear": N_("Pas bien compris ; encore une fois ?"),
    "setup.voices.remark.thanks": N_("Merci."),
    "setup.voices.remark.kept": N_("Gardé tel quel."),
    "setup.voices.remark.passed": N_("On passe."),
    "setup.voices.taken.one": N_("C'est fini : {n} phrase gardée."),
    "setup.voices.taken.many": N_("C'est fini : {n} phrases gardées."),
    "setup.voices.used": N_("L'arbitre s'en sert déjà."),
    "setup.voices.later": N_("L'arbitre s'en servira à son prochain démarrage."),
    "setup.voices.done.none": N_("C'est fini ; rien n'a été gardé."),
}
