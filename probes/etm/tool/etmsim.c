/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * etmsim: executes register values of a trace unit on a trace of a core's events, with one batch
 * for each cycle. It writes what the sequencer and the external outputs do. probes/etm/model/ has
 * the model.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "contract/etm/etm_dump.h"
#include "contract/etm/etm_text.h"
#include "contract/proto/proto.h"
#include "probes/etm/model/feed.h"
#include "probes/etm/tool/etmsim_options.h"
#include "runtime/trace/batch.h"
#include "support/cli.h"
#include "support/outfile.h"

enum { MOST_DUMP = 1 << 20 };

/* The labels in the output: the states, and the external outputs that are on. */
static const char *const labels[ETM_STATES + ETM_OUTPUTS] = {
	"state0", "state1", "state2", "state3", "extout0", "extout1", "extout2", "extout3"
};

struct sim {
	const struct etmsim_options *o;
	struct etm_core core;
	struct nfart_proto *proto;
	struct etm_dump dump;
	struct feed feed;
	struct macrocell m;
	struct nfart_writer *writer;
	uint64_t now;            /* number of cycles that were executed */
	uint32_t state, outputs; /* as they were last written */
};

static int report_error(const struct nfart_error *e)
{
	nfart_error_print(stderr, e);
	return (int)e->status;
}

/* ---- what comes in ---- */

/* Makes the protocol of the core's events. Returns an exit code. */
static int make_protocol(struct sim *x)
{
	struct buf text = { 0 };
	struct nfart_error e = { 0 };

	etm_core_protocol(&x->core, &text);
	if (text.failed)
		nfart_fail(&e, NFART_SYSTEM, "out of memory");
	else
		x->proto = nfart_proto_parse(text.at, text.n, x->o->core, &e);
	buf_free(&text);
	return x->proto != NULL ? NFART_OK : report_error(&e);
}

/* Finds the core and makes the protocol of its events. Returns an exit code. */
static int open_core(struct sim *x)
{
	const struct etmsim_options *o = x->o;
	struct diags d = { 0 };
	int code =
		(int)etm_core_find(&d, o->dirs.at, o->dirs.n, o->core, strlen(o->core), &x->core);

	if (code == NFART_NO)
		code = cli_wrong_use("etmsim", "--core: no such core:", o->core);
	else if (code == NFART_SYSTEM && d.records.n == 0)
		fprintf(stderr, "etmsim: error: out of memory\n");
	diag_print(&d, stderr, terminal_has_colours(o->colour, STDERR_FILENO));
	diag_free(&d);
	return code == NFART_OK ? make_protocol(x) : code;
}

/* How many registers of an array the core has. */
static uint32_t core_has(const struct etm_core *core, const struct etm_reg *reg)
{
	if (reg->member == offsetof(struct etm_regs, rsctl))
		return core->has.selectors;
	if (reg->member == offsetof(struct etm_regs, cntctl) ||
	    reg->member == offsetof(struct etm_regs, cntrldv) ||
	    reg->member == offsetof(struct etm_regs, cntv))
		return core->has.counters;
	if (reg->member == offsetof(struct etm_regs, acv) ||
	    reg->member == offsetof(struct etm_regs, acat))
		return 2 * core->has.ranges;
	if (reg->member == offsetof(struct etm_regs, extinsel))
		return core->ete ? ETM_EXTIN : 1;
	return reg->count;
}

/* Refuses a program that uses a register which the core does not have. */
static enum nfart_status check_program(const struct sim *x, struct nfart_error *e)
{
	for (const struct etm_reg *r = etm_reg_table; r->name != NULL; r++)
		for (uint32_t i = core_has(&x->core, r); i < r->count; i++)
			if (etm_reg_get(&x->dump.regs, r, i) != 0) {
				nfart_fail(e, NFART_INPUT, "core %s has no %s%" PRIu32,
					   x->core.name, r->name, i);
				snprintf(e->file, sizeof e->file, "%s", x->o->registers);
				return NFART_INPUT;
			}
	return NFART_OK;
}

static int open_registers(struct sim *x)
{
	struct buf b = { 0 };
	struct nfart_error e = { 0 };
	int error = buf_read_file(&b, x->o->registers, MOST_DUMP);
	enum nfart_status status;

	if (error != 0) {
		fprintf(stderr, "etmsim: error: can't read %s: %s\n", x->o->registers,
			strerror(error));
		return NFART_SYSTEM;
	}
	status = etm_dump_read(b.at != NULL ? b.at : "", b.n, x->o->registers, &x->dump, &e);
	if (status == NFART_OK)
		status = check_program(x, &e);
	buf_free(&b);
	return status != NFART_OK ? report_error(&e) : NFART_OK;
}

/* ---- cycles ---- */

