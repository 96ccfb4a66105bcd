/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* run_bus.c: runs the front end on a recording of the bus of one, instead of in a model. */
#include "probes/virtual/tool/run.h"

#include <inttypes.h>
#include <stdlib.h>

#include "probes/virtual/bus/port.h"

static const struct virt_port_kind *const ports[] = { [BUS_ACE] = &virt_port_ace,
						[BUS_ECI] = &virt_port_eci };

/* A snoop of the bus, as those of the model are told. Its cause is not known. */
struct sink {
	void (*sink)(void *ctx, const struct sys_snoop *s);
	void *ctx;
};

static void pass(void *ctx, const struct virt_snoop *s, const struct virt_annotated *a)
{
	const struct sink *to = ctx;
	const struct sys_snoop x = { .snoop = *s, .annotated = *a };

	if (to->sink != NULL)
		to->sink(to->ctx, &x);
}

/* Writes the registers, if the options say what is in them. */
static void set_up(const struct run *x, struct virt_replay *r)
{
	struct nfavirt_setup setup = sys_setup(&x->o->sys, x->o->pgd, x->o->asid);
	struct nfavirt_write w[NFAVIRT_WRITES];
	unsigned n = nfavirt_writes(&setup, w);

	for (unsigned i = 0; i < n && x->o->pgd_given; i++)
		virt_replay_write(r, w[i].offset, w[i].value);
}

/* Tells what of the recording the front end here could not use. */
static void warn_replay(const struct virt_replay *r)
{
	const struct virt_replay_counts *c = &r->counts;

	if (VIRT_GET(CTRL, ENABLE, r->front.regs.ctrl[0]) == 0)
		fprintf(stderr, "nfavirt: warning: the front end was never enabled: the recording "
				"has no writes to its registers; give --pgd and --asid\n");
	if (c->strange > 0)
		fprintf(stderr,
			"nfavirt: warning: %" PRIu64 " of %" PRIu64 " requests of the port are not "
			"those of this front end, so reads may be missed; its registers may be "
			"others (--pgd, --asid, --range, --observe), or the recording begins "
			"late\n",
			c->strange, c->requests);
	if (c->unread > 0)
		fprintf(stderr,
			"nfavirt: warning: the recording lacks the content of %" PRIu64 " lines of "
			"page tables, so reads may be missed\n",
			c->unread);
}

static enum nfart_status steps(struct virt_port *port, struct nfart_reader *reader,
			       struct nfart_error *e)
{
	struct nfart_batch b;
	int more;

	while ((more = nfart_reader_next(reader, &b, e)) == 1)
		if (b.mask == 0 && b.when == 0)
			virt_port_lost(port);
		else if (!virt_port_step(port, &b))
			return nfart_fail(e, NFART_GAVEUP,
					  "time %" PRIu64 ": more than %d snoops wait for their "
					  "answers, so these can't be told apart",
					  b.time, VIRT_PORT_WAITING);
	return more < 0 ? e->status : NFART_OK;
}

enum nfart_status run_bus(const struct run *x, void (*sink)(void *ctx, const struct sys_snoop *s),
			  void *ctx, struct virt_front *end, struct nfart_error *e)
{
	struct nfart_reader_options options = { 0 };
	const struct virt_port_kind *kind = ports[x->o->bus];
	struct sink to = { sink, ctx };
	struct trace_wave wave = x->o->wave;
	struct nfart_proto *p = nfart_proto_open(kind->protocol, e);
	struct virt_replay *r = virt_replay_new(x->o->sys.tracing.rtlb_entries, pass, &to);
	struct virt_port *port = p == NULL || r == NULL ? NULL : virt_port_new(kind, p, r);
	struct nfart_reader *reader = NULL;
	enum nfart_status status = NFART_SYSTEM;

	trace_wave_finish(&wave, &options);
	wave.options.taps = p;
	if (p != NULL && port == NULL)
		nfart_fail(e, NFART_SYSTEM, "out of memory");
	else if (p != NULL)
		reader = nfart_reader_open(x->o->trace, p, &options, e);
	if (reader != NULL) {
		set_up(x, r);
		status = steps(port, reader, e);
	}
	if (reader != NULL && status == NFART_OK) {
		warn_replay(r);
		*end = r->front;
	} else if (reader == NULL) {
		status = e->status;
	}
	nfart_reader_free(reader);
	free(port);
	virt_replay_free(r);
	nfart_proto_free(p);
	return status;
}
