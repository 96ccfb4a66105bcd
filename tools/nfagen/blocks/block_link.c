/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Note [numbers of blocks]. A node numbers the data blocks that it sends, modulo 256, and keeps
 * them until they are acknowledged. A sync block has the number of the block that its sender sends
 * next, and that of the one it expects next. The latter acknowledges all blocks before it, and
 * replaces the acknowledgements that are due. So none is lost or doubled when blocks are sent
 * again.
 */
#include "tools/nfagen/blocks/block_link.h"

#include <stdlib.h>
#include <string.h>

enum {
	QUEUE = 64,       /* messages that wait on a virtual channel */
	HOLD = 32,        /* cycles that a message's words stay in the receiver's buffer */
	START_PERIOD = 256, /* cycles between two sync blocks that ask to begin */
	START_SPREAD = 64 /* a node first asks in one of so many cycles */
};

/* Words of a receiver's buffer, by virtual channel. */
static const uint16_t buffer_words[BLOCK_VCS] = {
	32, 32, 256, 256, 256, 256, 32, 32, 32, 32, 32, 32, 32, 32,
};

struct queue {
	uint64_t headers[QUEUE];
	uint32_t first, n;
};

struct node {
	bool up;
	uint32_t start;              /* cycle in which it first asks to begin */
	bool owes_answer;            /* it is to agree, to begin or to send again */
	bool has_agreed, peer_agreed;
	bool discards;               /* a block was damaged: it waits for the repetition */
	bool wants_retry;            /* it is to ask for that */
	struct {
		struct queue queues[BLOCK_VCS];
		uint32_t turn;       /* the virtual channel that is looked at first */
		int32_t credits[BLOCK_VCS]; /* words that the other node has room for */
		uint32_t vc, left;   /* the message under way: its channel, words that are left */
		uint8_t seq, acked, replay; /* numbers: of the next block, of the first that is
					     * not acknowledged, of the next to send again */
		struct block sent[BLOCK_UNACKED];
	} send;
	struct {
		uint8_t expected;    /* number of the next data block */
		uint32_t acks;       /* acknowledgements that are due */
		/* words of the buffer that are to be returned as credits */
		uint32_t room[BLOCK_VCS];
		uint32_t used[HOLD][BLOCK_VCS]; /* by cycle: words that are free then */
		uint64_t header[BLOCK_VCS]; /* the message that arrives */
		uint32_t rest[BLOCK_VCS];   /* its words that have not arrived */
	} receive;
};

struct block_link {
	struct gen_random random;
	block_receiver *receiver;
	void *context;
	uint64_t cycle;
	struct node nodes[2];
	struct block wires[2][BLOCK_LATENCY]; /* by sender */
};

uint32_t block_message_words(uint32_t vc, uint64_t header)
{
	return vc < 2 || vc > 5 ? 1 : 1 + 4 * (uint32_t)__builtin_popcountll(header >> 46 & 15);
}

/* ---- receiving ------------------------------------------------------------------------------ */

static void receive_sync(struct node *n, uint64_t header)
{
	uint32_t request = block_request(header);

	if (request == BLOCK_START || request == BLOCK_RETRY)
		n->owes_answer = true;
	if (request == BLOCK_NO_REQUEST && block_ack(header)) {
		n->peer_agreed = true;
		n->discards = false;
	}
	if (request != BLOCK_START)
		n->send.acked = block_rx_seq(header);
	if (request == BLOCK_RETRY)
		n->send.replay = n->send.acked;
}

static void receive_word(struct block_link *l, enum block_node at, uint32_t vc, uint64_t word)
{
	struct node *n = &l->nodes[at];

	n->receive.used[l->cycle % HOLD][vc]++;
	if (n->receive.rest[vc] == 0) {
		n->receive.header[vc] = word;
		n->receive.rest[vc] = block_message_words(vc, word);
	}
	if (--n->receive.rest[vc] == 0)
		l->receiver(l->context, l, at, vc, n->receive.header[vc]);
}

static void receive_data(struct block_link *l, enum block_node at, const struct block *b)
{
	struct node *n = &l->nodes[at];
	uint32_t first = block_type(b->header) == BLOCK_HI ? 8 : 0;

	n->receive.expected++;
	n->receive.acks++;
	for (uint32_t i = 0; i < 8 && first + i < BLOCK_VCS; i++)
		if (block_credits(b->header) >> i & 1)
			n->send.credits[first + i] += BLOCK_CREDIT;
	for (int i = 0; i < BLOCK_WORDS; i++)
		if (block_vc(b->header, i) < BLOCK_VCS)
			receive_word(l, at, block_vc(b->header, i), b->words[i]);
}

