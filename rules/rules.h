/*
 * The referee: one interface for every game. Pure C11: no allocation, no I/O, no clock, no random
 * numbers, no English. RULES.md of the project's founders is the source of every rule.
 *
 * Words used everywhere: a turn is one or more steps; a square is named file then rank ("c2");
 * seat 1 moves first. All texts given to the referee are ASCII already normalised by the caller
 * (dashes to '-', case folded); the referee never guesses.
 */
#ifndef RULES_H
#define RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	RULES_SQUARES_MAX = 128, /* files <= 16, ranks <= 16, files * ranks <= 128 */
	RULES_BOARD_MAX = 320,   /* bytes of a board string, final NUL included */
	RULES_TURN_MAX = 96,     /* bytes of a canonical turn, final NUL included */
	RULES_OPTIONS_MAX = 64,  /* bytes of an option text such as "7x12:3" */
	RULES_SEEN_MAX = 3,      /* outcome() never asks for more repetitions than this */
	RULES_FACTS_MAX = 12,    /* facts of one turn, see TurnFact */
	RULES_LAYOUT_MAX = 144,  /* bytes of a canonical layout, final NUL included */
	RULES_FAULTS_MAX = 64,   /* faults of one layout, see LayoutFault */
	RULES_NEAREST_MAX = 8,
};

/* A seat is 1 or 2; 0 means "nobody" or, for a viewer, "a stranger". */
typedef int Seat;
/* The viewer who keeps the game: what is sealed from a seat is open to it. Only for storing. */
#define VIEWER_REFEREE 3
/* A set of seats: bit 0 = seat 1, bit 1 = seat 2. */
typedef unsigned Seats;
#define SEATS_NONE 0u
#define SEATS_OF(seat) (1u << ((seat)-1))

/* A position with everything its future depends on but repetition. Copied with "=". The words
 * belong to the game that made it; nobody else looks inside. */
typedef struct Position {
	uint64_t word[32];
} Position;

/* Square number = rank * 16 + file, both from 0, so that "c2" is 1 * 16 + 2. */
typedef uint8_t Square;
#define SQUARE_NONE 0xffu
#define SQUARE_OF(file, rank) ((Square)((rank)*16 + (file)))

/* Reasons of results: the same words everywhere (text by rules_reason_name). The referee's own
 * stand first, the service's after RULES_REASON_SERVICE. */
#define RULES_REASONS(X)                        \
	X(NONE, "")                             \
	X(GOAL, "goal")                         \
	X(ANNIHILATED, "annihilated")           \
	X(CANNOT_RECONNECT, "cannot-reconnect") \
	X(NO_LEGAL_TURN, "no-legal-turn")       \
	X(REPETITION, "repetition")             \
	X(DEAD_POSITION, "dead-position")       \
	X(NO_DEATH, "no-death")                 \
	X(PASSES, "passes")                     \
	X(RESIGN, "resign")                     \
	X(AGREEMENT, "agreement")               \
	X(TIME, "time")                         \
	X(ABORT, "abort")                       \
	X(FORFEIT, "forfeit")                   \
	X(ADJUDICATED, "adjudicated")           \
	X(VOID, "void")
typedef enum {
#define X(code, text) REASON_##code,
	RULES_REASONS(X)
#undef X
} Reason;

typedef struct {
	bool over;
	Seat winner; /* 0 = draw, meaningful only when over */
	Reason reason;
} Outcome;

/* Why a text was refused: a code the service translates, with the squares it speaks of. The
 * names double as the machine-readable "rule" of a refused turn (rules_refusal_name). */
