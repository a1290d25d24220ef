"""A second referee: slow, obvious, independent. It knows nothing of ``engine`` and is written from RULES.md
alone.

It keeps no state: whatever it is asked, it looks at the whole list of events again. A round is looked at by a
function from (its events, the score before it, who dealt) to a plain dictionary. Only what the perft counts
and the comparison of random games need is here: events are well-formed, hands may be known, suits are always
seen.
"""

from __future__ import annotations

from itertools import combinations

Words = tuple[str, ...]

DEFAULTS = {
    "trut": "target 7 rotten-lead rotter partner-lead first long-clears opponent brelan on tierce off "
    "deux-petits off fortial on trut-needs-card off trut-when any answer individual answer-order "
    "dealer",
    "trut-gatine": "target 7 rotten-lead rotter partner-lead first long-clears winner brelan on tierce on "
    "deux-petits on trut-needs-card off trut-when any answer individual answer-order dealer ten "
    "high pate-exhausted null pate-lead first",
    "trut-robin-red": "target 7 rotten-lead first-equal partner-lead first long-clears both brelan off "
    "tierce off deux-petits off fortial off trut-needs-card on trut-when any answer individual answer-order "
    "truter dealer-rotation left",
    "truc": "target 12 rotten-lead leader raise-ladder printed rest-refused game redeal-who any",
    "truc-y-flou": "target 25 rotten-lead leader partner-lead first peric-rank low ace-points 0 embit-answer "
    "later flor-annuls all bonus played truc-when any truc-reopen off truc-skip off all-tied "
    "none play-out off manches 3",
}

FRENCH = [r + s for s in "shdc" for r in ("7", "8", "9", "10", "J", "Q", "K", "A")]
SPANISH = [r + s for s in "eboc" for r in ("1", "2", "3", "4", "5", "6", "7", "10", "11", "12")]


def options(game: str, chosen: dict[str, str]) -> dict[str, str]:
    words = DEFAULTS[game].split()
    return dict(zip(words[::2], words[1::2], strict=True)) | chosen


def team(seat: int) -> str:
    return "AB"[(seat + 1) % 2]


def other(side: str) -> str:
    return "B" if side == "A" else "A"


