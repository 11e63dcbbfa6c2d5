"""Layouts of XO as players write them, and set-ups played with them."""

import re

# The example of the rules; its ranks stand as they are seen, the highest first.
USUAL = "vhzvhzv/n+vznhng/vz+zhnhz"
ARMY = "v" * 9 + "z" * 9
CHIEFS = ["+v", "+z", "g"]
TURNED = str.maketrans("vz", "hn")


def random_layout(rng, files=7, ranks=3):
    """A whole army anywhere on a territory, every piece on an axis of its own."""
    pieces = [piece.translate(TURNED) if rng.random() < 0.5 else piece for piece in [*ARMY, *CHIEFS]]
    pieces += [" "] * (files * ranks - len(pieces))
    rng.shuffle(pieces)
    rows = ("".join(pieces[files * rank: files * (rank + 1)]) for rank in range(ranks))
    return "/".join(re.sub(" +", lambda empty: str(len(empty.group())), row) for row in rows)


def squares(layout):
    """The pieces of a layout, rank by rank."""
    return [re.findall(r"\+?[vhzn]|g", rank) for rank in layout.split("/")]


def copy_of(layout):
    """The fair copy for the other side: the half turn, each piece keeping its axis."""
    return "/".join("".join(reversed(rank)) for rank in reversed(squares(layout)))


def board_of(blue, red, state):
    """The board string with these layouts ("" for none)."""
    ranks = red.split("/") if red else ["7"] * 3
    ranks += ["7"] * 6
    ranks += re.sub("[a-z]", lambda found: found.group().upper(), blue).split("/") if blue else ["7"] * 3
    return f"xo:7x12:3 {'/'.join(ranks)} {state}"


class Setup:
    """The set-up of one game, played by two clients."""

    def __init__(self, blue, red, **options):
        self.players = (blue, red)
        self.game = blue.start_game(red, "xo", **options)
        self.path = f"/v1/games/{self.game}/setup"

    def send(self, seat, layout, round_=1, **options):
        """A layout, or None to accept; the response, whatever it says."""
        body = {"round": round_, "accept": True} if layout is None else {"round": round_, "layout": layout}
        return self.players[seat - 1].post(self.path, body, **options)

    def sent(self, seat, layout, round_=1, status=201):
        """The same; it must be taken. The set-up as its sender sees it then."""
        response = self.send(seat, layout, round_)
        assert response.status_code == status, f"{response.status_code} {response.text}"
        return response.json()

    def seen(self, client):
        return client.ask("GET", self.path)

    def open(self, blue=USUAL, red=USUAL):
        """Both first layouts are in."""
        self.sent(1, blue)
        self.sent(2, red)
        return self

    def begin(self, blue=USUAL, red=USUAL):
        """Play has begun; the game's number."""
        self.open(blue, red)
        self.sent(1, None)
        self.sent(2, None)
        return self.game
