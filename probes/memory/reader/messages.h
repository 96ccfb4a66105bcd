/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * messages.h: turns what a program does with its memory into messages of protocol mem or mem-word.
 * Note [memory headers] in protocols/mem.proto and protocols/mem-word.proto say what is in their
 * headers. Each message is a batch of its own. Its time is its number, from 1 on. Messages that
 * nobody needs are not made, and have no number (Note [messages left out]).
 *
 * Messages are collected. They are passed on when many are there, and after each reading of the
 * channel.
 *
 * Note [messages left out]
 * If all that take messages of protocol mem are filters, most accesses change nothing in them: of
 * use-after-free.re all but those to freed blocks. So before a message of an access is made, each
 * filter is asked whether it is quiet (nfart_filter_quiet()). Then there is no such message, and it
 * has no number. place.quiet remembers the answer, and if a struct messages is the only output,
 * memory.c looks there before it passes an access on. The answer no longer holds once another
 * message of the block is made, or one of no block, which is for all of them. While messages of a
 * block are collected, the filter knows too little to be asked about it. For protocol mem-word
 * nobody is asked: to ask about each word takes longer than to make its message.
 */
#ifndef NFACC_PROBES_MEMORY_READER_MESSAGES_H
#define NFACC_PROBES_MEMORY_READER_MESSAGES_H

#include "include/nfart.h"
#include "probes/memory/reader/memory.h"

/* What a message is about, for printing. */
struct message {
	uint64_t address, bytes, pc;
	const struct place *place; /* NULL: the message is not about a block */
	uint32_t thread;
	uint32_t stack;            /* of the access or call, in memory.stacks; 0: not known */
	uint8_t kind;              /* opcode: enum mem_kind, or enum mem_event from MEM_COPY on */
	bool gone;                 /* the block was freed before */
	bool atomic;               /* an access by an atomic instruction */
	uint8_t freed;             /* of a free: enum mem_freed */
};

/* Messages in the form that nfart_filter_messages() takes. */
struct message_block {
	const uint64_t *header;        /* [n] */
	const uint8_t *slot;           /* [n] */
	const struct message *message; /* [n]: what each message is about */
	size_t n;
	uint64_t first; /* the time of the first message; each further one adds 1 */
};

/* A function that takes messages. On failure returns false and sets *e. */
typedef bool messages_take(void *ctx, const struct message_block *b, struct nfart_error *e);

/* Says which messages change nothing, as nfart_filter_quiet() does. */
typedef uint64_t messages_quiet(void *ctx, uint32_t slot, uint64_t header, uint64_t varies);

enum { MESSAGES_TAKERS = 8 };

struct messages;

/*
 * Makes an output for `p`, the protocol mem or mem-word of an image or a description. If there is
 * no memory, or if it is another protocol, returns NULL and sets *e. Free it with messages_free().
 */
struct messages *messages_new(struct memory *m, const struct nfart_proto *p, struct nfart_error *e);
void messages_free(struct messages *x);

/*
 * Adds a function that takes the messages. There may be MESSAGES_TAKERS of them. It may do without
 * messages of accesses of which `quiet` says that they change nothing; NULL: it needs all messages.
 */
void messages_add(struct messages *x, messages_take *take, messages_quiet *quiet, void *ctx);

/*
 * From now on the messages are those of a child process that `thread` forked. The first thread of
 * the child has the number 0. It holds the locks that the forking thread held.
 */
void messages_inherit(struct messages *x, uint32_t thread);

struct memory_output messages_output(struct messages *x);

#endif