#define RULES_REFUSALS(X)                                      \
	X(NONE, "")                                            \
	/* not a turn at all (REST: turn-unreadable) */        \
	X(UNREADABLE, "unreadable")                            \
	X(TOO_LONG, "too-long")                                \
	X(OFF_BOARD, "off-board")                              \
	X(DESTINATION_MISSING, "destination-missing")          \
	/* a turn, but not a legal one (REST: turn-illegal) */ \
	X(GAME_OVER, "game-over")                              \
	X(EMPTY_SQUARE, "empty-square")                        \
	X(NOT_YOUR_STONE, "not-your-stone")                    \
	X(NO_MOVEMENT, "no-movement")                          \
	X(BAD_DIRECTION, "bad-direction")                      \
	X(BACKWARD, "backward")                                \
	X(BLOCKED, "blocked")                                  \
	X(OWN_STONE_THERE, "own-stone-there")                  \
	X(NOTHING_TO_CAPTURE, "nothing-to-capture")            \
	X(ORDO_NOT_A_LINE, "ordo-not-a-line")                  \
	X(ORDO_BROKEN, "ordo-broken")                          \
	X(ORDO_ALONG_LINE, "ordo-along-line")                  \
	X(ORDO_DIAGONAL, "ordo-diagonal")                      \
	X(ORDO_OFF_BOARD, "ordo-off-board")                    \
	X(ORDO_CAPTURES, "ordo-captures")                      \
	X(SPLITS_GROUP, "splits-group")                        \
	X(MUST_RECONNECT, "must-reconnect")                    \
	X(HALF_TURN_MISSING, "half-turn-missing")              \
	X(NO_SECOND_HALF, "no-second-half")                    \
	X(TURN_ALREADY_ENDED, "turn-already-ended")            \
	X(SECOND_HALF_SIDEWAYS, "second-half-sideways")        \
	X(GROUP_CHOICE_MISSING, "group-choice-missing")        \
	X(GROUP_CHOICE_WRONG, "group-choice-wrong")            \
	X(GROUP_CHOICE_NEEDLESS, "group-choice-needless")      \
	X(AMBIGUOUS, "ambiguous")                              \
	/* a turn of pieces that rotate (XO) */                \
	X(OFF_AXIS, "off-axis")                                \
	X(ASIDE_TOO_FAR, "aside-too-far")                      \
	X(ASIDE_ATTACKS, "aside-attacks")                      \
	X(HOVE_CHIEF_DEAD, "hove-chief-dead")                  \
	X(DIAGO_CHIEF_DEAD, "diago-chief-dead")                \
	X(GIRO_CHIEF_DEAD, "giro-chief-dead")                  \
	X(GIRO_HAS_NO_AXIS, "giro-has-no-axis")                \
	X(ALREADY_ROTATED, "already-rotated")                  \
	X(JUST_ROTATED, "just-rotated")                        \
	X(ROTATION_AFTER_MOVE, "rotation-after-move")          \
	X(SURVIVOR_MAY_NOT_MOVE, "survivor-may-not-move")      \
	X(SURVIVOR_TOO_LATE, "survivor-too-late")              \
	X(BONUS_MAY_NOT_ATTACK, "bonus-may-not-attack")        \
	X(ATTACK_WITHOUT_SIGN, "attack-without-sign")          \
	X(KILL_NOT_CONFRONTATION, "kill-not-confrontation")    \
	X(CONFRONTATION_ENDS_TURN, "confrontation-ends-turn")  \
	X(ATTACK_ENDED_GAME, "attack-ended-game")              \
	X(PASS_NOT_ALONE, "pass-not-alone")                    \
	/* set-up */                                           \
	X(SETUP_NOT_OVER, "setup-not-over")                    \
	X(SETUP_OVER, "setup-over")                            \
	X(SETUP_NOT_YOUR_TURN, "setup-not-your-turn")          \
	X(SETUP_OTHER_ROUND, "setup-other-round")              \
	X(SETUP_NOTHING_TO_ACCEPT, "setup-nothing-to-accept")  \
	X(SETUP_NO_CHANGES_LEFT, "setup-no-changes-left")      \
	X(LAYOUT_FAULTY, "layout-faulty")                      \
	/* a board string that is none */                      \
	X(BAD_BOARD, "bad-board")                              \
	X(BAD_OPTIONS, "bad-options")
typedef enum {
#define X(code, text) REFUSAL_##code,
	RULES_REFUSALS(X)
#undef X
} RefusalCode;

typedef struct {
	RefusalCode code;
	int step;         /* 0-based step of the turn at fault */
	int square_count; /* squares the refusal speaks of: where blocked, stones cut off, choices
			   */
	Square squares[RULES_SQUARES_MAX];
	/* AMBIGUOUS: the two legal turns it could be; else the one legal text, if only the way of
	 * writing is wrong, or "" */
	char reading[2][RULES_TURN_MAX];
} Refusal;

