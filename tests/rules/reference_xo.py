"""XO by the letter: a second opinion on the referee, written from the rules' text alone.

Slow on purpose. A board is a dictionary from (file, rank), both counted from 1, to a piece; every
question is answered by walking over squares. Nothing is shared with the program under test.
"""

import re
import unicodedata
from typing import NamedTuple

BLUE, RED = 1, 2
UPRIGHT, LYING, SLASH, BACKSLASH = "|", "-", "/", "\\"
TURNED = {UPRIGHT: LYING, LYING: UPRIGHT, SLASH: BACKSLASH, BACKSLASH: SLASH}
ALONG = {
    UPRIGHT: [(0, 1), (0, -1)],
    LYING: [(1, 0), (-1, 0)],
    SLASH: [(1, 1), (-1, -1)],
    BACKSLASH: [(-1, 1), (1, -1)],
}
LETTERS = {
    "v": ("HoVe", UPRIGHT),
    "h": ("HoVe", LYING),
    "z": ("Diago", SLASH),
    "n": ("Diago", BACKSLASH),
    "g": ("Giro", None),
}
# Army: how many of (kind, chief).
ARMY = {("HoVe", False): 9, ("Diago", False): 9, ("HoVe", True): 1, ("Diago", True): 1, ("Giro", True): 1}
PLIES_WITHOUT_A_DEATH = 100
PASSES = 4
TIMES_THE_SAME = 3


class Refused(Exception):
    """A text that is no board, layout or legal turn."""


class Piece(NamedTuple):
    seat: int
    kind: str
    axis: str
    chief: bool


class Board(NamedTuple):
    """A board between turns, or within one."""

    files: int
    ranks: int
    territory: int
    pieces: dict
    seat: int
    plies: int = 0
    passes: int = 0


class Step(NamedTuple):
    """sign: ~ rotation, - move, x kill, * confrontation, or the whole text "pass"."""

    sign: str
    origin: tuple = None
    target: tuple = None

    def __str__(self):
        if self.sign == "pass":
            return "pass"
        return name(self.origin) + self.sign + (name(self.target) if self.target else "")


class Turn(NamedTuple):
    """A turn as far as it has come. The fields say what has been done in it; None: not yet."""

    board: Board
    begun: bool = False
    ended: bool = False  # by its last step or because the game is over
    rotated: tuple = None  # before any move
    survivor: tuple = None
    survivor_rotated: bool = False
    bonus_rotated: tuple = None
    death: bool = False
    passed: bool = False


def name(square):
    return "abcdefghijklmnop"[square[0] - 1] + str(square[1])


def other(seat):
    return RED if seat == BLUE else BLUE


# Board strings


def letter(piece):
    sign = next(sign for sign, (kind, axis) in LETTERS.items() if (kind, axis) == (piece.kind, piece.axis))
    sign = sign.upper() if piece.seat == BLUE else sign
    return "+" + sign if piece.chief and piece.kind != "Giro" else sign


def parse_rank(text, files):
    """The pieces of one rank without their seat: [(file, letter with +)]."""
    if not re.fullmatch(r"(\+[vhznVHZN]|[vhzngVHZNG]|(?<![0-9])[1-9][0-9]*)*", text):
        raise Refused(text)
    found, file = [], 1
    for item in re.findall(r"\+?[a-zA-Z]|[0-9]+", text):
        if item.isdigit():
            file += int(item)
        else:
            found.append((file, item))
            file += 1
    if file != files + 1:
        raise Refused(text)
    return found


def format_rank(letters, files):
    """letters: {file: letter with +}."""
    text, empty = "", 0
    for file in range(1, files + 2):
        if file <= files and file not in letters:
            empty += 1
            continue
        text += str(empty) if empty else ""
        text += letters.get(file, "")
        empty = 0
    return text


def piece_of(item, seat):
    kind, axis = LETTERS[item[-1].lower()]
    return Piece(seat, kind, axis, item[0] == "+" or kind == "Giro")


