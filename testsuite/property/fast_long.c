/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * fast_long: compares the fast ways through a filter (fast.h) with the engine, over long streams.
 * Long streams have several chunks and parts, fill the tables, and are stepped by SIMD lanes. The
 * short streams of the test `property` don't reach this code.
 */
#include <stdlib.h>
#include <string.h>

#include "compiler/pipeline.h"
#include "testsuite/property/fast.h"
#include "testsuite/setting.h"
#include "testsuite/unit/tap.h"
#include "tools/nfagen/traffic/gen_random.h"

enum { BATCHES = 9000, DAMAGED = 12 };

static const char *const filters[] = {
	"protocol bytes; filter far = true* 'a' true{30} 'b'; filter four = true* 'b'{4}; window "
	"3; log = true* 'c';",
	"protocol bytes; filter x = true* 'a' !'c'* 'b' !'d'* 'e' 'f'; filter y = true* 'a' "
	"Any('b', 'c')* 'f';"
	"filter z = true* 'b' true{20} Any('a', 'h'); limit 700; window 9; log = all;",
	"protocol bytes; filter even = (!'a'* 'a' !'a'* 'a')* !'a'* 'b'; filter near = true* 'b' "
	"'a' 'c';",
	"filter many = true* R12 true{9} (R13 true{5} | None(R12, V21)) R12; window 2; log = true* "
	"RA3;",
	"filter one = true* Any(any@6); filter two = true* cpu.any@7 None(any@6)* fpga.any@4; "
	"limit 901;",
	"substream cl from 0x0 count 40; filter a = true* R12 None(V21)* R12; filter b = true* R13 "
	"true{6} R12;"
	"log = true* RA3; window 5;",
	"substream cl from 0x100 count 100000000000; filter a = true* R12 None(V21)* R12; window "
	"1; log = all;",
	"filter last = true* fpga.any@13; filter first = true* cpu.#3@0 None(fpga.#4@13)*;",
	"substream cl from 0x0 count 30; filter a = true* #1 #2* #3; filter b = true* #4 None(#5)* "
	"#6 cpu.any@6;"
	"filter c = true* Any(#7, #8) fpga.any@4 None(cpu.any@6)* cpu.#9; log = true* #10;",
	"counter c = true* R12 reset true* V21 at 3; filter f = @c None(R12)* R12; window 4; log = "
	"true* R12;",
	"counter a = true* R12 reset true* V21 at 5 latch; counter b = true* R13 reset true* RA3 "
	"at 2 roll;"
	"counter c = true* cpu.any@6 at 40 roll; filter f = @a None(R13)*; filter g = @b R12* | @c "
	"true{2}; window 2;"
	"log = @a;",
	"counter a = true* R12 at 2 roll; counter b = @a | true* R13 reset @a true V21 at 3 latch;"
	"counter c = @b reset true* V21 at 4; filter f = @c; filter g = @b None(R12) R12; log = @a "
	"true;",
	"substream cl from 0x0 count 30; counter a = true* R12 reset true* V21 at 2 latch; counter "
	"b = true* R13 at 3 roll;"
	"filter f = @a R12*; filter g = @b None(R12)* R13; window 3; log = @a;",
	"substream cl from 0x0 count 50; counter a = true* R12 at 2 roll; counter b = @a reset "
	"true* R13 at 2 latch;"
	"filter f = @b; filter g = @a true{9} None(V21)*; limit 801; log = true* RA3;",
	"protocol bytes; filter f = true* 'a' (None('b')){20} 'c'; filter g = true* 'b' Any('a', "
	"'c'){3,17} 'd';"
	"counter n = true* 'e' at 300 roll; filter h = @n true{30} None('f')*; log = true* 'g';",
	"let req = Any(R12[ns == 1], R13[dmask & 3 != 0, rreqid != 3]); filter a = true* req "
	"None(V21, V31[dmask in 1..9])* req; filter b = true* !req R13[addr in 0x100..0x7ff] R12;"
	"log = any[ns == 1]+; window 3, 1;",
	"filter a = true* R12[addr in 0..0x3ff] true{2} R13[addr in 0x400..0x7ff];"
	"filter b = true* R12[addr in 0x800..0xbff] R13[addr in 0x200..0x27f] None(V21[ns == 0])* "
	"R12[addr & 0x380 == 0x180, rreqid in 4..9];",
	"substream rreqid from 20 count 9, from 0 count 5; filter a = true* R12 None(R13)* R12;"
	"filter b = true* R13[ns == 1] None(RA3)* RA3; log = true* RA3; window 1, 4;",
	"tick 20; filter slow = true* R12 None(V21, tick)* None(V21, notick){5};"
	"filter even = true* R13 (tick tick)* V21; filter open = true* RA3 None(V21)* end;"
	"window 3, 1; log = true* RA3;",
	"tick 3; counter c = true* tick reset true* R12 at 40 roll; filter f = @c None(R12)*;"
	"filter g = true* R13 (tick{7})* V21; counter d = true* tick{3} at 90 latch;"
	"filter h = (@c | @d) true{3} R12; log = true* (tick{5})+; window 2;",
	"tick 10; substream cl from 0x0 count 30; filter slow = true* R12 None(V21, tick)* "
	"None(V21, notick){9}; filter open = true* R13 None(V31)* end; counter n = true* tick "
	"reset true* R12 at 50; filter late = @n true* R12; filter cyc = true* R12 (tick{3})* V21;"
	"log = true* RA3; window 2;",
	"tick 4; substream cl from 0x0 count 100000000000; filter slow = true* R12 None(V21, "
	"tick)* None(V21, notick){3}; filter f = true* R13 (tick{5})* V21; limit 901;",
	"protocol bytes; tick 7; filter a = true* 'a' None('b', tick)* tick 'c'; filter e = true* "
	"'d' end; counter n = true* tick at 30 roll; filter f = @n 'a'+; window 2, 5; "
	"log = true* 'g';",
};
enum { NFILTERS = sizeof filters / sizeof filters[0] };

