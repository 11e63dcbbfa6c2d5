"""XO: the referee against a second opinion written from the rules' text alone (reference_xo.py).

The reference plays at random; the program is then asked the same questions in a few calls.
"""

import json
import pathlib
import sys

import pytest

from harness.server import ludopost

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import reference_xo as xo  # noqa: E402

ORACLE = pathlib.Path(__file__).parent / "oracle"
# files, ranks, territory: the usual board, its variant, and every border the options have.
SIZES = [(7, 12, 3), (7, 12, 3), (7, 12, 3), (7, 12, 4), (16, 8, 2), (3, 16, 7), (12, 7, 2), (8, 16, 8), (5, 10, 5)]


def rows(name):
    return [json.loads(line) for line in (ORACLE / name).read_text().splitlines()]


def ask(command, questions, *arguments):
    """The program's answers to boards (with prefixes or turns after tabs), one line each."""
    done = ludopost("rules", command, "xo", "-", *arguments, stdin="".join(f"{one}\n" for one in questions), check=False)
    answers = done.stdout.splitlines()
    assert len(answers) == len(questions), done.stderr[-2000:]
    return answers


def state(board, seen=1):
    """How `rules play` ends its answer."""
    result = xo.result(board, seen)
    return f"open {board.seat}" if result is None else f"result {result[0]} {result[1]}"


class Questions:
    """What is to be asked and what the reference says to it."""

    def __init__(self):
        self.asked = {"legal": [], "play": [], "turns": []}

    def steps(self, board, prefix, steps):
        # Every beginning of a turn is a turn: each step may be the last.
        self.asked["legal"].append((f"{xo.format_board(board)}\t{prefix}", sorted(f"{step}." for step in steps)))

    def played(self, board, turns, boards, end):
        question = "\t".join([xo.format_board(board), *turns])
        self.asked["play"].append((question, [xo.format_board(one) for one in boards] + [end]))

    def refused(self, board, turn):
        self.asked["play"].append((f"{xo.format_board(board)}\t{turn}", None))

    def turns(self, board):
        self.asked["turns"].append((xo.format_board(board), sorted(xo.turns(xo.begin(board)))))

    def compare(self):
        differences = []
        for command, asked in self.asked.items():
            for (question, expected), answer in zip(asked, ask(command, [question for question, _ in asked])):
                given = answer.split("\t" if command == "play" else " ") if answer else []
                if answer.startswith("error: "):
                    given = None
                elif command != "play":
                    given.sort()
                if given != expected:
                    differences.append(self.tell(command, question, expected, answer))
        assert not differences, f"{len(differences)} differences\n" + "\n".join(differences[:5])

    @staticmethod
    def tell(command, question, expected, answer):
        if expected is not None and command != "play" and not answer.startswith("error: "):
            missing = sorted(set(expected) - set(answer.split(" ")))
            surplus = sorted(set(answer.split(" ")) - set(expected))
            return f"{command} {question}: missing {missing[:9]}, surplus or twice {surplus[:9]}"
        return f"{command} {question}\n  reference: {expected}\n  program:   {answer}"


# Random boards and games


