/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Note [model of the streams]. Time is in cycles of 300 MHz. From the thesis are the 40.5 cycles
 * that the directory needs for a request, at most two requests in it, and 1.3 us for a request
 * alone, which sets PAUSE. The thesis finds that the directory stalls until the CPU has given up a
 * line, and cannot explain all of the latency by that. So how often and how long it stalls here is
 * chosen: such that the mean latency at the block layer is 5.2 us. The thesis does not measure the
 * barrier; BARRIER and WAKE are chosen such that the bandwidth is 0.25 GB/s. All else follows: that
 * answers take so long although the directory is quick, that 16 requests are in flight, how the
 * latency depends on their number, and how long cores wait for each other.
 */
#include "tools/nfagen/blocks/block_streams.h"

#include <string.h>

enum {
	BEGIN_LEAST = 20,  /* cycles from one request that the directory begins to the next: */
	BEGIN_SPREAD = 40, /* 20 to 59; */
	STALL_EACH = 8,    /* after each eighth one in the mean it stalls: */
	STALL_LEAST = 660, /* 660 to 859 more */
	STALL_SPREAD = 200,
	SERVE_LEAST = 33,  /* cycles that it needs for one: 33 to 48 */
	SERVE_SPREAD = 16,
	PAUSE = 96,        /* cycles in which a core takes an answer and requests the next line */
	BARRIER = 6000,    /* cycles from the last core's arrival to the first core's start */
	WAKE = 900,        /* cycles from one core's start to the next one's */
	SYNC_PERIOD = 660  /* mean cycles between two GSYNC, which have nothing to do with this */
};

enum { MREQ_RLDD = 0, MRSP_PEMD = 10, MREQ_GSYNC = 24, MRSP_GSDN = 24 };

#define NEVER UINT64_MAX

static void request(struct block_streams *s, struct block_link *l, uint32_t core)
{
	struct stream_core *c = &s->core[core];
	uint64_t address = s->base + core * STREAM_BYTES + c->line * 128;
	uint64_t header = block_message(MREQ_RLDD, core, nfart_eci_hash(address));

	if (block_link_send(l, BLOCK_CPU, block_channel(6, header), header))
		c->next = NEVER;
}

/* The last core is at the barrier: all go on, the last one first. */
static void pass_barrier(struct block_streams *s, uint64_t now)
{
	for (uint32_t i = 0; i < s->nfinished; i++)
		s->core[s->finished[s->nfinished - 1 - i]].next = now + BARRIER + i * WAKE;
	s->nfinished = 0;
}

static void take_answer(struct block_streams *s, uint64_t header, uint64_t now)
{
	uint32_t core = (uint32_t)(header >> 50 & 31);
	struct stream_core *c = &s->core[core];

	if (++c->line < STREAM_LINES) {
		c->next = now + PAUSE;
		return;
	}
	c->line = 0;
	if (++c->round == s->rounds)
		return;
	s->finished[s->nfinished++] = core;
	if (s->nfinished == s->cores)
		pass_barrier(s, now);
}

static void streams_put(const struct block_streams *s, struct nfart_batch *vcs,
			enum block_node from, uint32_t vc, uint64_t header)
{
	int slot = s->slots[from][vc];

	if (slot < 0)
		return;
	vcs->mask |= (uint64_t)1 << slot;
	vcs->header[slot] = header;
}

/* The directory sends answers that are ready, and begins a request if it may. */
static void serve(struct block_streams *s, struct block_link *l, uint64_t now,
		  struct nfart_batch *vcs)
{
	struct stream_answer *idle = NULL;

	for (int i = 0; i < 2; i++) {
		struct stream_answer *a = &s->answers[i];
		if (a->time != 0 && a->time <= now && vcs->mask == 0 &&
		    block_link_send(l, BLOCK_FPGA, a->vc, a->header)) {
			streams_put(s, vcs, BLOCK_FPGA, a->vc, a->header);
			a->time = 0;
		}
		if (a->time == 0)
			idle = a;
	}
	if (s->waiting == 0 || now < s->begin || idle == NULL)
		return;
	uint64_t header = s->queue[s->first];
	uint64_t address = header & (((uint64_t)1 << 40) - 128);
	s->first = (s->first + 1) % STREAM_CORES;
	s->waiting--;
	streams_put(s, vcs, BLOCK_CPU, block_channel(6, header), header);
	idle->time = now + SERVE_LEAST + gen_random_below(&s->random, SERVE_SPREAD);
	idle->vc = block_channel(4, header);
	idle->header = block_message(MRSP_PEMD, (uint32_t)(header >> 50 & 31), address);
	s->begin = now + BEGIN_LEAST + gen_random_below(&s->random, BEGIN_SPREAD);
	if (gen_random_below(&s->random, STALL_EACH) == 0)
		s->begin += STALL_LEAST + gen_random_below(&s->random, STALL_SPREAD);
}

static bool streams_cycle(void *context, struct block_link *l, uint64_t now,
			  struct nfart_batch *vcs)
{
	struct block_streams *s = context;
	bool more = false;

	s->now = now;
	for (uint32_t i = 0; i < s->cores; i++) {
		more |= s->core[i].round < s->rounds;
		if (s->core[i].next <= now && s->core[i].round < s->rounds)
			request(s, l, i);
	}
	if (more && gen_random_below(&s->random, SYNC_PERIOD) == 0)
		block_link_send(l, BLOCK_CPU, 6, (uint64_t)MREQ_GSYNC << 59);
	serve(s, l, now, vcs);
	return more;
}

static void streams_receive(void *context, struct block_link *l, enum block_node at, uint32_t vc,
			    uint64_t header)
{
	struct block_streams *s = context;
	uint32_t opcode = (uint32_t)(header >> 59);

	if (at == BLOCK_CPU && opcode == MRSP_PEMD && vc <= 5)
		take_answer(s, header, s->now);
	else if (at == BLOCK_FPGA && opcode == MREQ_RLDD)
		s->queue[(s->first + s->waiting++) % STREAM_CORES] = header;
	else if (at == BLOCK_FPGA && opcode == MREQ_GSYNC)
		block_link_send(l, BLOCK_FPGA, 10, (uint64_t)MRSP_GSDN << 59);
}

struct block_traffic block_streams_init(struct block_streams *s)
{
	static const char *const senders[] = { "cpu", "fpga" };
	char name[20];

	for (uint32_t i = 0; i < s->cores; i++)
		s->core[i] = (struct stream_core){ .next = BARRIER + i * WAKE };
	for (int from = 0; from < 2; from++)
		for (int vc = 0; vc < BLOCK_VCS; vc++) {
			snprintf(name, sizeof name, "%s@%d", senders[from], vc);
			s->slots[from][vc] = nfart_proto_slot(s->proto, name);
		}
	return (struct block_traffic){ .context = s,
				       .cycle = streams_cycle,
				       .receive = streams_receive };
}
