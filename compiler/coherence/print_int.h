/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * print_int.h: what print.c and print_only.c share. No other file includes it.
 */
#ifndef NFACC_COMPILER_PRINT_INT_H
#define NFACC_COMPILER_PRINT_INT_H

#include "compiler/coherence/print.h"

/* A predicate "all messages are of these events", and its name. If it is that of one slot, it means
 * "the batch has one message, in this slot, and of these events". */
struct let {
	uint64_t events;
	uint32_t slot;
	char *name;
};

/* The predicates of a checker, each once. */
struct lets {
	struct buf *definitions; /* borrowed */
	VEC(struct let) list;
};

/* Is a belief active in any state of the checker (print.c, Note [after an error])? */
bool checker_is_always_active(const struct checker *c, uint32_t belief);

/* Returns the events that lead from one belief to another, or to COH_NONE. */
uint64_t checker_between(const struct checker *c, uint32_t from, uint32_t to);

/* Stores where the events of a belief lead, each belief once and in order; COH_NONE is the last.
 * Returns how many they are. */
uint32_t checker_targets(const struct checker *c, uint32_t from, uint32_t to[static COH_EVENTS]);

/* Appends the names of a set of events, separated by `between`. */
void checker_print_events(const struct checker *c, uint64_t events, const char *between,
			  struct buf *b);

/* Appends `FROM -> TO : `. */
void checker_print_edge(const struct checker *c, uint32_t from, uint32_t to, struct buf *b);

/* Appends the transitions of a belief in the form "only". Predicates that are new get their
 * definitions appended to lets->definitions. */
void checker_print_only(const struct checker *c, uint32_t from, struct lets *lets, struct buf *b);
void checker_free_lets(struct lets *lets);

#endif