def random_board(rng, pieces_max=12):
    """A sparse end position, rarely over from the beginning, sometimes near a draw by counting."""
    files, ranks, territory = rng.choice(SIZES)
    squares = [(file, rank) for file in range(1, files + 1) for rank in range(1, ranks + 1)]
    crowded = squares if rng.random() < 0.5 else rng.sample(squares, len(squares) // 3)
    free = rng.sample(crowded, min(len(crowded), pieces_max))
    pieces = {}
    chiefs = rng.choice([0, 0, 0.3, 0.7])
    for seat in (xo.BLUE, xo.RED):
        for letters in ("g", ("+v", "+h"), ("+z", "+n")):
            if len(free) > pieces_max // 2 and rng.random() < chiefs:
                pieces[free.pop()] = xo.piece_of(rng.choice(letters), seat)
    for square in free[: rng.randint(2, max(2, len(free)))]:
        pieces[square] = xo.piece_of(rng.choice("vhzn"), rng.choice([xo.BLUE, xo.RED]))
    passes = rng.choice([0, 0, 0, 1, 2, 3])
    plies = rng.choice([passes, passes, rng.randint(90, 99)])
    return xo.Board(files, ranks, territory, pieces, rng.choice([xo.BLUE, xo.RED]), plies, passes)


def random_duel(rng):
    """Two pieces alike on one line, hardly any others: both sides may die together."""
    board = random_board(rng, 4)
    square, piece = rng.choice([item for item in board.pieces.items() if item[1].axis] or [((1, 1), xo.piece_of("v", xo.RED))])
    subjects = [item for item in board.pieces.items() if not item[1].chief]
    pieces = dict(subjects[: rng.choice([0, 0, 1])])
    pieces[square] = piece
    line = sorted(xo.line_of(board._replace(pieces=pieces), square) - {square})
    if line:
        pieces[rng.choice(line)] = piece._replace(seat=xo.other(piece.seat))
    return board._replace(pieces=pieces)


def random_sparse_board(rng):
    return random_duel(rng) if rng.random() < 0.2 else random_board(rng)


def random_full_board(rng):
    files, ranks, territory = rng.choice([size for size in SIZES if size[0] == 7])
    layouts = [xo.random_layout(rng, files, territory) for _ in (xo.BLUE, xo.RED)]
    return xo.board_of_layouts(*layouts, files, ranks, territory)


def choose_step(rng, steps, dither):
    """Deaths and long turns often, or else the repetition and the passes that random play hardly meets."""
    idle = [step for step in steps if step.sign == "pass"] + [step for step in steps if step.sign == "~"][:1]
    if dither and idle:
        return rng.choice(idle)
    weights = {"x": 40, "*": 40, "~": 20, "-": 10, "pass": 1}
    signs = sorted({step.sign for step in steps})
    sign = rng.choices(signs, [weights[sign] for sign in signs])[0]
    return rng.choice([step for step in steps if step.sign == sign])


def wrong_turn(rng, board, prefix, steps):
    """A text near a legal turn: another sign, squares of nobody, a step too many."""
    step = rng.choice(steps) if steps else xo.Step("-", (1, 1), (1, 2))
    target = step.target or (rng.randint(1, board.files), rng.randint(1, board.ranks))
    origin = step.origin or (rng.randint(1, board.files), rng.randint(1, board.ranks))
    other = xo.Step(rng.choice("-x*"), origin, target) if rng.random() < 0.7 else xo.Step("~", target)
    return f"{prefix},{other}" if prefix else str(other)


def ask_wrong_turn(rng, questions, board, prefix, steps):
    text = wrong_turn(rng, board, prefix, steps)
    try:
        after = xo.play(board, text)[1]
    except xo.Refused:
        questions.refused(board, text)
    else:
        questions.played(board, [text], [after], state(after))


def random_turn(rng, questions, board, dither):
    """Plays a turn; every beginning of it is asked about."""
    turn, prefix = xo.begin(board), ""
    while True:
        steps = xo.steps(turn)
        questions.steps(board, prefix, steps)
        if prefix:
            questions.played(board, [prefix], [xo.finish(turn)], state(xo.finish(turn)))
        if not steps or (prefix and (dither or rng.random() < 0.05)):
            break
        step = choose_step(rng, steps, dither)
        turn = xo.make(turn, step)
        prefix = f"{prefix},{step}" if prefix else str(step)
    ask_wrong_turn(rng, questions, board, prefix, steps)
    return prefix, xo.finish(turn)


def random_game(rng, questions, first, turns_max):
    """Plays on until the game is over; the number of turns."""
    board, turns, boards, dither = first, [], [], rng.random() < 0.15
    stood = [xo.format_without_counters(first)]
    end = state(first)
    if xo.result(first) is not None:
        questions.steps(first, "", [])
    while end.startswith("open") and len(turns) < turns_max:
        turn, board = random_turn(rng, questions, board, dither)
        turns.append(turn)
        boards.append(board)
        stood.append(xo.format_without_counters(board))
        end = state(board, stood.count(stood[-1]))
    questions.played(first, turns, boards, end)
    return len(turns)


# The reference itself


@pytest.mark.parametrize("row", rows("xo_rulings.jsonl"), ids=lambda row: row["id"])
def test_the_reference_agrees_with_the_rulings_by_hand(row):
    board = xo.parse(row["board"])
    stood = [xo.format_without_counters(board)]
    for turn in row.get("played", []):
        board = xo.play(board, turn)[1]
        stood.append(xo.format_without_counters(board))
    if not row["allowed"]:
        with pytest.raises(xo.Refused):
            xo.play(board, row["turn"])
    elif "prefix" in row:
        turn = xo.read_prefix(board, row["prefix"])[1]
        steps = sorted(map(str, xo.steps(turn)))
        assert turn.begun == row["may_end"]
        assert steps == row["steps"] or not row["steps"]
        assert set(row["includes"]) <= set(steps) and not set(row["excludes"]) & set(steps)
    else:
        canonical, after = xo.play(board, row["turn"])
        stood.append(xo.format_without_counters(after))
        assert canonical == row["canonical"]
        assert stood[-1] == xo.format_without_counters(xo.parse(row["after"]))
        reason = {"annihilation": "annihilated", "dead position": "dead-position"}.get(row["reason"], row["reason"])
        assert xo.result(after, stood.count(stood[-1])) == ((row["winner"], reason) if reason else None)


@pytest.mark.parametrize("row", rows("xo_dead.jsonl"), ids=lambda row: row["id"])
def test_the_reference_agrees_with_the_dead_positions_by_hand(row):
    assert xo.is_dead(xo.parse(row["board"])) == row["dead"]


def test_the_criterion_of_a_dead_position_is_the_definition(rng, portion):
    """On boards so small that every game without a death can be played out."""
    found = {True: 0, False: 0}
    for _ in range(portion(4000)):
        files, ranks = rng.choice([(3, 4), (4, 4), (3, 5), (5, 3)])
        squares = [(file, rank) for file in range(1, files + 1) for rank in range(1, ranks + 1)]
        pieces = {square: xo.piece_of(rng.choice("vhzn"), xo.BLUE) for square in rng.sample(squares, rng.randint(2, 5))}
        for square in list(pieces)[: rng.randint(1, len(pieces) - 1)]:
            pieces[square] = pieces[square]._replace(seat=xo.RED)
        if rng.random() < 0.1:
            pieces[square] = xo.piece_of(rng.choice(["+v", "+h", "+z", "+n", "g"]), xo.RED)
        board = xo.Board(files, ranks, 1, pieces, rng.choice([xo.BLUE, xo.RED]))
        if xo.is_dead(board) or not xo.nobody_can_ever_kill(board):
            assert xo.is_dead(board) == xo.nobody_can_ever_kill(board), xo.format_board(board)
        else:
            assert len(xo.locked_in(board)) > 1, xo.format_board(board)
        found[xo.is_dead(board)] += 1
    assert min(found.values()) > 0


@pytest.mark.parametrize(
    ("text", "locked"),
    [
        ("xo:7x12:3 7/7/7/7/7/7/7/3H3/7/7/n6/vn5 b", ["a1", "a2", "b1"]),
        ("xo:7x12:3 v6/7/7/7/7/7/7/7/hhhhhhh/7/1H5/7 r", ["a4", "b4", "c4", "d4", "e4", "f4", "g4"]),
        ("xo:7x12:3 7/7/7/7/7/7/7/7/v6/7/6Z/5ZH b", ["f1", "g1", "g2"]),
    ],
)
def test_pieces_locked_in_by_their_own_side_do_not_make_a_position_dead(text, locked):
    """Where definition and criterion part: the criterion is the rule, the counters end the game."""
    board = xo.parse(text)
    assert xo.nobody_can_ever_kill(board)
    assert sorted(map(xo.name, xo.locked_in(board))) == locked
    assert not xo.is_dead(board)
    assert ask("play", [text]) == [state(board)]


def test_a_layout_reads_the_same_for_both_players():
    layout = "vhzvhzv/n+vznhng/vz+zhnhz"
    board = xo.board_of_layouts(layout, layout)
    signs = {xo.name(square): xo.letter(piece) for square, piece in board.pieces.items()}
    for square, sign in {"a3": "V", "b2": "+V", "g2": "G", "c1": "+Z", "a12": "v", "b11": "+v", "g11": "g", "c10": "+z"}.items():
        assert signs[square] == sign
    assert xo.fair_copy(layout) == "zhnh+zzv/gnhnz+vn/vzhvzhv"
    assert xo.fair_copy(xo.fair_copy(layout)) == layout
    for wrong in (layout + "/7", layout[:-1], layout.replace("+v", "v"), layout.replace("g", "+g"), layout.replace("g", "1")):
        with pytest.raises(xo.Refused):
            xo.parse_layout(wrong)


def test_the_reference_reads_the_boards_it_writes(rng, portion):
    for _ in range(portion(1000)):
        for board in (random_board(rng), random_full_board(rng)):
            assert xo.parse(xo.format_board(board)) == board
    for wrong in ("07/", "7/7/", "8/", "16/", "3g4/", "6+g/", "61/"):
        with pytest.raises(xo.Refused):
            xo.parse("xo:7x12:3 " + wrong + "7/7/7/7/7/7/7/7/7/7/7 b")


# The program against the reference


@pytest.mark.parametrize(("make", "turns_max"), [(random_full_board, 60), (random_sparse_board, 30)], ids=["layouts", "sparse"])
def test_random_turns_are_the_same_step_by_step(rng, portion, make, turns_max):
    wanted, played = portion(20000), 0
    while played < wanted:
        questions, before = Questions(), played
        while played < min(wanted, before + 1000):
            played += random_game(rng, questions, make(rng), turns_max)
        questions.compare()


def test_whole_turns_of_boards_with_few_pieces_are_the_same(rng, portion):
    questions = Questions()
    for _ in range(portion(1000)):
        questions.turns(random_board(rng, 8))
    questions.compare()


def test_full_boards_have_as_many_turns(rng, portion):
    boards = []
    for number in range(portion(30)):
        board = random_full_board(rng)
        for _ in range(number % 10):
            board = random_turn(rng, Questions(), board, dither=False)[1]
        boards.append(board)
    counts = [str(xo.count_turns(xo.begin(board))) for board in boards]
    assert ask("perft", [xo.format_board(board) for board in boards], "1") == counts
