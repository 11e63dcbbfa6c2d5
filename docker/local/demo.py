#!/usr/bin/python3
"""`make demo`: a whole game of each rule set through REST on the server of `make run`.

Exit code 1 if a turn's mail is missing from the Maildir or went to, or names, the wrong player, or
if a board or result differs from the referee's (`ludopost rules play`)."""

import json
import random
import sys
import time

import common

SEEDS = {"ordo": 1}  # the turns are chosen by these, so that every demo shows the same games
LONGEST_GAME = 400
# Too many turns to choose from: this game is always the same, from these layouts to the last piece.
SCRIPTS = {
    "xo": """
    a3*a10 g10-f9 d3xd10,d10~ g11xg3,d11~ d10xe10,d1~,f3-g4 g3xf2,b10-a10 g2xf2 g12xg4,c10~,f9-e9
    e10xf10,f2-g3 b11xb3,b3~,g4-g8 g3xg8,c3-g7 b3xe3,c10~,f12-g12 f10xc10,d2-c3 e3xc3 c10xa10,g8-e10 d11-c10
    d1*d12 pass e10xe9,g7-f6 c3~ a10xc10,c10~,f6-d4 pass e9xe11,a1~ pass e11xc11,c10~,e2-g2 pass
    e1xc3,a2~,g2-f2 pass c11xf11,c10~ pass c10xc12,f2-g2 pass b2xb12,f1-e1 pass f11xa11,g2-d2 pass a11xa12
    pass a12-g6 pass g6xg12,d4-g7 pass g12xe12
""".split(),
}
LAYOUTS = {"xo": "vhzvhzv/n+vznhng/vz+zhnhz"}


class Fault(Exception):
    """What the demo exists to find."""


def forward(turn, seat):
    """How many ranks the last step of a turn goes forward for its player."""
    squares = [word for word in turn.replace("-", " ").replace("x", " ").replace(":", " ").replace(",", " ").split()]
    ranks = [int(square.split("=")[0][1:]) for square in squares]
    return (ranks[-1] - ranks[-2]) * (1 if seat == 1 else -1)


def choose(turns, seat, dice):
    """A turn that goes far forward, mostly: the game comes to its end soon."""
    some = dice.sample(turns, min(len(turns), 40))
    return max(some, key=lambda turn: (forward(turn, seat), turn)) if dice.random() < 0.7 else dice.choice(some)


def check_mail(seen, game, reader, opponent, turn):
    """Waits for the mail that tells reader of a turn; a Fault if it is missing or wrong."""
    fresh = []

    def tells(mail):
        fresh.append(mail)
        return reader.address in mail.to and f"Game {game}:" in mail.subject and turn in mail.text

    mail = common.wait_for_mail(seen, tells)
    if mail is None:
        came = ", ".join(f"{one.to}: {one.subject}" for one in fresh) or "none"
        raise Fault(f"game {game}: no mail told {reader.name} of {turn}; mails that came: {came}")
    if f"Hello {reader.name}," not in mail.text or f"against {opponent.name}" not in mail.text:
        raise Fault(f"game {game}: the mail of {turn} to {reader.name} names the wrong players: {mail.path}")
    return mail


def check_nobody_else(seen, game, readers, turn):
    """No mail of this game may lie in the Maildir that is not for one of the readers."""
    addresses = [reader.address for reader in readers]
    for path in sorted(common.mail_paths() - seen):
        mail = common.Mail(path)
        if f"Game {game}:" in mail.subject and turn in mail.text and not any(one in mail.to for one in addresses):
            raise Fault(f"game {game}: {mail.to} was told of {turn}, and was not to be: {path}")


def check_referee(game, state, start, turns):
    """The board and the result must be the referee's."""
    lines = common.referee("play", state["rules"], start, *turns)
    if lines[-2] != state["board"]:
        raise Fault(f"game {game}: board {state['board']}, the referee has {lines[-2]}")
    verdict = lines[-1].split()
    if state["phase"] == "over":
        said = ["result", str(common.winner_of(state)), state["reason"]]
    else:
        said = ["open", *map(str, common.awaited_of(state))]
    if said != verdict:
        raise Fault(f"game {game}: the service says {' '.join(said)}, the referee {' '.join(verdict)}")


def check_sealed(game, reader, layout):
    """A layout that is sealed must not be on any mail, nor shown to the other player."""
    seen = reader.call("GET", f"/v1/games/{game}/setup")
    if layout in json.dumps(seen) or not seen["sealed"]:
        raise Fault(f"game {game}: {reader.name} sees the sealed layout")
    for path in common.mail_paths():
        mail = common.Mail(path)
        if f"Game {game}:" in mail.subject and layout.split("/", maxsplit=1)[0] in mail.text and reader.address in mail.to:
            raise Fault(f"game {game}: the sealed layout is in the mail {path}")


