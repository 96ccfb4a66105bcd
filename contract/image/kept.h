/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * kept.h: the rules of coherence that an image keeps, in its section `rules`, beside the checkers
 * that were derived from them (nfacc-coherence(5)). Loading checks them: they have at most as many
 * checkers as the image has labels, each once, and one of them has KEPT_FOLLOWED if and only if the
 * image has the section `follow`. Without it an engine skips them. nfarun explains errors with
 * them, and counts which rules a capture exercised.
 *
 * The section has one part for each description. All its numbers are written in groups of seven
 * bits, the lowest first; all but the last have bit 7 set (LEB128). A text ends with a zero byte.
 */
#ifndef NFACC_CONTRACT_KEPT_H
#define NFACC_CONTRACT_KEPT_H

#include "contract/image/image.h"
#include "support/buf.h"

#define KEPT_NONE UINT32_MAX

enum {
	KEPT_NODES = 32, KEPT_EVENTS = 64, KEPT_VALUES = 32,
	/* A larger system is not kept: its description has no part in the section. If an engine
	 * follows a checker (KEPT_FOLLOWED), it can have KEPT_MOST_FOLLOWED moves. */
	KEPT_MOST_MOVES = 1 << 18, KEPT_MOST_FOLLOWED = 1 << 23,
	/* The most checkers of a description times states of its system. */
	KEPT_MOST_STATES = 1 << 26,
	/* Of a composed system. */
	KEPT_PARTS = 1024, KEPT_MOST_STEPS = 1 << 20, KEPT_MOST_NODES = 1 << 20,
	KEPT_TESTS = 1024, /* of a rule */
	KEPT_GUARDS = 1 << 20, KEPT_MESSAGES = 1 << 20,
	KEPT_CASES = 1 << 14, /* the most of a search for a header */
	/* So many states it counts for in KEPT_MOST_STATES, by the room that a checker takes. */
	KEPT_COMPOSED_STATES = 1 << 22
};

/* A variable, and its values in rising order. */
struct kept_var {
	const char *name;
	uint32_t node;
	uint32_t nvalues;
	const char **values;
};

enum kept_compare { KEPT_EQUAL, KEPT_UNEQUAL, KEPT_LESS, KEPT_LEAST, KEPT_MORE, KEPT_MOST };

/* A test that must hold before a rule moves: the variable has one of the values in a bit set, or
 * compares with the variable `other`, unless that is KEPT_NONE. */
struct kept_test {
	uint32_t var, values, other;
	enum kept_compare compare;
};

enum kept_kind { KEPT_STEP, KEPT_SEND, KEPT_RECEIVE, KEPT_MESSAGE /* of tables */ };

struct kept_rule {
	enum kept_kind kind;
	uint32_t node;       /* the node that moves; of tables the one that sends */
	uint32_t event;      /* KEPT_NONE in a KEPT_STEP */
	uint32_t line;       /* in the file, from 1 */
	uint32_t first, n;   /* its tests */
	const char *text;    /* the rule as it is written, in one line */
};

/* A home. Messages of the event are for it, but it has not their lines. */
struct kept_home {
	uint32_t event;
	uint32_t line;       /* in the file, from 1 */
	const char *text;    /* the statement in one line */
};

/* A test of a header: `bits` bits of it from `lsb` on have, under the mask, a value from `first` to
 * `last`; or, if `other` is set, none of them. */
struct kept_guard {
	uint32_t lsb, bits;
	uint64_t mask, first, last;
	bool other;
};

/* Messages with a code that pass tests: `n` of kept.guards, from `first` on. Those of all events
 * follow one another, so to test a header takes no longer than the section is. */
struct kept_messages {
	uint32_t code, first, n;
};

struct kept_event {
	const char *name;
	uint32_t from;       /* the node that sends it */
	uint32_t to;         /* bit set over nodes */
	struct {
		uint32_t n;
		struct kept_messages *at;
	} messages;          /* those that are of the event */
};

/* A move of the system. `event` is what the tap sees, or KEPT_NONE; `rule` is KEPT_NONE if a
 * message passes the tap. */
struct kept_move {
	uint32_t to, event, rule;
};

/* How a checker goes on after an error, as a sum. */
enum {
	KEPT_ANEW = 1,       /* it begins anew */
	KEPT_ALWAYS = 2,     /* it also knows all that it would know if it had begun later */
	KEPT_KNOWN = 4,      /* at first the system is in state 0, not in any state */
	KEPT_ONLY = 8,       /* the form "only" */
	/* The form "follow": the machine with this label accepts every batch of a line, and the
	 * engine follows the rules, which decide. */
	KEPT_FOLLOWED = 16
};

struct kept_checker {
	const char *label;
	uint64_t seen;       /* bit set: the events that it sees */
	uint32_t how;
};

