/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Random machines are compiled for core a53. Three executions are compared cycle by cycle: the
 * source as its manual describes it, its image in the software engine, and the registers on the
 * model. Each cycle is a batch. A cycle without an event has a message that the machine does not
 * use. A machine that does not fit the core is drawn again. NFACC_SEED is the seed. NFACC_COMPILED
 * and NFACC_COMPILED_CYCLES set the number of machines and of cycles.
 */
#include <inttypes.h>
#include <string.h>

#include "backends/etm/etm_map.h"
#include "compiler/pipeline.h"
#include "contract/etm/etm_text.h"
#include "probes/etm/model/feed.h"
#include "probes/etm/tests/random_machine.h"
#include "testsuite/setting.h"
#include "testsuite/unit/tap.h"

/* A machine, and what the compiler made of it. */
struct compiled {
	struct random_machine m;
	struct pipeline p;
	struct buf text;
	struct nfart_image *image;
	struct nfart_engine *engine;
	struct etm_regs regs;
	struct etm_report report;
};

static void release_machine(struct compiled *c)
{
	nfart_engine_free(c->engine);
	nfart_image_free(c->image);
	pipeline_free(&c->p);
	buf_free(&c->text);
}

/* Compiles c->m. Returns the result of the mapper. */
static enum nfart_status compile_machine(struct compiled *c, const struct etm_core *core)
{
	static const struct etm_map_options layout = { .layout = ETM_LAYOUT_FEWEST };
	static const struct nfart_engine_options plain;
	struct pipeline_options o;
	struct nfart_error e;
	struct pipeline_file file = { .name = "random" };

	c->text = (struct buf){ 0 };
	c->image = NULL;
	c->engine = NULL;
	random_machine_text(&c->m, &c->text);
	pipeline_options_init(&o);
	o.overlay.o.none = true;
	o.front.protocol = "pmu_a53";
	file.text = c->text.at;
	file.n = c->text.n;
	pipeline_run(&c->p, &o, &file, 1);
	c->image = nfart_image_load(c->p.job.made.image.at, c->p.job.made.image.n, "random", &e);
	if (c->image != NULL)
		c->engine = nfart_engine_new(c->image, &plain, &e);
	if (c->p.spec.machines.n != 1 || c->engine == NULL) {
		diag_print(&c->p.diags, stderr, false);
		return NFART_INTERNAL;
	}
	return etm_map(&c->p.spec, core, &layout, &c->p.diags, &c->regs, &c->report);
}

/*
 * For each set of events: the batch of a cycle with these events, and what the macrocell sees of
 * it.
 */
static void all_inputs(const struct compiled *c, const struct etm_core *core,
		       struct nfart_batch batch[4], struct macrocell_inputs in[4])
{
	const struct nfart_proto *p = c->p.spec.proto;
	int refill = nfart_proto_slot(p, "pmu@21"), wb = nfart_proto_slot(p, "pmu@22");
	int other = nfart_proto_slot(p, "cti@0");
	struct feed feed;

	feed_init(&feed, &c->regs, core, p);
	for (unsigned events = 0; events < 4; events++) {
		batch[events] = (struct nfart_batch){
			.mask = (uint64_t)(events & 1) << refill | (uint64_t)(events >> 1) << wb |
				(uint64_t)1 << other };
		nfart_proto_header(p, (uint32_t)other, "CTI_TRIGGER", 0,
				   &batch[events].header[other]);
		feed_inputs(&feed, &batch[events], &in[events]);
	}
}

/* The outputs of the source that are on, from the pins of the macrocell. */
static uint32_t outputs_of(const struct compiled *c, uint32_t pins)
{
	uint32_t on = 0;

	for (uint32_t i = 0; i < c->p.spec.outputs.n; i++)
		if (c->report.output[i] < ETM_OUTPUTS && (pins >> c->report.output[i] & 1) != 0)
			on |= c->p.spec.outputs.at[i][1] == '0' ? 1 : 2;
	return on;
}

/* Executes the batch in the engine. Returns the outputs that are on. */
static uint32_t engine_step(struct compiled *c, struct nfart_batch *b)
{
	const char *const *names = nfart_image_labels(c->image);
	struct nfart_result r;
	uint32_t on = 0;

	b->time = c->m.now;
	b->when = c->m.tick != 0 && c->m.now > 1 && c->m.now % c->m.tick == 0 ? NFART_TICK : 0;
	if (!nfart_engine_step(c->engine, b, &r))
		return UINT32_MAX;
	for (uint32_t l = 0; l < r.nlabels; l++)
		if ((r.labels[l / 64] >> l % 64 & 1) != 0)
			on |= strcmp(names[l], "|o0") == 0 ? 1 : 2; /* "|" marks outputs */
	return on;
}

static bool same_outputs(struct compiled *c, const struct etm_core *core, uint64_t cycles,
			 uint64_t *seed)
{
	struct etm_reading reading = { .priority = false };
	struct macrocell_inputs in[4];
	struct nfart_batch batch[4];
	struct macrocell cell;
	uint32_t density = 1 + random_below(seed, 7);

	all_inputs(c, core, batch, in);
	macrocell_init(&cell, &c->regs, reading);
	for (uint64_t i = 0; i < cycles; i++) {
		uint32_t events = random_below(seed, 8) < density ? random_below(seed, 4) : 0;

		random_machine_step(&c->m, events);
		macrocell_step(&cell, &in[events]);
		if (engine_step(c, &batch[events]) != c->m.output[c->m.state]) {
			printf("# cycle %" PRIu64 ": the engine differs\n", c->m.now);
			return false;
		}
		if (macrocell_state(&cell) != c->report.state[c->m.state] ||
		    outputs_of(c, cell.outputs) != c->m.output[c->m.state]) {
			printf("# cycle %" PRIu64 ": s%" PRIu32 " should be state %u, is %u; "
			       "outputs %#x\n", c->m.now, c->m.state, c->report.state[c->m.state],
			       macrocell_state(&cell), cell.outputs);
			return false;
		}
	}
	return true;
}

static void print_text(const struct buf *b)
{
	for (const char *s = b->at; *s != 0; s++) {
		if (s == b->at || s[-1] == '\n')
			printf("# ");
		putchar(*s);
	}
}

int main(void)
{
	uint64_t seed = setting("NFACC_SEED", 1), machines = setting("NFACC_COMPILED", 50);
	uint64_t cycles = setting("NFACC_COMPILED_CYCLES", 100000), drawn = 0, found = 0;
	struct diags d = { .werror = false };
	struct etm_core core;
	struct tap t = { 0 };

	if (etm_core_find(&d, NULL, 0, "a53", 3, &core) != NFART_OK)
		return 99;
	printf("# NFACC_SEED=%" PRIu64 "\n", seed);
	while (found < machines && drawn < 200 * machines) {
		static struct compiled c;
		enum nfart_status status;

		random_machine(&c.m, &seed);
		drawn++;
		status = compile_machine(&c, &core);
		if (status == NFART_OK) {
			bool ok = same_outputs(&c, &core, cycles, &seed);

			found++;
			if (!ok)
				print_text(&c.text);
			if (!ok || found % 10 == 0)
				tap_case(&t, ok, "machine %" PRIu64, found);
		} else if (status != NFART_NOFIT) {
			print_text(&c.text);
			tap_case(&t, false, "machine %" PRIu64 " ends with %d", drawn, status);
		}
		release_machine(&c);
	}
	tap_case(&t, found == machines, "%" PRIu64 " machines of %" PRIu64 " drawn fit", found,
		 drawn);
	diag_free(&d);
	return tap_end(&t);
}