/* What stands on a square. Pieces that lie on an axis are one kind for each. */
#define RULES_PIECES(X)                       \
	X(NONE, "")                           \
	X(STONE, "stone")                     \
	X(HOVE_UPRIGHT, "hove")               \
	X(HOVE_LYING, "hove")                 \
	X(DIAGO_RISING, "diago")              \
	X(DIAGO_FALLING, "diago")             \
	X(HOVE_CHIEF_UPRIGHT, "hove-chief")   \
	X(HOVE_CHIEF_LYING, "hove-chief")     \
	X(DIAGO_CHIEF_RISING, "diago-chief")  \
	X(DIAGO_CHIEF_FALLING, "diago-chief") \
	X(GIRO_CHIEF, "giro-chief")
typedef enum {
#define X(code, name) PIECE_##code,
	RULES_PIECES(X)
#undef X
		PIECE_KINDS
} PieceKind;

/* One thing that happened in a turn, for telling it in words. */
typedef enum {
	FACT_MOVE,     /* from -> to */
	FACT_CAPTURE,  /* from takes to */
	FACT_ORDO,     /* the line from..from2 moved so that from stands on to (and from2 on to2) */
	FACT_REMOVED,  /* count stones outside the surviving group went; to = the group's lowest
			  square */
	FACT_ROTATION, /* piece on to has rotated; it is as it lies now */
	FACT_CONFRONTATION, /* from and to removed each other */
	FACT_PASS,
} FactKind;
typedef enum { PART_MAIN, PART_SURVIVOR, PART_BONUS } TurnPart;
typedef struct {
	FactKind kind;
	Square from, from2, to, to2; /* SQUARE_NONE where it has none */
	int count;
	PieceKind piece, taken; /* PIECE_NONE in games with one kind of piece */
	TurnPart part;          /* PART_MAIN in games without bonus turns */
} TurnFact;

/* Squares and signs for drawing; no colours, no pixels. */
typedef struct {
	uint8_t seat;      /* 0 = empty */
	uint8_t kind;      /* PieceKind */
	uint8_t territory; /* the seat whose marked square it is, or 0 */
	bool goal[2];      /* this square belongs to the goal rank of seat 1, seat 2 */
	bool moved_from;   /* left in the last turn */
	bool moved_to;     /* reached in the last turn */
	bool rotated;      /* what stands here has rotated in the last turn */
	bool captured;     /* something was removed here in the last turn */
} PictureSquare;
typedef struct {
	int files, ranks;
	PictureSquare square[256]; /* by Square number */
} Picture;

/* Called for each legal continuation of a partial turn: the whole text of the step as it must be
 * appended (without the separating comma), and whether the turn may end after it. Return false
 * to stop. */
typedef bool StepFn(const char *step, bool may_end, void *user_data);
/* Called for each canonical whole turn. Return false to stop. */
typedef bool TurnFn(const char *turn, void *user_data);

/* One thing that is wrong with a layout, with what it speaks of. */
#define RULES_FAULTS(X)                                                                         \
	X(TOO_FEW_LINES, "too-few-lines")   /* count lines, wanted */                           \
	X(TOO_MANY_LINES, "too-many-lines") /* count lines, wanted */                           \
	X(LINE_TOO_SHORT, "line-too-short") /* line, count squares, wanted */                   \
	X(LINE_TOO_LONG, "line-too-long")   /* line, count squares, wanted */                   \
	X(UNKNOWN_SIGN, "unknown-sign")     /* line, text: the signs */                         \
	X(OUTSIDE, "outside")               /* line, text: the squares outside the territory */ \
	X(MISSING, "missing")               /* count pieces of the kind piece, whatever axis */ \
	X(SURPLUS, "surplus")               /* likewise */
typedef enum {
#define X(code, name) FAULT_##code,
	RULES_FAULTS(X)
#undef X
} FaultCode;
typedef struct {
	FaultCode code;
	int line; /* from 1, as written; 0 = no line */
	int count, wanted;
	PieceKind piece;
	char text[80]; /* parted by ", "; what does not fit is left out */
} LayoutFault;

