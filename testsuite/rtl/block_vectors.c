/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * block_vectors SEED: prints headers of blocks, and what block_tap_see() makes of them, for
 * blocks_tb.v. First, each pair of states that the directions of a link can have gets a block of
 * each kind that the state depends on; then come random blocks, then those of a link with faults. A
 * line is a cycle: six words of 64 bits in hexadecimal. The first has bit 0 for a block that comes
 * in, bit 1 for one that goes out, and bit 2 for a reset; then come both headers, and the two
 * messages (0 if there is none) and the reduced input of figure 24 after them.
 *
 * The number of pairs of states is printed on standard error.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grammar/describe/builtin.h"
#include "tools/nfagen/blocks/block_random.h"

enum { RANDOM_CYCLES = 3000, LINK_CYCLES = 3000, RESET_EACH = 40, KINDS = 12, MOST_STEPS = 8 };

static void print_cycle(struct block_tap *t, bool reset, const struct block *in,
			const struct block *out)
{
	const struct block *blocks[2] = { in, out };
	struct nfart_batch b = { .time = 0 };
	uint64_t message[2] = { 0, 0 };
	unsigned flags = (unsigned)reset << 2;

	for (int d = 0; d < 2; d++)
		if (blocks[d] != NULL && !blocks[d]->damaged)
			flags |= 1u << d;
	block_tap_see(t, blocks, &b);
	for (int d = 0; d < 2; d++)
		if (b.mask >> t->slot[d] & 1)
			message[d] = b.header[t->slot[d]];
	printf("%016x %016" PRIx64 " %016" PRIx64 " %016" PRIx64 " %016" PRIx64 " %08" PRIx64
	       "%08" PRIx64 "\n", flags, in != NULL ? in->header : 0,
	       out != NULL ? out->header : 0, message[0], message[1], message[1] & UINT32_MAX,
	       message[0] & UINT32_MAX);
}

/* Bits 63:52 of a block of each kind: type, acknowledgement, six zeros, request. The last but one
 * is an idle block. */
static const uint16_t kinds[KINDS] = {
	0xc00, 0xd00, 0xc01, 0xd01, 0xc02, 0xd02, 0xc03, 0xd03, 0x800, 0xa00, 0xe00, 0x000,
};

/* Makes a block of a kind, whose other bits are random. KINDS: all bits are random. */
static struct block make_block(struct gen_random *r, int kind)
{
	struct block b = { .header = gen_random(r) };

	if (kind < KINDS)
		b.header = b.header >> 12 | (uint64_t)kinds[kind] << 52;
	return b;
}

/* The blocks by which a link gets from its first states to others: for each cycle the kinds of the
 * incoming and the outgoing block; KINDS: none. */
struct path {
	bool exists;
	int n;
	int kinds[MOST_STEPS][2];
};

/* Adds to `paths` what follows from a pair of states by one more cycle. False: that was nothing. */
static bool vectors_follow(struct path paths[8][8], int in, int out)
{
	const struct path *from = &paths[in][out];
	bool more = false;

	if (!from->exists || from->n == MOST_STEPS)
		return false;
	for (int k = 0; k < (KINDS + 1) * (KINDS + 1); k++) {
		int step[2] = { k % (KINDS + 1), k / (KINDS + 1) }, state[2] = { in, out }, to[2];
		for (int d = 0; d < 2; d++)
			to[d] = step[d] == KINDS ? state[d] :
				(int)link_next((enum link_state)state[d],
					       (enum link_state)state[1 - d],
					       (uint64_t)kinds[step[d]] << 52);
		struct path *p = &paths[to[0]][to[1]];
		if (p->exists)
			continue;
		*p = *from;
		p->exists = more = true;
		memcpy(p->kinds[p->n++], step, sizeof step);
	}
	return more;
}

/* Leads the link into each pair of states, and gives it a block of each kind there. Returns the
 * number of pairs. */
static int all_cases(struct block_tap *t, const struct nfart_proto *p, struct gen_random *r)
{
	struct path paths[8][8] = { [LINK_DOWN][LINK_DOWN] = { .exists = true } };
	bool more = true;
	int pairs = 0;

	while (more) {
		more = false;
		for (int i = 0; i < 64; i++)
			more |= vectors_follow(paths, i / 8, i % 8);
	}
	for (int i = 0; i < 64 * KINDS * 2; i++) {
		const struct path *path = &paths[i / 8 % 8][i % 8];
		int kind = i / 64 % KINDS, d = i / 64 / KINDS;
		if (!path->exists)
			continue;
		pairs += i < 64;
		block_tap_init(t, p);
		print_cycle(t, true, NULL, NULL);
		for (int n = 0; n <= path->n; n++) {
			const int *step = n < path->n ? path->kinds[n] :
					  (const int[2]){ d == 0 ? kind : KINDS,
							  d == 1 ? kind : KINDS };
			struct block in = make_block(r, step[0]), out = make_block(r, step[1]);
			print_cycle(t, false, step[0] < KINDS ? &in : NULL,
				    step[1] < KINDS ? &out : NULL);
		}
	}
	return pairs;
}

static void random_headers(struct block_tap *t, const struct nfart_proto *p, struct gen_random *r)
{
	for (int i = 0; i < RANDOM_CYCLES; i++) {
		struct block blocks[2];
		bool has[2];
		for (int d = 0; d < 2; d++) {
			blocks[d] = make_block(r, (int)gen_random_below(r, KINDS + 1));
			blocks[d].damaged = gen_random_below(r, 16) == 0;
			has[d] = gen_random_below(r, 4) != 0;
		}
		print_cycle(t, false, has[0] ? &blocks[0] : NULL, has[1] ? &blocks[1] : NULL);
		if (gen_random_below(r, RESET_EACH) == 0) {
			block_tap_init(t, p);
			print_cycle(t, true, NULL, NULL);
		}
	}
}

static void link_headers(struct block_tap *t, uint64_t seed)
{
	struct block_random m = { .random.state = seed, .lines = 16, .rate = (uint64_t)1 << 30 };
	struct block_traffic traffic = block_random_init(&m);
	struct block_link *l = block_link_new(seed, traffic.receive, traffic.context);
	struct nfart_batch none = { .time = 0 };

	if (l == NULL)
		exit(99);
	for (uint64_t i = 1; i <= LINK_CYCLES; i++) {
		struct block_faults f = { .lose = i % 1000 == 900 };
		struct block blocks[2];
		bool has[2];
		traffic.cycle(traffic.context, l, i, &none);
		block_link_cycle(l, &f, blocks, has);
		print_cycle(t, false, has[0] ? &blocks[0] : NULL, &blocks[1]);
	}
	block_link_free(l);
}

int main(int argc, char **argv)
{
	struct nfart_proto *p = proto_builtin("eci-block");
	uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
	struct gen_random r = { .state = seed };
	struct block_tap *t = malloc(sizeof *t);

	if (p == NULL || t == NULL || !block_tap_init(t, p))
		return 99;
	fprintf(stderr, "%d\n", all_cases(t, p, &r));
	random_headers(t, p, &r);
	block_tap_init(t, p);
	print_cycle(t, true, NULL, NULL);
	link_headers(t, seed);
	free(t);
	proto_free(p);
	return 0;
}
