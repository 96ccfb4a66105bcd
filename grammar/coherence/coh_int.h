/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * coh_int.h: what the files of the reader of coherence descriptions share. After an error the
 * functions do nothing until the end of the statement, as those of desc.h.
 */
#ifndef NFACC_GRAMMAR_COH_INT_H
#define NFACC_GRAMMAR_COH_INT_H

#include "grammar/coherence/coh.h"
#include "support/desc.h"

/* The longest name of something that equal nodes have. */
enum { COH_NAME = 64 };

/* An event of the protocol in a statement `ignore`. */
struct coh_ignored {
	uint32_t event;
	struct diag_range range;
};

struct coh_reader {
	struct desc c;
	struct coh *coh;
	const struct coh_options *options;
	/* Where these statements stood last; length 0: nowhere. */
	struct diag_range tap, start;
	VEC(struct coh_ignored) ignored;
	/* A node, a variable or what is legal had an error, so names can be missing. */
	bool undeclared;
	bool memory; /* memory ran out */
	/* Up to which byte lines are counted, and the line there; line 0: not yet. */
	struct {
		uint32_t byte, line;
	} counted;
	/* Equal nodes (coh_equal.c). */
	uint32_t count;  /* how many there are; 0: none are declared */
	uint32_t number; /* the number that `#` stands for */
	uint32_t item;   /* the number that `*` or `~` stands for */
	bool numbered;   /* the statement has a `#` or a `~` */
	bool each;       /* it has a `#` */
	struct diag_range others; /* its first `~`; length 0: there is none */
	bool in_item;    /* read_item() reads an item once for each number */
	char name[COH_NAME];
};

/* Note [equal nodes]. `node cpu[3]` declares the nodes cpu0, cpu1 and cpu2. In the statements after
 * it a word can end in a sign that stands for their numbers. `Read#` is Read0, Read1, Read2: the
 * statement is read once for each number. `Read*` is all of them, and `Read~` all but that of `#`:
 * the item that begins with the word is read once for each, as if it was written so often. Nothing
 * else of a description depends on the signs: which nodes can be renamed is found in the rules
 * (compiler/coherence/symmetry.h). */

/* Reads an item of a list once for each number that the word at the cursor stands for. A word
 * without `*` and `~` stands for itself. */
typedef void coh_item(struct coh_reader *r, void *ctx);
void read_item(struct coh_reader *r, coh_item *read, void *ctx);

/* Returns the name that the token at the cursor is, with a number in place of its sign, and sets
 * *n to its length. The name has no 0 at its end, and is there until the next call. */
const char *name_here(struct coh_reader *r, size_t *n);

/* Returns the number that the sign at the end of the token at the cursor stands for; COH_NONE: it
 * has none. */
uint32_t number_here(const struct coh_reader *r);

/* Reads a name, as desc_word() does, and returns its length. */
size_t read_name(struct coh_reader *r, const char **s, const char *what);

/* Reports that a name is not declared, as desc_error() does. Says nothing if a declaration had an
 * error: the name may have been in it. */
void name_error(struct coh_reader *r, struct diag_range at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Returns a copy of the n bytes at s that lives as long as the description. */
char *coh_text_copy(struct coh_reader *r, const char *s, size_t n);

/* Returns the line of a byte. Mostly it is behind the one that was asked for last. */
uint32_t line_of(struct coh_reader *r, uint32_t byte);

/* Sets the node that sends an event, which is named at `at`, by the group of its first part. An
 * error if several nodes are in that group. */
void find_sender(struct coh_reader *r, uint32_t event, struct diag_range at);

/* Reads the name of an event and returns its index in coh.events, to which it is added if it is
 * new. The answer has a meaning only if there is no error. */
uint32_t read_event(struct coh_reader *r);

/* Reads names of events, separated by commas, and returns their set. */
uint64_t read_events(struct coh_reader *r);

/* Reads the name of a node and returns its number. */
uint32_t read_node(struct coh_reader *r);

/* Reads the value of a variable, `what` in messages. Returns the length, and sets *s to its first
 * byte. */
size_t read_value(struct coh_reader *r, const char **s, const char *what);

/* Returns the number of the value of variable `var` that the token at the cursor names. COH_NONE:
 * it names none. */
uint32_t value_here(struct coh_reader *r, uint32_t var);

/* Records in *last that a setting stands at `at`. Warns if it stood somewhere before: then *last
 * has a length. `what` is the setting in messages. */
void note_setting(struct coh_reader *r, struct diag_range *last, struct diag_range at,
		  const char *what);

/* Reads a value of variable `var` and returns its number. */
uint32_t read_value_of(struct coh_reader *r, uint32_t var);

/* Adds a variable without values, whose name stands at the cursor. Returns it; NULL after an
 * error. */
struct coh_var *add_var(struct coh_reader *r, uint32_t node);

/* Adds the value at the cursor to a variable. */
void add_value(struct coh_reader *r, struct coh_var *v);

/* Read the rest of the statements `node`, `order`, `flight` and `tap`. */
void read_node_statement(struct coh_reader *r);
void read_order(struct coh_reader *r);
void read_flight(struct coh_reader *r, struct diag_range at);
void read_tap(struct coh_reader *r, struct diag_range at);

/* Read the rest of the statements `event` and `home`. */
void read_event_statement(struct coh_reader *r);
void read_home(struct coh_reader *r, struct diag_range at);

/* Is there room for another part beside n of them? If not, reports it at `at`. False also after an
 * error before. */
bool coh_has_room(struct coh_reader *r, size_t n, struct diag_range at);

/* Adds a part to the description. False: there are too many, which is reported, or there was an
 * error before. */
bool coh_add_part(struct coh_reader *r, struct coh_messages part);

/* Has an event, a group or a home this name, which is the n bytes at s? */
bool coh_is_named(const struct coh *c, const char *s, size_t n);

/* Warns of tests of events that no message passes together, and reports events that share messages.
 * Before messages are told apart by homes, which changes neither. */
void check_messages(struct coh_reader *r);

/* Tells the messages of events apart by homes: Note [homes] in coh_home.c. */
void tell_homes(struct coh_reader *r);

/* Read the statements `message …` of tables, and the rules of a node. */
void read_message(struct coh_reader *r, struct diag_range at);
void read_rule(struct coh_reader *r, struct diag_range at);

/* Checks what no statement can tell alone, and gives each event without a class one of its own.
 * `at` is the beginning of the text. After an error in a statement only what is named twice is
 * checked. */
void check_description(struct coh_reader *r, struct diag_range at);

#endif