static void link_receive(struct block_link *l, enum block_node at, const struct block *b)
{
	struct node *n = &l->nodes[at];

	for (uint32_t vc = 0; vc < BLOCK_VCS; vc++) {
		n->receive.room[vc] += n->receive.used[l->cycle % HOLD][vc];
		n->receive.used[l->cycle % HOLD][vc] = 0;
	}
	if (b->damaged) {
		n->wants_retry = !n->discards;
		n->discards = true;
	} else if (block_type(b->header) == BLOCK_SYNC) {
		receive_sync(n, b->header);
	} else if (!n->discards) {
		if (block_ack(b->header))
			n->send.acked++;
		if (block_is_data(b->header))
			receive_data(l, at, b);
	}
}

/* ---- sending -------------------------------------------------------------------------------- */

static uint64_t sync_header(struct node *n, enum block_request request, uint8_t next)
{
	bool agrees = request == BLOCK_NO_REQUEST;

	if (request != BLOCK_START)
		n->receive.acks = 0;
	return (uint64_t)BLOCK_SYNC << 61 | (uint64_t)agrees << 60 | (uint64_t)request << 52 |
	       (uint64_t)next << 32 | (uint64_t)n->receive.expected << 24;
}

/* Returns the virtual channel whose first message is sent next, or BLOCK_VCS if there is none. If
 * an overrun is due, its credits need not suffice; *overruns says whether they don't. */
static uint32_t link_choose(const struct node *n, bool overrun, bool *overruns)
{
	for (uint32_t i = 0; i < BLOCK_VCS; i++) {
		uint32_t vc = (n->send.turn + i) % BLOCK_VCS;
		const struct queue *q = &n->send.queues[vc];
		if (q->n == 0)
			continue;
		int32_t words = (int32_t)block_message_words(vc, q->headers[q->first]);
		*overruns = n->send.credits[vc] < words;
		if (!*overruns || overrun)
			return vc;
	}
	return BLOCK_VCS;
}

/* Fills the words of a data block with messages. */
static void link_fill(struct node *n, enum block_node at, struct block_faults *f, struct block *b)
{
	for (int i = 0; i < BLOCK_WORDS; i++) {
		uint64_t word = 0;
		if (n->send.left == 0) {
			bool overruns = false;
			uint32_t vc = link_choose(n, f->overrun && !f->overran, &overruns);
			if (vc == BLOCK_VCS)
				return;
			struct queue *q = &n->send.queues[vc];
			word = q->headers[q->first];
			q->first = (q->first + 1) % QUEUE;
			q->n--;
			n->send.vc = vc;
			n->send.turn = vc + 1;
			n->send.left = block_message_words(vc, word);
			n->send.credits[vc] -= (int32_t)n->send.left;
			if (overruns) {
				f->overran = true;
				f->sender = at;
				f->vc = vc;
			}
		}
		b->words[i] = word;
		b->header &= ~((uint64_t)15 << (48 - 4 * i));
		b->header |= (uint64_t)n->send.vc << (48 - 4 * i);
		n->send.left--;
	}
}

/* Takes the credits that a block of one type can return. */
static uint64_t take_credits(struct node *n, enum block_type type)
{
	uint32_t first = type == BLOCK_HI ? 8 : 0, bits = 0;

	for (uint32_t i = 0; i < 8 && first + i < BLOCK_VCS; i++)
		if (n->receive.room[first + i] >= BLOCK_CREDIT) {
			n->receive.room[first + i] -= BLOCK_CREDIT;
			bits |= 1u << i;
		}
	return (uint64_t)bits << 52;
}

static bool has_credits(const struct node *n, uint32_t first, uint32_t end)
{
	for (uint32_t vc = first; vc < end; vc++)
		if (n->receive.room[vc] >= BLOCK_CREDIT)
			return true;
	return false;
}

static bool has_message(const struct node *n)
{
	bool overruns;

	return n->send.left > 0 || link_choose(n, false, &overruns) < BLOCK_VCS;
}

/* Sends data and credits if there are any and the window allows it, else an idle block. */
static void send_data(struct node *n, enum block_node at, struct block_faults *f, struct block *b)
{
	bool hi = has_credits(n, 8, BLOCK_VCS), lo = has_credits(n, 0, 8), overruns;
	bool force = f->overrun && link_choose(n, true, &overruns) < BLOCK_VCS && overruns;
	uint64_t ack = n->receive.acks > 0 ? (uint64_t)1 << 60 : 0;

	n->receive.acks -= n->receive.acks > 0;
	if ((uint8_t)(n->send.seq - n->send.acked) >= BLOCK_UNACKED ||
	    !(hi || lo || force || has_message(n))) {
		b->header = (uint64_t)BLOCK_IDLE << 61 | ack;
		return;
	}
	enum block_type type = hi && (!lo || n->send.seq % 2 == 0) ? BLOCK_HI : BLOCK_LO;
	b->header = (uint64_t)type << 61 | take_credits(n, type) | (uint64_t)0xfffffff << 24;
	link_fill(n, at, f, b);
	n->send.sent[n->send.seq % BLOCK_UNACKED] = *b;
	n->send.replay = ++n->send.seq;
	b->header |= ack;
}