/* Fills batch i. Mostly it has few messages, of the types that filters name. Sometimes it has a
 * message in every slot, and sometimes it is a loss record. In some stretches of the stream every
 * batch has the same number of messages. */
static void long_fill(const struct nfart_image *im, struct nfart_batch *b, size_t i,
		      struct gen_random *g, uint64_t *time)
{
	const struct nfart_proto *p = im->proto;
	unsigned n = (unsigned)(i / 250 % 7), any = gen_random_below(g, 50);

	memset(b, 0, sizeof *b);
	b->time = *time += 1 + gen_random_below(g, 3);
	if (im->stream.tick != 0 && p->nslots != 1 && gen_random_below(g, 250) == 0)
		b->time = *time += gen_random_below(g, 8000);
	if (p->nslots == 1) {
		b->mask = 1;
		b->header[0] = 'a' + gen_random_below(g, 8);
		return;
	}
	if (gen_random_below(g, 700) == 0) {
		b->lost = gen_random_below(g, 9);
		return;
	}
	if (n == 0 || n > 5)
		n = any == 0 ? p->nslots : 1 + any % 3;
	while ((unsigned)__builtin_popcountll(b->mask) < n) {
		uint32_t slot = gen_random_below(g, 3) != 0 ?
			gen_random_below(g, 2) * 14 + 2 + gen_random_below(g, 8) :
			gen_random_below(g, p->nslots);
		b->mask |= (uint64_t)1 << slot;
		b->header[slot] = (uint64_t)gen_random_below(g, any % 8 == 0 ? 31 : 11) << 59 |
				  (uint64_t)gen_random_below(g, 60) << 7 | gen_random_below(g, 128);
		if (im->alphabet.guard != NULL || im->substreams.by_field)
			b->header[slot] |= (uint64_t)gen_random_below(g, 1 << 14) << 45;
	}
}

static bool long_check(unsigned k, struct nfart_batch *b, char *why, size_t size)
{
	struct pipeline_file f = { "filter.re", filters[k], strlen(filters[k]), false };
	struct pipeline_options o;
	struct pipeline *p = malloc(sizeof *p);
	struct nfart_image *im = NULL;
	struct nfart_error e;
	struct gen_random g = { k };
	uint64_t time = 0;
	bool ok = p != NULL;

	pipeline_options_init(&o);
	o.overlay.o.none = true;
	ok = ok && pipeline_run(p, &o, &f, 1) == NFART_OK;
	if (ok)
		im = nfart_image_load(p->job.made.image.at, p->job.made.image.n, "image", &e);
	snprintf(why, size, "does not compile");
	for (size_t i = 0; im != NULL && i < BATCHES; i++)
		long_fill(im, &b[i], i, &g, &time);
	ok = im != NULL && fast_same(im, b, BATCHES, k % 2 != 0, why, size);
	for (unsigned i = 0; i < DAMAGED && ok; i++)
		ok = fast_same_damaged(im, b, BATCHES, k * DAMAGED + i, why, size);
	nfart_image_free(im);
	if (p != NULL)
		pipeline_free(p);
	free(p);
	return ok;
}

int main(void)
{
	struct nfart_batch *b = calloc(BATCHES, sizeof *b);
	struct tap t = { 0 };
	char why[256];
	uint64_t day = setting_day();

	for (unsigned k = 0; b != NULL && k < NFILTERS; k++) {
		if (!setting_turn(day, k, 3))
			continue;
		bool ok = long_check(k, b, why, sizeof why);
		tap_case(&t, ok, "a long stream, filter %u", k);
		if (!ok)
			printf("# %s\n", why);
	}
	free(b);
	return tap_end(&t);
}