def check_size(files, ranks, territory):
    squares_fit = 1 <= files <= 16 and 1 <= ranks <= 16 and files * ranks <= 128
    if not squares_fit or 2 * territory > ranks or files * territory < 21:
        raise Refused("size")


def parse(text):
    match = re.fullmatch(r"xo:([1-9]\d*)x([1-9]\d*):([1-9]\d*) (\S+) ([br])( (0|[1-9]\d*) (0|[1-9]\d*))?", text)
    if not match:
        raise Refused(text)
    files, ranks, territory = (int(match.group(number)) for number in (1, 2, 3))
    check_size(files, ranks, territory)
    rows = match.group(4).split("/")
    if len(rows) != ranks:
        raise Refused(text)
    pieces = {}
    for number, row in enumerate(rows):
        for file, item in parse_rank(row, files):
            pieces[file, ranks - number] = piece_of(item, BLUE if item[-1].isupper() else RED)
    seat = BLUE if match.group(5) == "b" else RED
    return Board(files, ranks, territory, pieces, seat, int(match.group(7) or 0), int(match.group(8) or 0))


def format_without_counters(board):
    rows = []
    for rank in range(board.ranks, 0, -1):
        letters = {square[0]: letter(piece) for square, piece in board.pieces.items() if square[1] == rank}
        rows.append(format_rank(letters, board.files))
    side = "b" if board.seat == BLUE else "r"
    return f"xo:{board.files}x{board.ranks}:{board.territory} {'/'.join(rows)} {side}"


def format_board(board):
    counters = f" {board.plies} {board.passes}" if board.plies or board.passes else ""
    return format_without_counters(board) + counters


# Layouts


def parse_layout(text, files=7, territory=3):
    """The rows of a layout, highest rank first: [{file: letter with +}]. The whole army or Refused."""
    rows = [dict(parse_rank(row, files)) for row in text.lower().split("/")]
    if len(rows) != territory:
        raise Refused(text)
    pieces = [piece_of(item, BLUE) for row in rows for item in row.values()]
    count = {}
    for piece in pieces:
        count[piece.kind, piece.chief] = count.get((piece.kind, piece.chief), 0) + 1
    if count != ARMY:
        raise Refused(text)
    return rows


def fair_copy(text, files=7, territory=3):
    """The half turn: order of ranks and each rank reversed, letters kept."""
    rows = parse_layout(text, files, territory)
    turned = [{files + 1 - file: item for file, item in row.items()} for row in reversed(rows)]
    return "/".join(format_rank(row, files) for row in turned)


def random_layout(rng, files=7, territory=3):
    items = ["g", rng.choice(["+v", "+h"]), rng.choice(["+z", "+n"])]
    items += [rng.choice("vh") for _ in range(9)] + [rng.choice("zn") for _ in range(9)]
    squares = rng.sample([(file, row) for row in range(territory) for file in range(1, files + 1)], 21)
    rows = [{} for _ in range(territory)]
    for (file, row), item in zip(squares, items):
        rows[row][file] = item
    return "/".join(format_rank(row, files) for row in rows)


def board_of_layouts(blue, red, files=7, ranks=12, territory=3):
    """The board after set-up, Blue to move."""
    check_size(files, ranks, territory)
    pieces = {}
    for number, row in enumerate(parse_layout(blue, files, territory)):
        for file, item in row.items():
            pieces[file, territory - number] = piece_of(item, BLUE)
    for number, row in enumerate(parse_layout(red, files, territory)):
        for file, item in row.items():
            pieces[file, ranks - number] = piece_of(item, RED)
    return Board(files, ranks, territory, pieces, BLUE)


# What a piece may do


def has_chief(board, seat, kind):
    return any(piece.seat == seat and piece.chief and piece.kind == kind for piece in board.pieces.values())


def on_board(board, square):
    return 1 <= square[0] <= board.files and 1 <= square[1] <= board.ranks


def territory_of(board, square):
    """Whose territory a square is in; None: nobody's."""
    if square[1] <= board.territory:
        return BLUE
    if square[1] > board.ranks - board.territory:
        return RED
    return None