def send_setup(game, sender, reader, order, seen):
    """One step of a set-up and, if it is to be told, the mail to the one who is then to speak."""
    answer = sender.call("POST", f"/v1/games/{game}/setup", order)
    what = "accepts" if "accept" in order else f"lays out {order['layout']}"
    if reader is None:
        print(f"     {sender.name} {what}")
        return answer
    mail = common.wait_for_mail(seen, lambda mail: reader.address in mail.to and f"Game {game}:" in mail.subject)
    if mail is None:
        raise Fault(f"game {game}: no mail told {reader.name} that he is to speak in the set-up")
    print(f"     {sender.name} {what}; mail to {mail.to}")
    return answer


def play_setup(players, game, layout):
    """Both lay out in secret; one pair is rejected by another layout, the next is accepted by both."""
    first, second = players
    sealed = send_setup(game, first, None, {"round": 1, "layout": "random"}, None)["seats"][0]["layout"]
    check_sealed(game, second, sealed)
    seen = common.mail_paths()
    send_setup(game, second, first, {"round": 1, "layout": layout}, seen)
    show_board(first, game)
    seen = common.mail_paths()
    answer = send_setup(game, first, second, {"round": 1, "layout": layout}, seen)
    seen = common.mail_paths()
    answer = send_setup(game, second, first, {"round": answer["round"], "accept": True}, seen)
    if answer["phase"] != "play":
        raise Fault(f"game {game}: both have accepted, and play has not begun")


def play_game(players, rules):
    """One game from the first turn to the result."""
    game = common.start_game(players[0], players[1], rules)
    dice = random.Random(f"{rules} {SEEDS.get(rules, 0)}")
    print(f"== {rules}: game {game}, {players[0].name} against {players[1].name}\n")
    if rules in LAYOUTS:
        play_setup(players, game, LAYOUTS[rules])
    state = players[0].call("GET", f"/v1/games/{game}")
    start, turns = state["board"], []
    show_board(players[0], game)
    while state["phase"] != "over" and len(turns) < LONGEST_GAME:
        seat = common.awaited_of(state)[0]
        mover, other = (players[0], players[1]) if seat == 1 else (players[1], players[0])
        if rules in SCRIPTS:
            turn = SCRIPTS[rules][len(turns)]
        else:
            turn = choose(common.referee("turns", rules, state["board"]), seat, dice)
        seen = common.mail_paths()
        stored = mover.call("POST", f"/v1/games/{game}/turns", {"ply": state["next_ply"], "turn": turn})
        turns.append(turn)
        state = players[0].call("GET", f"/v1/games/{game}")
        told = [other] if state["phase"] != "over" else [other, mover]
        mails = [check_mail(seen, game, one, mover if one is other else other, turn) for one in told]
        check_nobody_else(seen, game, told, turn)
        check_referee(game, state, start, turns)
        print(f"{stored['ply']:3}. {mover.name}: {turn:24} mail to {', '.join(mail.to for mail in mails)}")
        if len(turns) == 1:
            show_mail(mails[0])
        if len(turns) % 10 == 0:
            show_board(players[0], game)
    if state["phase"] != "over":
        raise Fault(f"game {game} has no end after {LONGEST_GAME} turns")
    show_board(players[0], game)
    winner = next((one.name for seat, one in enumerate(players, 1) if seat == common.winner_of(state)), "nobody")
    print(f"{winner} wins ({state['reason']}), as the referee says.")
    show_mail(mails[-1])
    return len(turns)


def show_board(player, game):
    """The picture without the list of pieces that follows it."""
    text = player.call("GET", f"/v1/games/{game}/board.txt")
    print("\n" + text.split("\n\n")[0] + "\n")


def show_mail(mail):
    print(f"\nThe mail {mail.path}:\n\n    To: {mail.to}\n    Subject: {mail.subject}\n")
    print("\n".join("    " + line for line in mail.text.splitlines()) + "\n")


def demo_players(url):
    kept = json.loads(common.PLAYERS.read_text())
    return [common.Player(url, name, f"{name.lower()}@example.org", kept[name]) for name in ("Anna", "Bert")]


def main():
    if not common.STATE.exists():
        print("No server runs here: `make run` in another terminal starts one.")
        return 1
    started = time.monotonic()
    players = demo_players(json.loads(common.STATE.read_text())["url"])
    keys = [line.split()[0] for line in common.referee("list")]
    try:
        count = sum(play_game(players, key) for key in keys)
    except (Fault, common.Refused, RuntimeError, OSError) as error:
        print(f"FAULT: {error}", file=sys.stderr)
        return 1
    print(
        f"{len(keys)} games, {count} turns, each told by mail to the right player, each board and result the referee's; "
        f"{time.monotonic() - started:.0f} s. The mails:  mutt -f '{common.MAILDIR}'"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