/* Writes a batch together with the state and the outputs after it. */
static bool put_state(struct sim *x, const struct nfart_batch *b)
{
	uint64_t on = (uint64_t)1 << macrocell_state(&x->m) |
		      (uint64_t)x->m.outputs << ETM_STATES;
	struct nfart_result r = { .labels = &on, .nlabels = ETM_STATES + ETM_OUTPUTS,
				  .accepted = true };

	x->state = macrocell_state(&x->m);
	x->outputs = x->m.outputs;
	return nfart_writer_put(x->writer, b, &r);
}

static bool changed(const struct sim *x)
{
	return x->state != macrocell_state(&x->m) || x->outputs != x->m.outputs;
}

/*
 * Executes cycles without events, up to and including cycle `last`. If such a cycle changes
 * something, it is written with a tick, because only a counter can have caused it.
 */
static bool idle(struct sim *x, uint64_t last)
{
	while (x->now < last) {
		x->now += macrocell_idle(&x->m, last - x->now);
		if (changed(x)) {
			struct nfart_batch b = { .time = x->now, .when = NFART_TICK };

			if (!put_state(x, &b))
				return false;
		}
	}
	return true;
}

/* Executes the cycles before a batch of the trace, and the cycle of the batch. */
static enum nfart_status take_batch(struct sim *x, const struct nfart_batch *b,
				    struct nfart_error *e)
{
	struct macrocell_inputs in;

	if (b->time <= x->now)
		return nfart_fail(e, NFART_INPUT, "the batch of time %" PRIu64 " comes in cycle %"
				  PRIu64 " or later: cycles count from 1, and have a batch each",
				  b->time, x->now + 1);
	if (!idle(x, b->time - 1))
		return NFART_OK; /* the writer reports its error at the end */
	if (batch_is_loss(b))
		return nfart_writer_put(x->writer, b, NULL), NFART_OK;
	feed_inputs(&x->feed, b, &in);
	macrocell_step(&x->m, &in);
	x->now = b->time;
	if (x->o->all || changed(x))
		put_state(x, b);
	return NFART_OK;
}

/* Executes all cycles. */
static enum nfart_status execute_cycles(struct sim *x, struct nfart_error *e)
{
	struct nfart_reader_options from = { .format = x->o->from };
	struct nfart_reader *r;
	struct nfart_batch b;
	enum nfart_status status = NFART_OK;
	int got;

	if (x->o->trace != NULL) {
		r = nfart_reader_open(x->o->trace, x->proto, &from, e);
		if (r == NULL)
			return e->status;
		while (status == NFART_OK && (got = nfart_reader_next(r, &b, e)) != 0)
			if (x->o->until != 0 && got > 0 && b.time > x->o->until)
				break;
			else
				status = got < 0 ? e->status : take_batch(x, &b, e);
		nfart_reader_free(r);
	}
	if (status == NFART_OK && x->o->until > x->now)
		idle(x, x->o->until);
	return status;
}

/* Executes all cycles and writes to an open file. */
static enum nfart_status write_all(struct sim *x, FILE *f, struct nfart_error *e)
{
	struct nfart_writer_options to = { .format = x->o->to, .labels = labels,
					   .with_labels = true,
					   .nlabels = ETM_STATES + ETM_OUTPUTS };
	struct nfart_error ignored;
	enum nfart_status status, closed;

	feed_init(&x->feed, &x->dump.regs, &x->core, x->proto);
	macrocell_init(&x->m, &x->dump.regs, x->o->reading);
	x->state = macrocell_state(&x->m);
	x->writer = nfart_writer_new(f, x->proto, &to, e);
	if (x->writer == NULL)
		return e->status;
	status = execute_cycles(x, e);
	closed = nfart_writer_close(x->writer, status == NFART_OK ? e : &ignored);
	return status != NFART_OK ? status : closed;
}

static int run_sim(struct sim *x)
{
	const struct etmsim_options *o = x->o;
	struct outfile out = { 0 };
	struct nfart_error e = { 0 };
	enum nfart_status status = outfile_check(o->out, o->registers, &e);

	if (status == NFART_OK && o->trace != NULL)
		status = outfile_check(o->out, o->trace, &e);
	if (status == NFART_OK)
		status = outfile_open(&out, o->out, &e);
	if (status == NFART_OK)
		status = write_all(x, out.f, &e);
	if (status == NFART_OK)
		status = outfile_commit(&out, &e);
	outfile_abort(&out);
	return status != NFART_OK ? report_error(&e) : NFART_OK;
}

int main(int argc, char **argv)
{
	struct etmsim_options o;
	struct sim x = { .o = &o };
	int code = etmsim_options_parse(&o, argc, argv);

	if (code != OPTION_GO_ON)
		return cli_finish("etmsim", code);
	code = open_core(&x);
	if (code == NFART_OK)
		code = open_registers(&x);
	if (code == NFART_OK)
		code = run_sim(&x);
	nfart_proto_free(x.proto);
	return cli_finish("etmsim", code);
}
