/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * follow.h: follows what a checker knows of each line, by the rules that its image keeps. It says
 * of each batch whether a run of the rules explains it, and remembers the last messages of each
 * line. It takes a batch that has up to FOLLOW_ORDERS messages of a line in every order; after one
 * with more it knows nothing of the line.
 *
 * The checker in the image has been compiled, and can accept other batches where messages of a
 * line share one (nfacc-coherence(5), Forms of the checker). The engine decides; this explains.
 */
#ifndef NFART_FOLLOW_H
#define NFART_FOLLOW_H

#include "include/nfart.h"
#include "runtime/rules/know.h"

enum { FOLLOW_ORDERS = 4, FOLLOW_RECENT = 32 };

/* A message of a line. */
struct follow_message {
	uint64_t time;
	uint32_t code;       /* of the protocol */
	uint32_t event;      /* of the description */
	bool wrong;          /* no run explains its batch */
};

enum follow_verdict {
	FOLLOW_NOTHING,  /* the checker sees no message of the batch */
	FOLLOW_FINE,
	FOLLOW_WRONG,    /* no run of the rules explains the batch */
	FOLLOW_AFTER,    /* a batch before was wrong, and the checker does not begin anew */
	FOLLOW_MANY      /* more than FOLLOW_ORDERS messages */
};

/* What is known of a line. */
struct follow_line {
	uint64_t number;     /* of the copy */
	uint32_t id;         /* index into follow.lines */
	/* The beliefs since each beginning that counts, the earliest first. One, unless the checker
	 * has KEPT_ALWAYS. */
	VEC(uint32_t) beliefs;
	bool dead;           /* see FOLLOW_AFTER */
	uint64_t died;       /* the time of that batch */
	/* The last batch: the events that the checker sees, up to FOLLOW_ORDERS, and the belief
	 * before it that it does not fit, or the first one. */
	enum follow_verdict verdict;
	uint32_t n, events[FOLLOW_ORDERS], before;
	uint32_t now;        /* how many events the checker sees in the last batch */
	/* All messages of the line that the checker sees: how many, and the last ones. The i-th of
	 * them, from 0, is recent[i % FOLLOW_RECENT]. */
	uint64_t nmessages;
	struct follow_message *recent; /* [FOLLOW_RECENT]; NULL unless follow.recalls */
};

/* Messages of an event. */
struct follow_event {
	const struct kept_messages *messages;
	uint32_t event;
};

/* A checker that is followed. */
struct follow {
	const struct kept *kept;
	const struct kept_checker *checker;
	const struct nfart_proto *proto;
	struct know know;
	uint32_t begin;      /* the belief at the beginning */
	bool recalls;        /* set by the caller, before the first batch: lines have `recent` */
	/* Which messages are of events, by code: those of code i are messages[first[i]] to
	 * messages[first[i + 1] - 1]. */
	uint32_t *first;     /* [codes + 1] */
	struct follow_event *messages;
	VEC(struct follow_line *) lines;
	struct hash_ids hash; /* finds lines */
};

/* Makes one that knows of no line. The protocol and the rules must outlive it. NULL: out of memory.
 * Free with follow_free(). */
struct follow *follow_new(const struct kept *kept, const struct kept_checker *checker,
			  const struct nfart_proto *p);
void follow_free(struct follow *f);

/* Forgets all lines. */
void follow_reset(struct follow *f);

/* Takes the messages in these slots of a batch, which are for the copy of a line. `like` is the
 * copy whose knowledge a new line begins with, if it is there. Returns the line; NULL: out of
 * memory. */
struct follow_line *follow_put(struct follow *f, uint64_t line, uint64_t like, uint64_t time,
			       uint64_t slots, const uint64_t *header);

/* Returns a line, or NULL if no batch was for it. */
struct follow_line *follow_find(const struct follow *f, uint64_t line);

/* Finds the index of the event that a message is of, among those that the checker sees; or
 * KEPT_NONE. */
uint32_t follow_find_event(const struct follow *f, uint32_t code, uint64_t header);

#endif