def may_rotate(board, square):
    piece = board.pieces[square]
    if piece.kind == "Giro":
        return False
    return piece.chief or has_chief(board, piece.seat, "Giro")


def is_confrontation(board, origin, target):
    attacker, attacked = board.pieces[origin], board.pieces[target]
    alike = (attacker.kind, attacker.chief, attacker.axis) == (attacked.kind, attacked.chief, attacked.axis)
    if attacker.kind == "Giro" or not alike:
        return False
    in_one_territory = territory_of(board, origin) == territory_of(board, target) is not None
    return not in_one_territory


def moves(board, square):
    """Every move, kill and confrontation of the piece on this square."""
    piece = board.pieces[square]
    lost = not has_chief(board, piece.seat, piece.kind)
    one_square_only = lost and not piece.chief
    found = []
    directions = sum(ALONG.values(), []) if piece.kind == "Giro" else ALONG[piece.axis]
    for across, up in directions:
        target = (square[0] + across, square[1] + up)
        while on_board(board, target):
            met = board.pieces.get(target)
            if met is None:
                found.append(Step("-", square, target))
            elif met.seat != piece.seat:
                found.append(Step("*" if is_confrontation(board, square, target) else "x", square, target))
            if met is not None or one_square_only:
                break
            target = (target[0] + across, target[1] + up)
    if piece.kind == "Diago" and not one_square_only:
        for across in (-1, 1):
            target = (square[0] + across, square[1])
            if on_board(board, target) and target not in board.pieces:
                found.append(Step("-", square, target))
    return found


# A turn


def own_squares(turn):
    return [square for square, piece in turn.board.pieces.items() if piece.seat == turn.board.seat]


def steps(turn):
    """Every step that may come next."""
    if turn.ended:
        return []
    if turn.survivor is not None:
        return bonus_steps(turn)
    found = []
    if not turn.begun:
        found.append(Step("pass"))
        found += [Step("~", square) for square in own_squares(turn) if may_rotate(turn.board, square)]
    for square in own_squares(turn):
        if square != turn.rotated:
            found += moves(turn.board, square)
    return found


def bonus_steps(turn):
    """What may follow a kill: the survivor's rotation, the bonus rotation, the bonus move."""
    found = []
    if turn.bonus_rotated is None:
        if not turn.survivor_rotated and may_rotate(turn.board, turn.survivor):
            found.append(Step("~", turn.survivor))
        for square in own_squares(turn):
            if square != turn.survivor and may_rotate(turn.board, square):
                found.append(Step("~", square))
    for square in own_squares(turn):
        if square not in (turn.survivor, turn.bonus_rotated):
            found += [step for step in moves(turn.board, square) if step.sign == "-"]
    return found


def make(turn, step):
    """The turn with one more step, which must be one of steps(turn)."""
    pieces = dict(turn.board.pieces)
    turn = turn._replace(begun=True, board=turn.board._replace(pieces=pieces))
    if step.sign == "pass":
        return turn._replace(ended=True, passed=True)
    if step.sign == "~":
        pieces[step.origin] = pieces[step.origin]._replace(axis=TURNED[pieces[step.origin].axis])
        if turn.survivor is None:
            return turn._replace(rotated=step.origin)
        if step.origin == turn.survivor:
            return turn._replace(survivor_rotated=True)
        return turn._replace(bonus_rotated=step.origin)
    mover = pieces.pop(step.origin)
    if step.sign == "*":
        del pieces[step.target]
        return turn._replace(death=True, ended=True)
    pieces[step.target] = mover
    if step.sign == "-":
        return turn._replace(ended=True)
    over = result_of_a_death(turn.board) is not None
    return turn._replace(death=True, survivor=step.target, ended=over)


def finish(turn):
    """The board after the turn, the other side to move."""
    board = turn.board
    return board._replace(
        seat=other(board.seat),
        plies=0 if turn.death else board.plies + 1,
        passes=board.passes + 1 if turn.passed else 0,
    )


# Ends


def result_of_a_death(board):
    """(winner, reason) or None: what is tested straight after a kill or confrontation."""
    alive = {piece.seat for piece in board.pieces.values()}
    if not alive:
        return 0, "annihilated"
    if len(alive) == 1:
        return alive.pop(), "annihilated"
    return (0, "dead-position") if is_dead(board) else None


