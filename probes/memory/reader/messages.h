/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * messages.h: what a program does with its memory as messages of protocol mem or mem-word. Their
 * headers are those of Note [memory headers] in protocols/mem.proto, and of
 * protocols/mem-word.proto. Each message is a batch whose time is its number, from 1.
 *
 * Messages are collected, and passed on when there are many, and after each reading of the channel.
 */
#ifndef NFACC_PROBES_MEMORY_READER_MESSAGES_H
#define NFACC_PROBES_MEMORY_READER_MESSAGES_H

#include "include/nfart.h"
#include "probes/memory/reader/memory.h"

/* What a message is about, for those who explain it. */
struct message {
	uint64_t address, bytes, pc;
	const struct place *place; /* NULL: it is about no block */
	uint32_t thread;
	uint8_t kind;              /* the opcode: enum mem_kind, or enum mem_event from MEM_COPY on */
	bool gone;                 /* the block was freed before */
	bool atomic;               /* an access by an atomic instruction */
};

/* Messages, as nfart_filter_messages() takes them. */
struct message_block {
	const uint64_t *header;        /* [n] */
	const uint8_t *slot;           /* [n] */
	const struct message *message; /* [n]: what they are about */
	size_t n;
	uint64_t first; /* the time of the first one; the others follow */
};

/* Takes messages. False: *e says why. */
typedef bool messages_take(void *ctx, const struct message_block *b, struct nfart_error *e);

enum { MESSAGES_TAKERS = 2 };

struct messages;

/* Makes an output for `p`, which is protocol mem or mem-word of an image or a description. NULL:
 * out of memory, or another protocol; *e says so. Free with messages_free(). */
struct messages *messages_new(struct memory *m, const struct nfart_proto *p, struct nfart_error *e);
void messages_free(struct messages *x);

/* Adds one who takes messages, at most MESSAGES_TAKERS. */
void messages_add(struct messages *x, messages_take *take, void *ctx);

/* From here on the messages are those of a child that this thread forked. Its own first thread has
 * the number 0, and holds the locks of its parent. */
void messages_inherit(struct messages *x, uint32_t thread);

struct memory_output messages_output(struct messages *x);

#endif
