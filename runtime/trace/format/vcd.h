/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * vcd.h: the variables of a value change dump, and the head of one: the declarations and the first
 * values of all variables. write_vcd.c says what the variables mean, and writes their changes.
 *
 * Note [head of a dump]
 * The declarations come first in a dump, but only its end tells which slots have messages. So the
 * head is written with all slots. If the output is a regular file, the head is kept in memory, too.
 * At the end the head is written again in the same place, without the slots that have no messages,
 * and without the fields and the pairs that did not come: spaces take the room that is left. So a
 * dump that was broken off is a good one, too; it only declares too much. A pipe can't be written
 * twice, so there all slots are declared.
 */
#ifndef NFART_TRACE_FORMAT_VCD_H
#define NFART_TRACE_FORMAT_VCD_H

#include <sys/types.h>

#include "runtime/trace/writer.h"
#include "support/vec.h"

enum vcd_kind {
	PULSE,  /* a wire that is 1 for one cycle */
	VECTOR, /* a number */
	TYPE    /* a string: the value is the code of a message */
};

struct vcd_value {
	bool known;
	uint64_t number;
};

struct vcd_variable {
	enum vcd_kind kind;
	unsigned width; /* in bits, of a vector; 0: there is no such variable */
	bool changed;   /* it is in vcd.changed */
	bool used;      /* it had a value from the trace */
	struct vcd_value now, written;
};

/* The variables of the trace, of a label, of a slot and of a rule for pairs, in the order of the
 * dump. Those of fields follow in each slot. */
enum { TICK, THE_END, DAMAGED, LOSS, LOST, TRACE_VARIABLES };
enum { ACCEPTED, LINES, LINE };
enum { VALID, MESSAGE_TYPE, ADDRESS, HEADER, SLOT_VARIABLES };
enum { LATENCY, OPEN, PAIR_VARIABLES };

/* The bytes of the head that a dump has only if a variable is used. */
struct vcd_part {
	uint32_t variable;
	size_t begin, end; /* in vcd_head.text */
};

struct vcd_head {
	bool again;      /* the head will be written again */
	off_t at;        /* where it begins in the file */
	struct buf text; /* the head so far, if `again` is set */
	VEC(struct vcd_part) parts; /* in the order in which they stand in `text` */
};

struct vcd {
	uint64_t time;       /* the current cycle */
	uint64_t first;      /* the first cycle */
	bool begun;          /* the values of the first cycle are written */
	struct vcd_head head;
	struct nfart_pairs *open; /* NULL: the protocol has no rules for pairs */
	uint32_t per_label;  /* how many variables a label has */
	uint32_t slots;      /* the index of the first slot's first variable */
	uint32_t per_slot;   /* how many variables a slot has */
	uint32_t pairs;      /* the index of the first variable of pairs */
	uint32_t n, nchanged, nhigh;
	uint32_t *changed;   /* [n]: the first `nchanged` are the variables that were set */
	uint32_t *high;      /* [n]: the first `nhigh` are the wires that are 1 */
	struct vcd_variable variables[]; /* [n] */
};

/* Appends the value that variable i has now to w->out. A type that is not known has no value. */
void vcd_add_value(struct nfart_writer *w, uint32_t i);

/* Writes the declarations of all variables. False: see w->error. */
bool vcd_declare(struct nfart_writer *w);

/* Appends the first values of all variables to w->out, where the time of the first cycle stands. */
void vcd_add_first(struct nfart_writer *w);

/* Writes the head again, without what no variable uses, if the output allows it. False: see
 * w->error. */
bool vcd_head_again(struct nfart_writer *w);

/* Writes the save file, if the writer has one (writer_save()). w->out must be empty. */
void vcd_save(struct nfart_writer *w);

/* Computes the time of a cycle as the dump has it. False: it is too large; see w->error. */
bool vcd_time(struct nfart_writer *w, uint64_t cycle, uint64_t *t);

/* Appends a name. What no name in a dump may have becomes `_`. */
void vcd_add_name(struct buf *b, const char *name);

/* Appends the name of a variable: `of`_`name` or, if `of` is NULL, `name`. */
void vcd_add_full_name(struct buf *b, const char *of, const char *name);

/* The names of the trace's variables. */
extern const char *const vcd_trace_names[TRACE_VARIABLES];

/* Writes the name that a field's variables have after that of the slot: a field that is called as
 * another variable of the slot is told from it. */
enum { VCD_FIELD_NAME = 512 };
void vcd_field_name(const struct nfart_proto *p, uint32_t field, char name[static VCD_FIELD_NAME]);

/* Returns the index of a slot's first variable. */
static inline uint32_t vcd_slot(const struct vcd *v, uint32_t slot)
{
	return v->slots + slot * v->per_slot;
}

#endif
