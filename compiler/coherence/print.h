/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * print.h: prints beliefs as an automaton, or a machine, in the filter language.
 *
 * Note [forms of a checker]. A batch can hold several messages of a line, and does not tell their
 * order. There are five forms.
 *
 *   any:  a transition is `Any` of its events. It is right if no batch has two messages of a line.
 *   only: a transition is `None` of all other messages, of every type. So it is taken only in a
 *         batch in which all messages of the line are of its events. In any other batch with events
 *         all that is known is lost, and the checker begins anew; its state `unknown` is always
 *         active. Events can share a transition from belief B to T only if T is still right after
 *         any of them came again: if each leads from T into a part of T, or is an error. A belief
 *         after which an event can come a second time, and tell more, is only entered in a batch
 *         with a single message: there is a transition for each slot that the message can have,
 *         which is `None` of all other messages and of all in other slots.
 *
 *
 *   orders: the form "only" for an engine that executes machines. It is a machine with `orders`
 *         (nfacc-filter(5), Machines): in each batch it takes the messages of a line in every
 *         order, and keeps all beliefs that one of them leads to. Only if none is left, it accepts.
 *
 *   states: as `orders`, but the machine's states are those of the system (states.h).
 *
 *   follow: see Note [following].
 *
 * So in all forms the checker is exact if no batch has two messages of a line. In all it begins
 * anew after an error (print.c, Note [after an error]).
 *
 * In all forms a belief is kept in a batch without any event of the checker.
 *
 * Note [following]. There can be more beliefs, and more moves without the silent ones, than can be
 * listed. Then the image keeps the states and moves of the system, and the engine finds the beliefs
 * that come up (runtime/rules/judge.h). The text is a machine that accepts every batch of a line,
 * and the engine accepts those of them that no run explains. It finds what `orders` finds, as long
 * as its store of beliefs suffices.
 */
#ifndef NFACC_COMPILER_PRINT_H
#define NFACC_COMPILER_PRINT_H

#include "compiler/coherence/beliefs.h"
#include "compiler/coherence/states.h"
#include "support/buf.h"

enum { CHECKER_ORDERS = 4 }; /* the most messages of a line that a machine takes in every order */

struct checker {
	const struct coh *coh;
	const struct coh_system *system;
	const struct beliefs *beliefs;
	const char *name; /* of the automaton, and the label of its errors */
	bool only;        /* the form "only" */
	bool small;       /* a small automaton is better than one with one active state */
	bool orders;      /* `only`, as a machine */
};

/* Appends the definitions of the predicates that transitions name for a set of events. */
void checker_print_lets(const struct coh *c, uint64_t events, struct buf *b);

/* Appends a name to b. If the protocol has the same name, `_` is added until it has not: the filter
 * language refuses to give a name twice. */
void checker_print_name(const struct nfart_proto *p, const char *name, struct buf *b);

/* Returns how the checker goes on after an error, as an image says it (KEPT_ in
 * contract/image/kept.h). */
uint32_t checker_how(const struct checker *c);

/* Returns in how many slots of the protocol messages of these events of the description can
 * come. */
uint32_t checker_slots(const struct coh *c, uint64_t events);

/* Appends the checker to b, without a `protocol` statement. A comment beside each state lists the
 * events that may come next, with the lines of their rules. */
void checker_print(const struct checker *c, struct buf *b);

/* Appends a checker that keeps sets of states, and sees these events, as a machine. It has no
 * beliefs; x->moves and x->begin are sorted by what they lead to afterwards. `anew`: after an
 * error it begins anew. */
void checker_print_states(const struct checker *c, struct coh_states *x, uint64_t seen, bool anew,
			  struct buf *b);

/* Appends a checker that an engine follows: Note [following]. */
void checker_print_follow(const struct checker *c, struct buf *b);

#endif
