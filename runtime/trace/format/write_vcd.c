/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Writes value change dumps (IEEE 1364, section 18), as GTKWave shows them. A cycle is a nanosecond
 * unless the writer has a clock.
 *
 *   slot     `valid` is 1 in the cycle of each message; `type`, `address` and `header` keep the
 *            values of the slot's last message. `type` is a string, which is an extension that
 *            GTKWave made and others read. `address` is x after a message without one, and so
 *            is each field of the header. The name of the slot stands before these names. A slot
 *            without messages is left out if the output is a regular file (vcd.h, Note [head of
 *            a dump]).
 *   pairs    For each rule the number of requests that are open, and how long the last request
 *            took that was answered, in the unit of the dump: the distance in time between its
 *            message and that of its answer. Of several answers in a cycle it is the longest.
 *   labels   A wire for each label, which is 1 in the cycles of the batches that it accepts. If
 *            results name lines, there are also the number of lines that accepted the label's last
 *            batch, and the first of them; the others are not in the dump, since that would take a
 *            wire for each line.
 *   trace    Wires for ticks, the end, damaged batches and losses, and how many messages were lost
 *            so far: x from the first loss of unknown size on.
 *
 * What happens in one cycle is collected in the variables, and written when the time goes on.
 * Memory grows with the requests that are open at once, and not with the trace.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/trace/batch.h"
#include "runtime/trace/format.h"
#include "runtime/trace/format/text.h"
#include "runtime/trace/format/vcd.h"

static void free_parts(struct vcd *v)
{
	buf_free(&v->head.text);
	vec_free(&v->head.parts);
	nfart_pairs_free(v->open);
	free(v->changed);
	free(v->high);
}

/* ---- variables ---- */

/* Sets a variable in the current cycle. */
static void vcd_set(struct vcd *v, uint32_t i, struct vcd_value x)
{
	v->variables[i].now = x;
	v->variables[i].used |= x.known;
	if (!v->variables[i].changed)
		v->changed[v->nchanged++] = i;
	v->variables[i].changed = true;
}

static void set_number(struct vcd *v, uint32_t i, uint64_t number)
{
	vcd_set(v, i, (struct vcd_value){ true, number });
}

/* ---- time ---- */

bool vcd_time(struct nfart_writer *w, uint64_t cycle, uint64_t *t)
{
	unsigned __int128 x = cycle;

	if (w->o.clock != 0)
		x = x * 1000000000000u / w->o.clock;
	*t = (uint64_t)x;
	if (x > UINT64_MAX)
		w->error = EOVERFLOW;
	return x <= UINT64_MAX;
}

/* Appends the time of a cycle. In traces with a clock this is a number of picoseconds. */
static bool add_time(struct nfart_writer *w, uint64_t cycle)
{
	uint64_t t;

	if (!vcd_time(w, cycle, &t))
		return false;
	buf_add(&w->out, "#", 1);
	text_decimal(&w->out, t);
	buf_add(&w->out, "\n", 1);
	return true;
}

/* Appends what has changed in the current cycle. */
static void put_cycle(struct nfart_writer *w)
{
	struct vcd *v = w->state;
	bool timed = false;

	if (!v->begun) {
		if (!add_time(w, v->time))
			return;
		vcd_add_first(w);
		v->begun = true;
	}
	for (uint32_t k = 0; k < v->nchanged; k++) {
		struct vcd_variable *x = &v->variables[v->changed[k]];
		x->changed = false;
		if (x->now.known == x->written.known && x->now.number == x->written.number)
			continue;
		if (!timed && !add_time(w, v->time))
			return;
		timed = true;
		vcd_add_value(w, v->changed[k]);
	}
	v->nchanged = 0;
}

/* Goes on to a later cycle: wires are 0 in the cycle after the one in which they were set. */
static void go_to(struct nfart_writer *w, uint64_t time)
{
	struct vcd *v = w->state;

	put_cycle(w);
	v->time++;
	for (uint32_t k = 0; k < v->nhigh; k++)
		set_number(v, v->high[k], 0);
	v->nhigh = 0;
	if (time != v->time)
		put_cycle(w);
	v->time = time;
}

/* ---- records ---- */

/* Makes a wire 1 for the current cycle. */
static void pulse(struct vcd *v, uint32_t i)
{
	if (v->variables[i].now.number == 0)
		v->high[v->nhigh++] = i;
	set_number(v, i, 1);
}

static void put_loss(struct vcd *v, const struct nfart_batch *b)
{
	const struct vcd_value *lost = &v->variables[LOST].now;

	pulse(v, LOSS);
	if (!lost->known || b->lost >= NFART_LOST_UNKNOWN - lost->number)
		vcd_set(v, LOST, (struct vcd_value){ false, 0 });
	else
		set_number(v, LOST, lost->number + b->lost);
}

static void put_labels(struct vcd *v, const struct nfart_result *r)
{
	size_t line = 0;

	for (size_t l = bits_next(r->labels, r->nlabels, 0); l < r->nlabels;
	     l = bits_next(r->labels, r->nlabels, l + 1)) {
		uint32_t i = TRACE_VARIABLES + (uint32_t)l * v->per_label;
		size_t first = line;
		pulse(v, i + ACCEPTED);
		while (r->by_line && line < r->nlines && r->lines[line].label == l)
			line++;
		if (line == first || v->per_label == 1)
			continue;
		set_number(v, i + LINES, line - first);
		set_number(v, i + LINE, r->lines[first].address);
	}
}

