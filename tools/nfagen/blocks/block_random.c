/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfagen/blocks/block_random.h"

enum {
	BEGIN = 500,      /* cycle in which traffic begins: the link is up by then */
	SERVE_LEAST = 20, /* cycles until the FPGA answers: 20 to 83 */
	SERVE_SPREAD = 64,
	BURST = 63        /* a burst has 1 to this many messages */
};

enum { IOBLD = 0, MREQ_RLDD = 0, MREQ_GSYNC = 24, MRSP_VICD = 0, MRSP_PEMD = 10, MRSP_GSDN = 24 };

#define ADDRESS ((((uint64_t)1 << 40) - 1) & ~(uint64_t)127)

static void send_load(struct block_random *r, struct block_link *l, uint64_t address)
{
	if (r->requested == UINT32_MAX)
		return;
	uint32_t id = (uint32_t)__builtin_ctz(~r->requested);
	uint64_t header = block_message(MREQ_RLDD, id, address);

	if (block_link_send(l, BLOCK_CPU, block_channel(6, header), header))
		r->requested |= 1u << id;
}

static void send_one(struct block_random *r, struct block_link *l)
{
	uint64_t line = r->first_line + gen_random_below(&r->random, r->lines);
	uint64_t address = line << 7 & ADDRESS;

	switch (gen_random_below(&r->random, 8)) {
	case 0: /* the line is written back */
		address |= (uint64_t)15 << 46 | (uint64_t)MRSP_VICD << 59;
		block_link_send(l, BLOCK_CPU, block_channel(4, address), address);
		break;
	case 1:
		block_link_send(l, BLOCK_CPU, 6 + (line & 1), (uint64_t)MREQ_GSYNC << 59);
		break;
	case 2: case 3:
		block_link_send(l, BLOCK_CPU, 0, (uint64_t)IOBLD << 59);
		break;
	default: send_load(r, l, address);
	}
}

static bool random_cycle(void *context, struct block_link *l, uint64_t now, struct nfart_batch *vcs)
{
	struct block_random *r = context;

	(void)vcs;
	r->now = now;
	if (now < BEGIN)
		return true;
	/* A burst has 32 messages in the mean. */
	if (r->burst == 0 && (gen_random(&r->random) >> 32) < r->rate / ((BURST + 1) / 2))
		r->burst = 1 + gen_random_below(&r->random, BURST);
	if (r->burst > 0) {
		r->burst--;
		send_one(r, l);
	}
	for (int i = 0; i < RANDOM_ANSWERS; i++) {
		struct random_answer *a = &r->answers[i];
		if (a->time != 0 && a->time <= now &&
		    block_link_send(l, BLOCK_FPGA, a->vc, a->header))
			a->time = 0;
	}
	return true;
}

/* Has a message sent later. It is dropped if there is no room, which loads always have: each RReqId
 * has a place of its own. */
static void random_answer(struct block_random *r, uint32_t vc, uint64_t header)
{
	bool load = vc == 4 || vc == 5;
	uint32_t id = (uint32_t)(header >> 50 & 31);

	for (uint32_t i = load ? id : RANDOM_LOADS; i < RANDOM_ANSWERS; i++)
		if (r->answers[i].time == 0) {
			uint32_t wait = gen_random_below(&r->random, SERVE_SPREAD);
			r->answers[i] = (struct random_answer){ .time = r->now + SERVE_LEAST + wait,
								.header = header, .vc = vc };
			return;
		}
}

static void random_receive(void *context, struct block_link *l, enum block_node at, uint32_t vc,
			   uint64_t header)
{
	struct block_random *r = context;
	uint32_t opcode = (uint32_t)(header >> 59), id = (uint32_t)(header >> 50 & 31);

	(void)l;
	if (at == BLOCK_CPU) {
		if (opcode == MRSP_PEMD && (vc == 4 || vc == 5))
			r->requested &= ~(1u << id);
	} else if (vc == 0) {
		random_answer(r, 1, 0);
	} else if (vc >= 6 && opcode == MREQ_GSYNC) {
		random_answer(r, vc + 4, (uint64_t)MRSP_GSDN << 59);
	} else if (vc >= 6) {
		uint64_t back = block_message(MRSP_PEMD, id, header & ADDRESS);
		random_answer(r, block_channel(4, back), back);
	}
}

struct block_traffic block_random_init(struct block_random *r)
{
	return (struct block_traffic){ .context = r,
				       .cycle = random_cycle,
				       .receive = random_receive };
}