static void send_again(struct node *n, struct block *b)
{
	*b = n->send.sent[n->send.replay++ % BLOCK_UNACKED];
	if (n->receive.acks > 0) {
		n->receive.acks--;
		b->header |= (uint64_t)1 << 60;
	}
}

static void send(struct block_link *l, enum block_node at, struct block_faults *f,
		 struct block *b)
{
	struct node *n = &l->nodes[at];

	memset(b, 0, sizeof *b);
	b->header = (uint64_t)BLOCK_IDLE << 61;
	if (n->owes_answer) {
		n->owes_answer = false;
		n->has_agreed = true;
		b->header = sync_header(n, BLOCK_NO_REQUEST, n->send.replay);
	} else if (n->wants_retry) {
		n->wants_retry = false;
		b->header = sync_header(n, BLOCK_RETRY, n->send.replay);
	} else if (!n->peer_agreed && l->cycle >= n->start &&
		   (l->cycle - n->start) % START_PERIOD == 0) {
		b->header = sync_header(n, BLOCK_START, 0);
	} else if (n->up && n->send.replay != n->send.seq) {
		send_again(n, b);
	} else if (n->up) {
		send_data(n, at, f, b);
	}
	if (!n->up && n->has_agreed && n->peer_agreed) {
		n->up = true;
		for (int vc = 0; vc < BLOCK_VCS; vc++)
			n->receive.room[vc] = buffer_words[vc];
	}
}

/* ---- the link ------------------------------------------------------------------------------- */

/* Is a repetition asked for or under way? */
static bool is_recovering(const struct node *n)
{
	return n->discards || n->wants_retry || n->owes_answer || n->send.replay != n->send.seq;
}

/* Damages a data block on its way. A second fault waits until the first is repaired. */
static void link_damage(struct block_link *l, enum block_node from, struct block_faults *f,
			struct block *b)
{
	if (!block_is_data(b->header) ||
	    is_recovering(&l->nodes[0]) || is_recovering(&l->nodes[1]))
		return;
	b->damaged = true;
	f->lost = true;
	f->sender = from;
}

void block_link_cycle(struct block_link *l, struct block_faults *f, struct block blocks[2],
		      bool has[2])
{
	uint32_t place = (uint32_t)(l->cycle % BLOCK_LATENCY);
	struct block *from_cpu = &l->wires[BLOCK_CPU][place];
	struct block *from_fpga = &l->wires[BLOCK_FPGA][place];

	f->lost = f->overran = false;
	has[0] = l->cycle >= BLOCK_LATENCY;
	has[1] = true;
	/* What a node receives decides what it sends in the next cycle. */
	struct block arrived[2] = { *from_fpga, *from_cpu };
	send(l, BLOCK_FPGA, f, from_fpga);
	send(l, BLOCK_CPU, f, from_cpu);
	blocks[0] = arrived[BLOCK_FPGA];
	blocks[1] = *from_fpga;
	if (has[0]) {
		link_receive(l, BLOCK_FPGA, &arrived[BLOCK_FPGA]);
		link_receive(l, BLOCK_CPU, &arrived[BLOCK_CPU]);
	}
	if (f->lose) {
		bool cpu = gen_random_below(&l->random, 2) == 0;
		link_damage(l, cpu ? BLOCK_CPU : BLOCK_FPGA, f, cpu ? from_cpu : from_fpga);
	}
	l->cycle++;
}

bool block_link_send(struct block_link *l, enum block_node from, uint32_t vc, uint64_t header)
{
	struct queue *q = &l->nodes[from].send.queues[vc];

	if (q->n == QUEUE)
		return false;
	q->headers[(q->first + q->n++) % QUEUE] = header;
	return true;
}

bool block_link_is_quiet(const struct block_link *l)
{
	for (int i = 0; i < 2; i++) {
		const struct node *n = &l->nodes[i];
		bool overruns;
		if (!n->up || is_recovering(n) || n->send.seq != n->send.acked ||
		    n->receive.acks > 0 || n->send.left > 0 ||
		    link_choose(n, true, &overruns) < BLOCK_VCS)
			return false;
	}
	return true;
}

struct block_link *block_link_new(uint64_t seed, block_receiver *receiver, void *context)
{
	struct block_link *l = calloc(1, sizeof *l);

	if (l == NULL)
		return NULL;
	l->random.state = seed;
	l->receiver = receiver;
	l->context = context;
	for (int i = 0; i < 2; i++)
		l->nodes[i].start = 1 + gen_random_below(&l->random, START_SPREAD);
	return l;
}

void block_link_free(struct block_link *l)
{
	free(l);
}