static void put_fields(struct nfart_writer *w, uint32_t slot, uint32_t code, uint64_t header)
{
	struct vcd *v = w->state;
	uint32_t i = vcd_slot(v, slot) + SLOT_VARIABLES;

	for (uint32_t field = 0; field < w->proto->names.nfields; field++, i++) {
		const struct proto_place *x;
		if (v->variables[i].width == 0)
			continue;
		x = proto_field_place(w->proto, field, code);
		if (x != NULL)
			set_number(v, i, proto_place_value(x, header));
		else
			vcd_set(v, i, (struct vcd_value){ false, 0 });
	}
}

static void put_message(struct nfart_writer *w, uint32_t slot, uint64_t header)
{
	struct vcd *v = w->state;
	uint32_t i = vcd_slot(v, slot), code = proto_code(w->proto, slot, header);
	struct vcd_value none = { false, 0 };
	const struct vcd_value *last = &v->variables[i + HEADER].now;

	pulse(v, i + VALID);
	if (last->known && last->number == header)
		return; /* the header says all the rest */
	set_number(v, i + MESSAGE_TYPE, code);
	set_number(v, i + HEADER, header);
	if (bits_get(w->proto->codes.has_addr, code))
		set_number(v, i + ADDRESS,
			   proto_line(w->proto, header) << w->proto->header.line_shift);
	else
		vcd_set(v, i + ADDRESS, none);
	put_fields(w, slot, code, header);
}

/* Takes note of what became of a request. */
static bool on_pair(void *ctx, const struct nfart_pair *pair)
{
	struct nfart_writer *w = ctx;
	struct vcd *v = w->state;
	uint32_t i = v->pairs + pair->rule * PAIR_VARIABLES + LATENCY;
	const struct vcd_variable *x = &v->variables[i];
	uint64_t begin, end;

	if (pair->outcome != NFART_PAIR_ANSWERED)
		return true;
	if (!vcd_time(w, pair->time, &begin) || !vcd_time(w, pair->answer_time, &end))
		return false;
	if (!x->changed || end - begin > x->now.number)
		set_number(v, i, end - begin);
	return true;
}

static void put_pairs(struct nfart_writer *w, const struct nfart_batch *b)
{
	struct vcd *v = w->state;

	if (v->open == NULL)
		return;
	if (!nfart_pairs_put(v->open, b) && w->error == 0)
		w->error = ENOMEM;
	for (uint32_t rule = 0; rule < w->proto->names.npairs; rule++) {
		uint32_t i = v->pairs + rule * PAIR_VARIABLES + OPEN;
		uint64_t n = nfart_pairs_in_flight(v->open, rule);
		if (n != v->variables[i].now.number)
			set_number(v, i, n);
	}
}

static bool vcd_put(struct nfart_writer *w, const struct nfart_batch *b,
		    const struct nfart_result *r)
{
	struct vcd *v = w->state;

	if (!v->begun && v->nchanged == 0)
		v->time = v->first = b->time;
	if (b->time != v->time)
		go_to(w, b->time);
	if (batch_is_loss(b))
		put_loss(v, b);
	else if (r != NULL && w->o.with_labels)
		put_labels(v, r);
	if ((b->when & NFART_TICK) != 0)
		pulse(v, TICK);
	if ((b->when & NFART_END) != 0)
		pulse(v, THE_END);
	if (b->damaged)
		pulse(v, DAMAGED);
	for (uint64_t m = b->mask; m != 0; m &= m - 1) {
		uint32_t slot = (uint32_t)__builtin_ctzll(m);
		put_message(w, slot, b->header[slot]);
	}
	put_pairs(w, b);
	return writer_flush(w);
}

/* Writes the last cycle, the one after it, in which all wires are 0, and the stated last time. */
static bool vcd_finish(struct nfart_writer *w)
{
	struct vcd *v = w->state;

	if (w->error == 0 && v->time != UINT64_MAX)
		go_to(w, v->time + 1);
	if (w->error == 0)
		put_cycle(w);
	if (w->error == 0 && w->until > v->time)
		add_time(w, w->until);
	if (writer_flush(w) && vcd_head_again(w))
		vcd_save(w);
	free_parts(v);
	return w->error == 0;
}

/* ---- opening ---- */

bool write_vcd_open(struct nfart_writer *w, struct nfart_error *e)
{
	uint32_t per_label = w->o.by_line ? LINE + 1 : 1;
	size_t slots = TRACE_VARIABLES + (size_t)w->o.nlabels * per_label;
	size_t per_slot = SLOT_VARIABLES + (size_t)w->proto->names.nfields;
	size_t pairs = slots + w->proto->nslots * per_slot;
	size_t n = pairs + (size_t)w->proto->names.npairs * PAIR_VARIABLES;
	struct vcd *v = n > UINT32_MAX ? NULL : calloc(1, sizeof *v + n * sizeof v->variables[0]);

	w->state = v;
	if (v != NULL) {
		v->changed = calloc(n, sizeof *v->changed);
		v->high = calloc(n, sizeof *v->high);
	}
	if (v != NULL && w->proto->names.npairs != 0)
		v->open = nfart_pairs_new(w->proto, on_pair, w, e);
	if (v == NULL || v->changed == NULL || v->high == NULL ||
	    (v->open == NULL && w->proto->names.npairs != 0)) {
		if (v != NULL)
			free_parts(v);
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		return false;
	}
	v->per_label = per_label;
	v->slots = (uint32_t)slots;
	v->per_slot = (uint32_t)per_slot;
	v->pairs = (uint32_t)pairs;
	v->n = (uint32_t)n;
	w->form.put = vcd_put;
	w->form.finish = vcd_finish;
	vcd_declare(w);
	return true;
}