/* The states of the system, and its moves by the state that they leave. */
struct kept_system {
	uint32_t nstates, nmoves;
	uint8_t *values;     /* [nstates][variables] */
	uint32_t *first;     /* [nstates + 1]: the first move that leaves a state */
	struct kept_move *moves;
};

#define KEPT_LIST(T)                                                                               \
	struct {                                                                                   \
		uint32_t n;                                                                        \
		T *at;                                                                             \
	}

/*
 * Note [composed systems]. A system with too many states is kept as its parts. A state is a number
 * for each part: the value of a variable; the messages of a queue; or how many messages a node has
 * under way. A queue of messages e, f, g, of which e leaves first, is the number (e + 1) + base *
 * ((f + 1) + base * (g + 1)). At the start all are 0. A move makes at most one step on each part,
 * and is possible if each of its steps is.
 */
struct kept_part {
	uint32_t var;        /* the variable; KEPT_NONE: messages */
	uint32_t base;       /* one more than the greatest digit */
	uint32_t most;       /* digits; base to this power is at most KEPT_MOST_NUMBER */
};

#define KEPT_MOST_NUMBER (UINT64_C(1) << 62)

enum kept_op {
	KEPT_TEST,           /* the value is in the bit set `a`, and becomes `set`, if it is one */
	KEPT_PUT, KEPT_TAKE, /* message `a` of the queue comes last; leaves as the first */
	KEPT_ADD, KEPT_SUBTRACT /* `a` more, or fewer */
};

struct kept_step {
	uint32_t part;
	enum kept_op op;
	uint32_t a;
	uint32_t set;        /* of a KEPT_TEST: a value, or KEPT_NONE */
};

/* Moves: `event` and `rule` as in struct kept_move. */
struct kept_moves {
	uint32_t event, rule;
	uint32_t first, n;   /* its steps, by rising part */
};

/* A set of states, as ksets.h says: number i of the list is node i + KEPT_ZERO + 1, and the last
 * one is the set. An edge leads to a node before its own and of a later part, or to KEPT_ZERO. */
struct kept_node {
	uint32_t part, first, n; /* edges [first, first + n), by rising value; one at least */
};

struct kept_edge {
	uint64_t value;
	uint32_t to;
};

enum { KEPT_ZERO = 1 /* the state in which all parts are 0 */ };

struct kept_composed {
	KEPT_LIST(struct kept_part) parts; /* empty if states are listed */
	KEPT_LIST(struct kept_step) steps;
	KEPT_LIST(struct kept_moves) moves;
	/* All states that can be reached. Without nodes it is KEPT_ZERO. */
	KEPT_LIST(struct kept_node) nodes;
	KEPT_LIST(struct kept_edge) edges;
};

struct kept {
	const char *file;    /* the description's name, without folders */
	/* The node at which the tap is; KEPT_NONE: between the nodes, or there are no rules of
	 * nodes. */
	uint32_t tap;
	KEPT_LIST(const char *) nodes;
	KEPT_LIST(struct kept_var) vars;
	KEPT_LIST(struct kept_test) tests;
	KEPT_LIST(struct kept_rule) rules;
	KEPT_LIST(struct kept_guard) guards; /* of all events */
	KEPT_LIST(struct kept_home) homes;
	KEPT_LIST(struct kept_event) events;
	struct kept_system system; /* without states: Note [composed systems] */
	struct kept_composed composed;
	KEPT_LIST(struct kept_checker) checkers;
};

/* Appends a description to a section. */
void kept_write(const struct kept *k, struct buf *b);

/* Reads the n bytes of a section, which are hostile, for a protocol of `ncodes` codes. *out becomes
 * an array of *count descriptions in the arena. Returns NFART_OK, NFART_INPUT if the bytes are
 * malformed, or NFART_SYSTEM. Linear in n. */
enum nfart_status kept_read(const unsigned char *at, size_t n, uint32_t ncodes,
			    struct arena *arena, struct kept **out, uint32_t *count);

/* Does a header, which has the code of the messages, pass their tests? */
bool kept_passes(const struct kept *k, const struct kept_messages *m, uint64_t header);

/* Changes *header, which has the code of the messages, so that it passes their tests. The bits
 * `fixed` stay, and so do bits of no test; the others become those of `like` where the tests allow
 * it. False: no header passes, or KEPT_CASES cases found none. The cost of a case is about the
 * tests times the square of their bits. */
bool kept_header(const struct kept *k, const struct kept_messages *m, uint64_t fixed, uint64_t like,
		 uint64_t *header);

/* Does value x compare with value y? */
bool kept_compares(enum kept_compare compare, uint32_t x, uint32_t y);

/* Does a test hold for the values of a state? */
bool kept_holds(const struct kept_test *t, const uint8_t *values);

static inline const uint8_t *kept_values(const struct kept *k, uint32_t state)
{
	return k->system.values + (size_t)state * k->vars.n;
}

#endif