class Slow:
    """The table as somebody sees it who reads the whole record again after every line."""

    def __init__(
        self, game: str, seats: int, dealer: int, chosen: dict[str, str], score: dict[str, list[int]]
    ):
        self.game, self.n, self.first_dealer = game, seats, dealer
        self.o = options(game, chosen)
        self.target = int(self.o["target"])
        self.start = score
        self.pack = {"trut-robin-red": list("12345678"), "truc-y-flou": SPANISH}.get(game, FRENCH)
        self.events: list[Words] = []
        self.seen: dict = {}

    # --- seats and cards

    def order(self, first: int) -> list[int]:
        return [(first + k - 1) % self.n + 1 for k in range(self.n)]

    def opponents(self, seat: int, first: int) -> list[int]:
        return [s for s in self.order(first) if team(s) != team(seat)]

    def rank(self, card: str) -> str:
        return card if self.game == "trut-robin-red" else card[:-1]

    def strength(self, card: str) -> float:
        if self.game == "trut-robin-red":
            return int(card)
        if self.game == "truc-y-flou":
            rank, suit = self.rank(card), card[-1]
            if card in ("10o", "11b"):
                return {"low": -1.0, "court": {"10o": 6.0, "11b": 7.0}[card]}[self.o["peric-rank"]]
            special = {"1e": 20, "1b": 19, "7e": 18, "7o": 17, "1o": 9, "1c": 9, "7b": 5, "7c": 5}
            plain = {"3": 16, "2": 15, "12": 8, "11": 7, "10": 6, "6": 4, "5": 3, "4": 2}
            return special.get(rank + suit) or plain[rank]
        row = "9 10 J Q K A 8 7"
        if self.game == "trut-gatine":
            row = "9 J Q K 10 A 7 8" if self.o["ten"] == "high" else "9 10 J Q K A 7 8"
        return row.split().index(self.rank(card))

    # --- tricks

    def tricks(
        self, plays: list[tuple[int, str]], leader: int
    ) -> tuple[list[str], list[tuple[int, str]], int]:
        """Results of the complete tricks, the cards of the open one, and who leads it."""
        results = []
        while len(plays) >= self.n:
            trick, plays = plays[: self.n], plays[self.n :]
            top = max(self.strength(card) for _, card in trick)
            best = [seat for seat, card in trick if self.strength(card) == top]
            if {team(seat) for seat in best} == {"A", "B"}:
                results.append("rotten")
                leader = {
                    "rotter": next(seat for seat in best if team(seat) != team(best[0])),
                    "last-equal": best[-1],
                    "first-equal": best[0],
                    "leader": trick[0][0],
                }[self.o["rotten-lead"]]
            else:
                results.append(team(best[0]))
                leader = best[-1] if self.o.get("partner-lead") == "last" else best[0]
        return results, plays, leader

    def decided(self, results: list[str]) -> str | None:
        """A, B, void, or None while nobody has it: the team owning most tricks, rotten ones having owners
        (C-15)."""
        if self.o.get("play-out") == "on" and len(results) < 3:
            return None
        won = [r for r in results if r != "rotten"]
        if not won:
            return "void" if len(results) == 3 else None
        left = 3 - len(results)
        count = {"A": 0, "B": 0}
        for result in results:
            count[result if result != "rotten" else won[0]] += 1
        for side in "AB":
            if count[side] > count[other(side)] + left:
                return side
        # a later rotten trick goes to the owner of the first won trick, so two of three are enough
        for side in "AB":
            if count[side] == 2:
                return side
        return None

    # --- the whole record

    def look(self) -> dict:
        """How the game stands after all events."""
        score = {side: list(values) for side, values in self.start.items()}
        table = {"score": score, "dealer": self.first_dealer, "next": self.first_dealer, "winner": None}
        table |= {"phase": "deal", "turn": None, "awaiting": [], "stake": None, "rounds": []}
        table |= {"manches": {"A": 0, "B": 0}, "fresh": False, "look": None}
        current: list[Words] | None = None
        for event in self.events:
            if event[0] == "deal":
                current = []
                table["dealer"] = table["next"]
                if table["fresh"]:
                    table["score"] = {"A": [0], "B": [0]}
                    table["fresh"] = False
            elif event[0] == "annul":
                table["next"] = table["dealer"]
                table["rounds"].append((None, "nothing"))
                current = None
            else:
                assert current is not None
                current.append(event)
            if current is None:
                continue
            seen = self.round(current, table["score"], table["dealer"])
            table["look"] = seen
            if "award" in seen:
                self.settle(table, seen)
                current = None
        if current is not None:
            seen = table["look"]
            table |= {key: seen[key] for key in ("phase", "turn", "awaiting", "stake")}
            table["score"] = seen.get("score", table["score"])
        else:
            table["look"] = None
            table["phase"] = "over" if table["winner"] else "deal"
        table["current"] = current
        return table

    def settle(self, table: dict, seen: dict) -> None:
        """A round is over: score it and pass the deal on."""
        winner, award = seen["winner"], seen["award"]
        score = table["score"]
        if self.game in ("truc", "truc-y-flou"):
            table["score"] = seen["score"]
            if self.game == "truc" and winner and seen["score"][winner][0] >= self.target:
                table["winner"] = winner
            if award == "manche":
                table["manches"][winner] += 1
                table["fresh"] = True
                if table["manches"][winner] == {"3": 2, "1": 1}[self.o["manches"]]:
                    table["winner"] = winner
        elif award != "nothing":
            longs_before = score[winner][0]
            if award == "petit":
                score[winner][1] += 1
                if score[winner][1] == 3 and self.game != "trut-gatine":
                    score[winner] = [score[winner][0] + 1, 0]
            else:
                score[winner][0] += 1
            if score[winner][0] > longs_before:
                clears = "both" if seen.get("sung") else self.o["long-clears"]
                if clears != "opponent":
                    score[winner][1] = 0
                if clears != "winner":
                    score[other(winner)][1] = 0
            if score[winner][0] >= self.target:
                table["winner"] = winner
        table["rounds"].append((winner, award))
        table["next"] = table["dealer"] % self.n + 1
        if self.o.get("dealer-rotation") == "best-card" and seen["plays"]:
            best = max(self.strength(card) for _, card in seen["plays"])
            table["next"] = next(seat for seat, card in seen["plays"] if self.strength(card) == best)

    def round(self, events: list[Words], score: dict, dealer: int) -> dict:
        """How a round stands; what was looked at once is remembered, the answer depends on nothing else."""
        key = (tuple(events), str(score), dealer)
        if key not in self.seen:
            self.seen[key] = self.look_at_round(events, score, dealer)
        return self.seen[key]

    def look_at_round(self, events: list[Words], score: dict, dealer: int) -> dict:
        if self.game == "truc":
            return self.truc_round(events, score, dealer)
        if self.game == "truc-y-flou":
            return self.flou_round(events, score, dealer)
        return self.trut_round(events, score, dealer)

    # --- sections 2, 3 and 4

    def trut_round(self, events: list[Words], score: dict, dealer: int) -> dict:
        leader = dealer if self.game == "trut-robin-red" else dealer % self.n + 1
        seen: dict = {"leader": leader, "taken": False, "sung": False, "automatic": False, "truter": None}
        said = [e for e in events if e[0] not in ("play", "hand")]
        pates = [i for i, e in enumerate(events) if e[0] == "redeal"]
        plays = [(int(e[1]), e[2]) for e in events[(pates[-1] if pates else 0) :] if e[0] == "play"]
        seen["plays"] = [(int(e[1]), e[2]) for e in events if e[0] == "play"]
        if pates and self.o["pate-lead"] == "rotter":
            old = [(int(e[1]), e[2]) for e in events[: pates[-1]] if e[0] == "play"]
            leader = self.replay_pates(old, leader)

        def done(winner: str | None, award: str) -> dict:
            return seen | {"winner": winner, "award": award}

        def wait(phase: str, awaiting: list[int]) -> dict:
            return seen | {"phase": phase, "awaiting": awaiting, "turn": turn, "stake": stake}

        results, trick, lead = self.tricks(plays, leader)
        seen["results"], seen["trick"] = results, trick
        turn: int | None = self.order(lead)[len(trick)]
        stake = "petit"
        words = [(e[0], int(e[1])) for e in said if e[0] != "redeal"]

        # before the play
        if self.game == "trut-gatine":
            two = [side for side in "AB" if score[side][1] == 2]
            asked = [s for s in self.order(dealer % self.n + 1) if team(s) in two]
            if len(two) == 1:
                answers = [w for w in words if w[0] in ("hold", "refuse")]
                if ("hold") in [w[0] for w in answers]:
                    seen["automatic"] = True
                elif len(answers) == len(asked):
                    return done(other(two[0]), "petit")
                else:
                    return wait("hold", asked[len(answers) :])
            elif len(two) == 2:
                answers = [w for w in words if w[0] in ("sing", "silent")]
                if "silent" in [w[0] for w in answers]:
                    seen["automatic"] = seen["sung"] = True
                elif len(answers) < self.n:
                    return wait("sing", asked[len(answers) :])
                else:
                    seen["automatic"] = seen["sung"] = True
                    stake = "long"
                    gone = [w[1] for w in words if w[0] == "discard"]
                    if len(gone) < self.n:
                        return wait("discard", [s for s in asked if s not in gone])
        elif self.o["fortial"] == "on":
            at = [side for side in "AB" if score[side] == [self.target - 1, 2]]
            if len(at) == 1:
                asked = [s for s in self.order(leader) if team(s) == at[0]]
                passed = [w for w in words if w[0] == "pass"]
                if len(passed) == len(asked):
                    return done(other(at[0]), "petit")
                if len(passed) == len(words):
                    return wait("fortial", asked[len(passed) :])

        # the trut
        truts = [w for w in words if w[0] in ("trut", "brelan", "tierce", "deux-petits")]
        if truts:
            truter = truts[0][1]
            seen["truter"] = truter
            answers = [w for w in words if w[0] in ("accept", "fold")]
            first = truter % self.n + 1
            if self.o["answer"] == "individual" and self.o["answer-order"] == "dealer":
                first = dealer if self.game == "trut-robin-red" else dealer % self.n + 1
            asked = self.opponents(truter, first)
            if "accept" in [w[0] for w in answers]:
                seen["taken"] = True
            elif len(answers) == (1 if self.o["answer"] == "team" else len(asked)):
                return done(team(truter), "petit")
            else:
                return wait("answer", asked[len(answers) :])
        if seen["taken"] or seen["automatic"]:
            stake = "long"
        decision = self.decided(results)
        if decision in ("A", "B"):
            return done(decision, stake)
        if decision == "void":
            if not seen["automatic"]:
                return done(None, "nothing")
            room = (32 - 3 * self.n * (len(pates) + 1)) // (3 * self.n)
            if room == 0 and self.o["pate-exhausted"] == "null":
                return done(None, "nothing")
            turn = None
            return wait("redeal", [])
        return wait("play", [])

    def replay_pates(self, plays: list[tuple[int, str]], leader: int) -> int:
        """Who leads after the last of several tout pâtés: nine tricks at most, one after the other."""
        return self.tricks(plays, leader)[2]

    # --- section 5

    def truc_round(self, events: list[Words], score: dict, dealer: int) -> dict:
        seen: dict = {"leader": 3 - dealer, "plays": [(int(e[1]), e[2]) for e in events if e[0] == "play"]}
        results, trick, lead = self.tricks(seen["plays"], seen["leader"])
        seen["results"], seen["trick"] = results, trick
        turn = self.order(lead)[len(trick)]
        worth, rest, open_, used = 1, False, None, False
        seen["bid"] = seen["redealt"] = False

        def points(side: str, amount: int, award: str) -> dict:
            after = {s: list(v) for s, v in score.items()}
            after[side] = [self.target] if award == "game" else [after[side][0] + amount]
            return seen | {"winner": side, "award": award, "score": after}

        for event in events:
            verb, seat = event[0], int(event[1])
            if verb == "play":
                used = False
            elif verb == "raise" or (verb == "rest" and open_ is None):
                open_ = (verb, seat)
            elif verb == "redeal":
                open_, seen["redealt"] = (verb, seat), True
            elif verb in ("accept", "rest"):
                assert open_ is not None
                if open_[0] == "raise":
                    ladder = {"printed": [1, 2, 6], "two": [1, 2, 4], "double": [1, 2, 4]}[
                        self.o["raise-ladder"]
                    ]
                    step = 0 if self.o["raise-ladder"] == "double" else 2
                    while ladder[-1] <= worth:
                        ladder.append(ladder[-1] + step if step else 2 * ladder[-1])
                    worth = next(w for w in ladder if w > worth)
                rest = rest or open_[0] == "rest"
                if open_[0] != "redeal":
                    used = seen["bid"] = True
                open_ = None
            elif verb in ("refuse", "fold"):
                if open_ and open_[0] != "redeal" and seat != open_[1]:
                    if open_[0] == "rest" and self.o["rest-refused"] == "game":
                        return points(team(open_[1]), 0, "game")
                    return points(team(open_[1]), worth, f"points {worth}")
                if verb == "fold":
                    return points(other(team(seat)), worth, "game" if rest else f"points {worth}")
                open_ = None
        seen |= {"rest": rest, "open": open_, "used": used}
        decision = self.decided(results)
        if decision in ("A", "B"):
            return points(decision, worth, "game" if rest else f"points {worth}")
        if decision == "void":
            return seen | {"winner": None, "award": "nothing", "score": score}
        return seen | {
            "phase": "answer" if open_ else "play",
            "turn": turn,
            "awaiting": [3 - open_[1]] if open_ else [],
            "stake": "rest" if rest else str(worth),
        }

    # --- section 6

    def card_points(self, card: str) -> int:
        if card in ("10o", "11b"):
            return 7
        number = int(card[:-1])
        return int(self.o["ace-points"]) if number == 1 else number if number < 8 else 0

    def combination(self, cards: tuple[str, ...]) -> int:
        """20 and the points of cards that can be of one suit, 0 if they cannot."""
        suits = {card[-1] for card in cards if card not in ("10o", "11b")}
        return 20 + sum(self.card_points(card) for card in cards) if len(suits) < 2 else 0

    def embit(self, hand: tuple[str, ...]) -> int:
        return max(self.combination(pair) for pair in combinations(hand, 2))

    def flou_round(self, events: list[Words], score: dict, dealer: int) -> dict:
        eldest = dealer % 6 + 1
        near = self.order(eldest)
        seen: dict = {
            "leader": eldest,
            "plays": [],
            "spoken": set(),
            "bid": None,
            "flors": [],
            "closed": False,
        }
        seen |= {
            "level": "1",
            "took": None,
            "wait": None,
            "lines": [],
            "bidder": None,
            "results": [],
            "trick": [],
        }
        levels = ["1", "2", "3", "4", "6", "partido"]
        start = {s: v[0] for s, v in score.items()}

        def total(side: str) -> int:
            return start[side] + sum(points for _, who, points in seen["lines"] if who == side)

        def lack(side: str) -> int:
            return self.target - total(side)

        def gain(kind: str, side: str, amount: int) -> bool:
            """Write points down; true if they win the manche."""
            seen["lines"].append((kind, side, min(amount, lack(side))))
            return total(side) == self.target

        def scores() -> dict:
            return {side: [total(side)] for side in "AB"}

        def manche(side: str) -> dict:
            return seen | {"winner": side, "award": "manche", "score": scores()}

        def leading() -> tuple[list[str], list[tuple[int, str]], int]:
            return self.tricks(seen["plays"], eldest)

        def first_trick_items() -> str | None:
            """F-26, F-42; the team that wins the manche by them."""
            sides = {team(s) for s in seen["flors"]}
            if seen["bid"]:
                kind, seen["bid"] = seen["bid"], None
                if gain("embit", team(seen["bidder"]), 1):
                    return team(seen["bidder"])
                return kind and None
            if len(sides) == 1 and not seen["closed"]:
                seen["closed"] = True
                (side,) = sides
                return side if gain("flor", side, 3 * len(seen["flors"])) else None
            return None

        def finish(winner: str | None) -> dict:
            if winner is None:
                return seen | {"winner": None, "award": "nothing", "score": scores()}
            worth = lack(winner) if seen["level"] == "partido" else int(seen["level"])
            if gain("deal", winner, worth):
                return manche(winner)
            return seen | {"winner": winner, "award": f"points {worth}", "score": scores()}

        def end(winner: str | None) -> dict | None:
            side = first_trick_items()
            if side:
                return manche(side)
            if len({team(s) for s in seen["flors"]}) == 2 and not seen["closed"]:
                seen["wait"] = ("count", "contested", winner, set(seen["flors"]), {})
                return None
            return finish(winner)

        for event in events:
            verb = event[0]
            if verb == "hand":
                continue
            seat = int(event[1])
            side = team(seat)
            wait = seen["wait"]
            if verb == "play":
                seen["plays"].append((seat, event[2]))
                bonus = {"1e": 2, "1b": 1}
                if self.o["bonus"] == "played" and event[2] in bonus and gain("bonus", side, bonus[event[2]]):
                    return manche(side)
                results, trick, _ = leading()
                if not trick:
                    if len(results) == 1:
                        who = first_trick_items()
                        if who:
                            return manche(who)
                    last = seen["plays"][-6:]
                    strongest = max(last, key=lambda p: self.strength(p[1]))
                    won = self.o["bonus"] == "won" and strongest[1] in bonus and results[-1] != "rotten"
                    if won and gain("bonus", results[-1], bonus[strongest[1]]):
                        return manche(results[-1])
                    decision = self.decided(results)
                    if decision:
                        if decision == "void":
                            decision = team(eldest) if self.o["all-tied"] == "elder" else None
                        ended = end(decision)
                        if ended:
                            return ended
            elif verb in ("embit", "falta"):
                seen["bid"], seen["bidder"] = verb, seat
                seen["spoken"].add(seat)
            elif verb == "trucrest":
                seen["bidder"] = seat
                seen["spoken"].add(seat)
                seen["wait"] = ("answer", "trucrest", seat, ("refuse", "sing", "accept"))
            elif verb == "flor":
                if not seen["flors"]:
                    seen["bid"] = None
                    if self.o["flor-annuls"] == "all":
                        seen["lines"] = [line for line in seen["lines"] if line[0] != "embit"]
                seen["flors"].append(seat)
                seen["spoken"].add(seat)
            elif verb == "better" and wait is None:
                seen["spoken"].add(seat)
                seen["closed"] = True
                seen["better"] = seat
                seen["wait"] = ("answer", "better", seat, ("silent", "sing", "rest"))
            elif verb == "raise":
                seen["spoken"].add(seat)
                amount = lack(side) if event[2] == "rest" else int(event[2])
                seen["wait"] = ("answer", "raise", seat, ("refuse", "sing", "accept"), amount)
            elif verb == "sing" and wait is None:
                seen["spoken"].add(seat)
                kind, seen["bid"] = seen["bid"], None
                worth = 2 if kind == "embit" else lack(team(seen["bidder"]))
                seen["wait"] = ("count", kind, worth, set(near), {})
            elif verb in ("truc", "retruc", "balou"):
                level = {"truc": "2", "retruc": "3"}.get(verb) or event[2]
                if wait:
                    seen["level"] = wait[4]
                seen["wait"] = ("answer", "truc", seat, ("refuse", "accept", "retruc", "balou"), level)
            elif verb == "declare":
                wait[4][side] = (int(event[2]), seat)
                if len(wait[4]) == 2:
                    seen["wait"] = None
                    (a, seat_a), (b, seat_b) = wait[4]["A"], wait[4]["B"]
                    best = "A" if a > b else "B" if b > a else team(min((seat_a, seat_b), key=near.index))
                    kind = wait[1]
                    if kind in ("trucrest", "flor-rest"):
                        gain("x", best, lack(best))
                        return manche(best)
                    if kind == "contested":
                        if gain("flor", best, 3 * sum(team(s) == best for s in seen["flors"])):
                            return manche(best)
                        return finish(wait[2])
                    amount = wait[2]
                    if kind == "falta":
                        amount = lack(best) if best == team(seen["bidder"]) else 1 + wait[2]
                    if gain("flor" if kind == "better" else "embit", best, amount):
                        return manche(best)
            else:  # an answer
                asker = wait[2]
                seen["wait"] = None
                if wait[0] == "count":  # silent after "alimidou cantar"
                    if gain("flor", other(side), 5):
                        return manche(other(side))
                elif wait[1] == "raise":
                    if verb == "refuse":
                        seen["bid"] = None
                        if gain("embit", team(asker), 2):
                            return manche(team(asker))
                    else:
                        seen["bid"] = None
                        seen["wait"] = ("count", "embit", 1 + wait[4], set(near), {})
                elif wait[1] == "trucrest":
                    if verb == "refuse":
                        return end(team(asker)) or seen
                    seen["wait"] = ("count", "trucrest", 0, set(near), {})
                elif wait[1] == "better":
                    who = {seen["better"], *seen["flors"]}
                    if verb == "silent":
                        if gain("flor", team(asker), 3):
                            return manche(team(asker))
                    elif verb == "sing":
                        seen["wait"] = ("count", "better", 5, who, {})
                    else:
                        seen["wait"] = ("answer", "flor-rest", seat, ("refuse", "better", "accept"))
                elif wait[1] == "flor-rest":
                    if verb == "refuse":
                        if gain("flor", team(asker), 5):
                            return manche(team(asker))
                    else:
                        seen["wait"] = ("count", "flor-rest", 0, {seen["better"], *seen["flors"]}, {})
                elif wait[1] == "truc":
                    if verb == "refuse":
                        ended = end(team(asker))
                        if ended:
                            return ended
                    else:
                        seen["level"] = wait[4]
                        seen["took"] = side
        results, trick, lead = leading()
        seen["results"], seen["trick"] = results, trick
        turn: int | None = self.order(lead)[len(trick)]
        phase, awaiting = "play", []
        if seen["wait"]:
            phase = seen["wait"][0]
            if phase == "answer":
                asker = seen["wait"][2]
                awaiting = self.opponents(asker, asker)
            else:
                awaiting = [s for s in near if s in seen["wait"][3] and team(s) not in seen["wait"][4]]
                if seen["wait"][1] == "contested":
                    turn = None
        stake = seen["level"]
        assert levels
        return seen | {"phase": phase, "turn": turn, "awaiting": awaiting, "stake": stake, "score": scores()}

    # --- what may happen

    def hand(self, table: dict, seat: int) -> tuple[list[str] | None, list[str] | None]:
        """What a seat still holds and what it was dealt, if that is known."""
        events = table["current"]
        dealt = None
        since = 0
        for i, event in enumerate(events):
            if event[0] == "redeal" and (self.game != "truc"):
                dealt, since = None, i
            if self.game == "truc" and event[0] == "accept" and events[i - 1][0] == "redeal":
                dealt, since = None, i
            songs = sum(e[0] == "sing" for e in events[: i + 1])
            if self.game == "trut-gatine" and event[0] == "sing" and songs == self.n:
                dealt, since = None, i
            if event[0] == "discard" and int(event[1]) == seat:
                dealt = None
            if event[0] == "hand" and int(event[1]) == seat:
                dealt = list(event[2:])
        if dealt is None:
            return None, None
        held = list(dealt)
        for event in events[since:]:
            if event[0] == "play" and int(event[1]) == seat:
                held.remove(event[2])
        return held, dealt

    def candidates(self, table: dict, seat: int) -> list[str]:
        """The cards that a seat may still lay, by what is known."""
        held, _ = self.hand(table, seat)
        events = table["current"]
        laid = [e[2] for e in events if e[0] == "play"]
        if self.o.get("pate-exhausted") == "reshuffle":
            redeals = [i for i, e in enumerate(events) if e[0] == "redeal"]
            room = (32 - 3 * self.n) // (3 * self.n)
            if len(redeals) > room:
                laid = [e[2] for e in events[redeals[-1] :] if e[0] == "play"]
        if self.game == "truc":
            for i, event in enumerate(events):
                if event[0] == "accept" and events[i - 1][0] == "redeal":
                    last = {e[1]: e[2:] for e in events[:i] if e[0] == "hand"}
                    laid += [card for cards in last.values() for card in cards]
        away = list(laid)
        for who in self.order(1):
            if who != seat:
                away += self.hand(table, who)[0] or []
        copies = 4 if self.game == "trut-robin-red" else 1
        return [c for c in self.pack if away.count(c) < copies and (held is None or c in held)]

    def legal(self) -> set[Words]:
        """All legal events, as words, but for hand, cut, undo, set-score and concede."""
        table = self.look()
        if table["phase"] == "over":
            return set()
        if table["phase"] == "deal":
            return {("deal",)}
        events: set[Words] = {("annul",)}
        seen, phase, turn = table["look"], table["phase"], table["turn"]
        if phase == "play":
            events |= {("play", str(turn), card) for card in self.candidates(table, turn)}
        if self.game == "truc":
            return events | self.truc_calls(seen, phase, turn, table["dealer"])
        if self.game == "truc-y-flou":
            return events | self.flou_calls(table, seen, phase, turn)
        return events | self.trut_calls(table, seen, phase, turn)

    def trut_calls(self, table: dict, seen: dict, phase: str, turn: int | None) -> set[Words]:
        events: set[Words] = set()
        asked = [str(s) for s in seen["awaiting"]]
        words = {"hold": ("hold", "refuse"), "sing": ("sing", "silent"), "answer": ("accept", "fold")}.get(
            phase, ()
        )
        speakers = asked if phase == "answer" and self.o["answer"] == "team" else asked[:1]
        events |= {(word, seat) for word in words for seat in speakers}
        if phase == "discard":
            events |= {("discard", seat) for seat in asked}
        if phase == "redeal":
            events.add(("redeal",))
        if phase == "fortial":
            events.add(("pass", asked[0]))
        if phase not in ("play", "fortial") or seen["truter"] or seen["automatic"]:
            return events
        for seat in self.order(1) if phase == "play" else [int(asked[0])]:
            laid = len(seen["results"]) + (seat in [s for s, _ in seen["trick"]])
            if phase == "play" and self.o["trut-when"] == "own-turn" and seat != turn:
                continue
            if self.o["trut-needs-card"] == "on" and laid == 3:
                continue
            events.add(("trut", str(seat)))
            if self.o["deux-petits"] == "on":
                events.add(("deux-petits", str(seat)))
            if laid:
                continue
            cards = self.hand(table, seat)[0]
            ranks = sorted(self.rank(card) for card in cards) if cards else []
            if self.o["brelan"] == "on" and len(set(ranks)) < 2:
                events.add(("brelan", str(seat)))
            row = "1 2 3 4 5 6 7 8" if self.game == "trut-robin-red" else "7 8 9 10 J Q K A"
            runs = [sorted(row.split()[i : i + 3]) for i in range(6)]
            if self.o["tierce"] == "on" and (not cards or ranks in runs):
                events.add(("tierce", str(seat)))
        return events

    def truc_calls(self, seen: dict, phase: str, turn: int, dealer: int) -> set[Words]:
        events: set[Words] = {("fold", "1"), ("fold", "2")}
        if phase == "answer":
            seat = str(seen["awaiting"][0])
            events |= {("accept", seat), ("refuse", seat)}
            if seen["open"][0] == "rest":
                events.add(("rest", seat))
            return events
        if not seen["rest"] and not seen["used"]:
            events |= {("raise", str(turn)), ("rest", str(turn))}
        if not seen["plays"] and not seen["bid"] and not seen["redealt"]:
            who = [3 - dealer] if self.o["redeal-who"] == "non-dealer" else [1, 2]
            events |= {("redeal", str(seat)) for seat in who}
        return events

    def flou_calls(self, table: dict, seen: dict, phase: str, turn: int | None) -> set[Words]:
        events: set[Words] = set()
        levels = ["1", "2", "3", "4", "6", "partido"]

        def calls(above: str, seat: int) -> set[Words]:
            place = levels.index(above)
            higher = levels[place + 1 :] if self.o["truc-skip"] == "on" else levels[place + 1 : place + 2]
            return {
                ("retruc", str(seat)) if lv == "3" else ("balou", str(seat), lv) for lv in higher if lv != "2"
            }

        if phase == "answer":
            wait = seen["wait"]
            for seat in seen["awaiting"]:
                events |= {(word, str(seat)) for word in wait[3] if word not in ("retruc", "balou")}
                if wait[1] == "truc":
                    events |= calls(wait[4], seat)
            return events
        if phase == "count":
            kind = seen["wait"][1]
            flor = kind in ("contested", "better", "flor-rest")
            for seat in seen["awaiting"]:
                dealt = self.hand(table, seat)[1]
                totals = list(range(20, 42)) if flor else [0, *range(20, 35)]
                if dealt:
                    totals = [self.combination(tuple(dealt)) if flor else self.embit(tuple(dealt))]
                events |= {("declare", str(seat), str(total)) for total in totals}
                if kind == "better" and seat == seen["better"]:
                    events.add(("silent", str(seat)))
            return events
        laid = {seat for seat, _ in seen["plays"]}
        sides = {team(s) for s in seen["flors"]}
        if turn not in laid and turn not in seen["spoken"]:
            if not seen["flors"] and seen["bidder"] is None:
                events |= {("embit", str(turn)), ("falta", str(turn))}
                if seen["level"] == "1":
                    events.add(("trucrest", str(turn)))
            if not seen["closed"]:
                dealt = self.hand(table, turn)[1]
                if not dealt or self.combination(tuple(dealt)):
                    events.add(("flor", str(turn)))
                if sides == {other(team(turn))}:
                    events.add(("better", str(turn)))
        if seen["bid"]:
            for seat in self.opponents(seen["bidder"], 1):
                if self.o["embit-answer"] == "later" and (
                    seat != turn or seat in laid or seat in seen["spoken"]
                ):
                    continue
                events.add(("sing", str(seat)))
                if seen["bid"] == "embit":
                    events |= {("raise", str(seat), n) for n in ("1", "2", "10", "rest")}
        for seat in self.order(1):
            if self.o["truc-when"] == "own-turn" and seat != turn:
                continue
            if seen["took"] is None:
                events.add(("truc", str(seat)))
            elif self.o["truc-reopen"] == "on" and seen["took"] == team(seat):
                events |= calls(seen["level"], seat)
        return events
