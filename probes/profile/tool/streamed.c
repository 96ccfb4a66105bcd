/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/tool/streamed.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/trace/codec/compress.h"

bool is_streamed(enum nfaperf_output to)
{
	return to == NFAPERF_EVENTS || to == NFAPERF_TRACE || to == NFAPERF_PERFETTO;
}

/* Writes the description of the protocol. */
static enum nfart_status write_protocol(const struct streamed *x, struct nfart_error *e)
{
	struct buf b = { 0 };
	struct outfile file = { 0 };
	enum nfart_status status = outfile_open(&file, x->o->events.protocol, e);

	events_protocol(&x->events, &b);
	if (status == NFART_OK && b.failed)
		status = nfart_fail(e, NFART_SYSTEM, "out of memory");
	if (status == NFART_OK) {
		fwrite(b.at, 1, b.n, file.f);
		status = outfile_commit(&file, e);
	}
	outfile_abort(&file);
	buf_free(&b);
	return status;
}

static enum nfart_status begin_events(struct streamed *x, struct rv_profile *p,
				      struct nfart_error *e)
{
	const struct nfaperf_options *o = x->o;
	enum nfart_status status;

	x->list = strdup(o->events.functions);
	if (x->list == NULL)
		return nfart_fail(e, NFART_SYSTEM, "out of memory");
	status = events_init(&x->events, p->code, x->list, (uint16_t)o->events.hart, e);
	if (status == NFART_OK && o->events.protocol != NULL)
		status = write_protocol(x, e);
	p->listener.changed = events_take;
	p->listener.changed_ctx = &x->events;
	return status;
}

enum nfart_status streamed_begin(struct streamed *x, const struct nfaperf_options *o,
				 struct rv_profile *p, uint64_t frequency, struct nfart_error *e)
{
	enum nfart_status status;

	*x = (struct streamed){ .o = o };
	if (o->to != NFAPERF_PERFETTO) {
		status = begin_events(x, p, e);
	} else {
		status = slices_init(&x->slices, p->code, (uint16_t)o->events.hart, frequency, e);
		p->listener.changed = slices_take;
		p->listener.changed_ctx = &x->slices;
		p->folding.keeps_numbers = true;
	}
	if (status == NFART_OK)
		status = outfile_open(&x->file, o->out, e);
	if (status == NFART_OK)
		status = compress_outfile(&x->file, o->out, e);
	if (status == NFART_OK && o->to != NFAPERF_PERFETTO)
		status = events_begin(&x->events, x->file.f,
				      o->to == NFAPERF_TRACE ? NFART_FORMAT_COMPACT
							     : NFART_FORMAT_TEXT, e);
	return status;
}

enum nfart_status streamed_end(struct streamed *x, const struct rv_profile *p,
			       struct nfart_error *e)
{
	enum nfart_status status = x->o->to == NFAPERF_PERFETTO
					   ? slices_end(&x->slices, p, x->file.f, e)
					   : events_end(&x->events, e);

	if (p->harts[x->o->events.hart] == NULL)
		fprintf(stderr, "nfaperf: warning: there are no tokens of hart %u\n",
			x->o->events.hart);
	if (x->events.lost != 0)
		fprintf(stderr,
			"nfaperf: warning: %llu events are missing, of cycles with too many "
			"events\n",
			(unsigned long long)x->events.lost);
	return status == NFART_OK ? outfile_commit(&x->file, e) : status;
}

void streamed_free(struct streamed *x)
{
	events_free(&x->events);
	slices_free(&x->slices);
	outfile_abort(&x->file);
	free(x->list);
}