/* A layout as it was understood. */
typedef struct {
	Position seen;           /* the board with this seat's pieces alone, for drawing */
	int beyond[PIECE_KINDS]; /* pieces written where there is no square */
	int fault_count;
	LayoutFault fault[RULES_FAULTS_MAX];
	char text[RULES_LAYOUT_MAX]; /* canonical, as it stands in the board string; only after
				      * setup_check without a fault */
} Layout;

/* What the signs of one line can be in a layout of the game, whatever the position. */
typedef struct {
	int pieces;  /* that they name */
	int empties; /* digits, which are empty squares */
	int unknown; /* that mean nothing there; blanks count nowhere */
} LayoutSigns;

/* Where the set-up stands. */
typedef struct {
	int round;           /* number of the pair of layouts, from 1 */
	bool sealed;         /* the first layouts are not both in: each is hidden from the other */
	Seats given;         /* who has sent a layout */
	Seats accepted;      /* who has accepted this pair */
	int changes_left[2]; /* layouts that seat 1, seat 2 may still send after the sealed one */
} SetupState;

/* Called for a random number from 0 to below - 1. */
typedef uint32_t RandomFn(uint32_t below, void *user_data);

/* What a game has that begins by each player laying out the own pieces: the first layouts are
 * sealed until both are in (both seats are awaited at once); then the players speak in turn, seat 1
 * first: they accept the pair or send another layout, which is its sender's acceptance of the new
 * pair. Play begins when both have accepted the same pair. */
typedef struct GameSetup {
	/* Nothing laid out yet; both seats awaited. False with BAD_OPTIONS. */
	bool (*start)(const char *options, Position *position_r, Refusal *refusal_r);

	/* Reads a seat's layout, in lines or with "/" between the ranks, as far as it can be
	 * understood; what cannot is noted among the faults of layout_r. */
	void (*parse)(const Position *position, Seat seat, const char *text, Layout *layout_r);
	/* Counts what a line is made of, read as one of several lines. */
	void (*signs)(const char *line, LayoutSigns *signs_r);
	/* Adds what is wrong with the pieces to what parse found. True if the layout has no fault:
	 * then its canonical text is written. */
	bool (*check)(const Position *position, Seat seat, Layout *layout);

	/* A seat sends a layout, or accepts (layout = NULL). round = the pair it speaks of. False
	 * with one of the refusals of set-up, or LAYOUT_FAULTY. */
	bool (*apply)(const Position *position, Seat seat, int round, const char *layout,
		      Position *next_r, Refusal *refusal_r);

	/* False if the set-up of this position is over. */
	bool (*state)(const Position *position, SetupState *state_r);

	/* The canonical layout of a seat as it stands; RULES_LAYOUT_MAX bytes; of its whole army
	 * only: false else. */
	bool (*layout)(const Position *position, Seat seat, char *text_r);
	/* The same pieces for the other seat: the half turn, each keeping its axis. layout must be
	 * canonical for this position's board. */
	void (*copy)(const Position *position, const char *layout, char *copy_r);
	/* A random layout, every one as likely as any other. */
	void (*shuffle)(const Position *position, Seat seat, RandomFn *draw, void *user_data,
			char *text_r);
} GameSetup;

/* What players may choose before their game begins. An option text is the values in the order of
 * the table, joined by ":"; those left out at its end are the usual ones. */
typedef struct GameOption {
	const char *name;  /* "board" */
	const char *usual; /* "7x12" */
	bool number;       /* its values are whole numbers */
} GameOption;