def result(board, seen=1):
    """(winner, reason) or None. seen: how often this board with this side to move has stood."""
    at_once = result_of_a_death(board)
    if at_once is not None:
        return at_once
    if board.passes >= PASSES:
        return 0, "passes"
    if seen >= TIMES_THE_SAME:
        return 0, "repetition"
    if board.plies >= PLIES_WITHOUT_A_DEATH:
        return 0, "no-death"
    return None


def line_of(board, square):
    """The whole file, rank or diagonal of a HoVe or Diago, on the empty board."""
    found = {square}
    for across, up in ALONG[board.pieces[square].axis]:
        target = (square[0] + across, square[1] + up)
        while on_board(board, target):
            found.add(target)
            target = (target[0] + across, target[1] + up)
    return found


def is_dead(board):
    """The exact criterion."""
    if any(piece.chief for piece in board.pieces.values()):
        return False
    lines = {BLUE: set(), RED: set()}
    for square, piece in board.pieces.items():
        lines[piece.seat] |= line_of(board, square)
    return not lines[BLUE] & lines[RED]


def play_out(board):
    """(may anybody ever kill, the boards met): every turn without a death, as far as it leads."""
    waiting, seen, boards = [Turn(board)], set(), []
    while waiting:
        turn = waiting.pop()
        boards.append(turn.board.pieces)
        for step in steps(turn):
            if step.sign in "x*":
                return True, boards
            after = make(turn, step)
            between = Turn(finish(after)._replace(plies=0, passes=0))
            for new in [between] if after.ended else [between, after]:
                key = (frozenset(new.board.pieces.items()), new.board.seat, new.rotated)
                if key not in seen:
                    seen.add(key)
                    waiting.append(new)
    return False, boards


def nobody_can_ever_kill(board):
    """The definition."""
    return not play_out(board)[0]


def locked_in(board):
    """Squares of pieces on longer lines that never move: their own side stands in their way for ever."""
    boards = play_out(board)[1]
    return [
        square
        for square, piece in board.pieces.items()
        if len(line_of(board, square)) > 1 and all(pieces.get(square) == piece for pieces in boards)
    ]


# Whole turns and their texts


def begin(board, seen=1):
    return Turn(board, ended=result(board, seen) is not None)


def turns(turn, before=""):
    """Every whole turn that goes on from here: every beginning of a turn is one."""
    for step in steps(turn):
        text = before + str(step)
        yield text
        yield from turns(make(turn, step), text + ",")


def count_turns(turn):
    total = 0
    for step in steps(turn):
        total += 1
        # Nothing follows these steps: they need not be made.
        if step.sign not in ("-", "*", "pass"):
            total += count_turns(make(turn, step))
    return total


def normalise(text):
    text = unicodedata.normalize("NFKC", text)
    text = "".join("-" if unicodedata.category(sign) == "Pd" or sign == "−" else sign for sign in text)
    text = "".join(sign for sign in text if unicodedata.category(sign) != "Cf")
    return text.strip().lower().replace("∼", "~").replace("⁓", "~").replace("×", "x")


def read_step(turn, text):
    """The legal step a text means. `x` may be typed for a confrontation; nothing else is mended."""
    for step in steps(turn):
        if text in (str(step), str(step).replace("*", "x"), "--" if step.sign == "pass" else None):
            return step
    raise Refused(text)


def read_prefix(board, text):
    """(canonical text, turn) of the beginning of a turn; an empty text has no step yet."""
    turn, canonical = begin(board), []
    for word in re.split(r"\s*[,;\s]\s*", normalise(text)) if text else []:
        step = read_step(turn, word)
        turn = make(turn, step)
        canonical.append(str(step))
    return ",".join(canonical), turn


def play(board, text):
    """(canonical text, board after the turn) of a whole turn."""
    if not text:
        raise Refused("an empty text is no turn")
    canonical, turn = read_prefix(board, text)
    return canonical, finish(turn)