typedef struct GameRules {
	const char *key;           /* "ordo" */
	const char *name;          /* "Ordo" */
	const char *seat_names[2]; /* message keys of the two sides: "white", "black" */
	bool turn_has_steps;       /* a turn may have several steps (Ordo X, XO) */
	bool whole_turn_goes_on;   /* a whole turn may be the beginning of a longer one */

	const GameSetup *setup; /* NULL if the pieces stand where they stand */

	/* Up to one without a name; NULL if there is nothing to choose. */
	const GameOption *options;

	/* The position after set-up for an option text ("" = the game's usual board); of a game
	 * with a set-up, one as good as any, for showing and trying out. False with BAD_OPTIONS. */
	bool (*start)(const char *options, Position *position_r, Refusal *refusal_r);

	/* Board string to position and back (RULES.md section 4). parse: false with BAD_BOARD.
	 * format writes at most RULES_BOARD_MAX bytes as the viewer may see it. */
	bool (*parse)(const char *board, Position *position_r, Refusal *refusal_r);
	void (*format)(const Position *position, Seat viewer, char *board_r);
	/* What must be equal for a position to have repeated: the beginning of the board string,
	 * without counters. Likewise RULES_BOARD_MAX bytes. */
	void (*format_bare)(const Position *position, char *board_r);

	/* Who must act now; SEATS_NONE when the game is over. */
	Seats (*to_move)(const Position *position);

	/* Is the game over? seen = how often this board with this side to move has stood among the
	 * live turns, this time included (1..RULES_SEEN_MAX). */
	Outcome (*outcome)(const Position *position, int seen);

	/* Plays one whole turn text of the seat to move. On success next_r is the new position and
	 * canonical_r (RULES_TURN_MAX bytes) the canonical text. On refusal nothing is written but
	 * refusal_r. */
	bool (*play)(const Position *position, const char *turn, Position *next_r,
		     char *canonical_r, Refusal *refusal_r);

	/* What a text says by its notation alone, whatever the position: written_r
	 * (RULES_TURN_MAX bytes) is canonical as far as that can be told without a board. A refusal
	 * that is not rules_refusal_unreadable() is about a text that does speak of turns, but not
	 * of exactly one of this game. */
	bool (*read)(const char *turn, char *written_r, Refusal *refusal_r);

	/* Legal continuations of a partial turn ("" = from its beginning). False with a refusal
	 * when the prefix is not the beginning of a legal turn; *may_end_r says whether the prefix
	 * itself is already a whole turn. */
	bool (*steps)(const Position *position, const char *prefix, bool *may_end_r, StepFn *each,
		      void *user_data, Refusal *refusal_r);

	/* Number of sequences of depth whole turns, by the same generator that validates turns. */
	uint64_t (*perft)(const Position *position, int depth);

	/* What a legal turn, or the beginning of one, did, in order; returns the number of facts
	 * written to facts_r (RULES_FACTS_MAX at most). before and turn must fit (they are
	 * programmer's errors else). */
	int (*explain)(const Position *before, const char *turn, TurnFact *facts_r);

	/* Draws position as the viewer may see it. before and turn, if not NULL, are the position
	 * before the last turn and that turn: its squares are marked. */
	void (*picture)(const Position *position, Seat viewer, const Position *before,
			const char *turn, Picture *picture_r);
} GameRules;

/* The games, in the order of the table in games.c; NULL after the last. */
const GameRules *rules_at(size_t index);
/* The game with this key, or NULL. */
const GameRules *rules_find(const char *key);

/* Every canonical whole turn, each once, in the order of the generator. */
void rules_turns(const GameRules *rules, const Position *position, TurnFn *each, void *user_data);

/* The number of ways to play the first depth steps of one turn. */
uint64_t rules_steps_count(const GameRules *rules, const Position *position, int depth);

/* A 64-bit hash (FNV-1a) of what GameRules.format_bare writes, that repetition is counted by. */
uint64_t rules_board_key(const char *bare_board);

/* "c2" into name_r (4 bytes), and back; SQUARE_NONE if it is no square name. */
void rules_square_name(Square square, char *name_r);
Square rules_square_parse(const char *name, size_t length);

const char *rules_reason_name(Reason reason);
bool rules_reason_parse(const char *name, Reason *reason_r);
const char *rules_refusal_name(RefusalCode code);
/* "hove-chief", whatever its axis. */
const char *rules_piece_name(PieceKind piece);
const char *rules_fault_name(FaultCode code);
/* True for refusals of texts that are no turn at all (UNREADABLE, TOO_LONG, OFF_BOARD,
 * DESTINATION_MISSING). */
bool rules_refusal_unreadable(RefusalCode code);

#endif
