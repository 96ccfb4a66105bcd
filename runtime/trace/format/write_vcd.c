/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Writes value change dumps (IEEE 1364, section 18), as GTKWave shows them. A cycle is a nanosecond
 * unless the writer has a clock.
 *
 *   slot     `valid` is 1 in the cycle of each message; `type`, `address` and `header` keep the
 *            values of the slot's last message. `type` is a string, which is an extension that
 *            GTKWave made and others read. `address` is x after a message without one.
 *   labels   A wire for each label, which is 1 in the cycles of the batches that it accepts. If
 *            results name lines, there are also the number of lines that accepted the label's last
 *            batch, and the first of them; the others are not in the dump, since that would take a
 *            wire for each line.
 *   trace    Wires for ticks, the end, damaged batches and losses, and how many messages were lost
 *            so far: x from the first loss of unknown size on.
 *
 * What happens in one cycle is collected in the variables, and written when the time goes on.
 * Memory does not grow with the trace.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/trace/batch.h"
#include "runtime/trace/format.h"
#include "runtime/trace/format/text.h"

enum kind {
	PULSE,  /* a wire that is 1 for one cycle */
	VECTOR, /* a number */
	TYPE    /* a string: the value is the code of a message */
};

struct value {
	bool known;
	uint64_t number;
};

struct variable {
	enum kind kind;
	unsigned width; /* in bits, of a vector */
	bool changed;   /* it is in vcd.changed */
	struct value now, written;
};

/* The variables of the trace, of a label and of a slot, in the order of the dump. */
enum { TICK, THE_END, DAMAGED, LOSS, LOST, TRACE_VARIABLES };
enum { ACCEPTED, LINES, LINE };
enum { VALID, MESSAGE_TYPE, ADDRESS, HEADER, SLOT_VARIABLES };

struct vcd {
	uint64_t time;       /* the current cycle */
	bool begun;          /* the values of the first cycle are written */
	uint32_t per_label;  /* how many variables a label has */
	uint32_t slots;      /* the index of the first slot's first variable */
	uint32_t n, nchanged, nhigh;
	uint32_t *changed;   /* [n]: the first `nchanged` are the variables that were set */
	uint32_t *high;      /* [n]: the first `nhigh` are the wires that are 1 */
	struct variable at[]; /* [n] */
};

/* ---- variables ---- */

/* Sets a variable in the current cycle. */
static void set(struct vcd *v, uint32_t i, struct value x)
{
	v->at[i].now = x;
	if (!v->at[i].changed)
		v->changed[v->nchanged++] = i;
	v->at[i].changed = true;
}

static void set_number(struct vcd *v, uint32_t i, uint64_t number)
{
	set(v, i, (struct value){ true, number });
}

/* Appends the identifier of a variable: its index in base 94, of printable characters. */
static void add_id(struct buf *b, uint32_t i)
{
	char id[8], *p = id;

	do
		*p++ = (char)('!' + i % 94);
	while ((i /= 94) != 0);
	buf_add(b, id, (size_t)(p - id));
}

static void add_bits(struct buf *b, uint64_t x)
{
	char bits[1 + 64], *p = bits + sizeof bits;

	do
		*--p = (char)('0' + (x & 1));
	while ((x >>= 1) != 0);
	*--p = 'b';
	buf_add(b, p, (size_t)(bits + sizeof bits - p));
}

/* Appends the name of a message's type, or the number of its opcode. */
static void add_type(struct buf *b, const struct nfart_proto *p, uint32_t code)
{
	buf_add(b, "s", 1);
	if (p->type_of[code] != 0) {
		text_string(b, p->types[p->type_of[code] - 1]);
		return;
	}
	buf_add(b, "#", 1);
	text_decimal(b, code & ((1u << p->op_bits) - 1));
}

/* Appends the value that variable i has now. A type that is not known has no value yet. */
static void add_value(struct nfart_writer *w, uint32_t i)
{
	struct vcd *v = w->state;
	struct variable *x = &v->at[i];

	x->written = x->now;
	if ((x->kind == TYPE && !x->now.known) || (x->kind == VECTOR && x->width == 0))
		return;
	if (x->kind == TYPE)
		add_type(&w->out, w->proto, (uint32_t)x->now.number);
	else if (x->kind == PULSE)
		buf_add(&w->out, x->now.number != 0 ? "1" : "0", 1);
	else if (x->now.known)
		add_bits(&w->out, x->now.number);
	else
		text_string(&w->out, "bx");
	if (x->kind != PULSE)
		buf_add(&w->out, " ", 1);
	add_id(&w->out, i);
	buf_add(&w->out, "\n", 1);
}

/* ---- time ---- */

/* Appends the time of a cycle. In traces with a clock this is a number of picoseconds. */
static bool add_time(struct nfart_writer *w, uint64_t cycle)
{
	unsigned __int128 t = cycle;

	if (w->o.clock != 0)
		t = t * 1000000000000u / w->o.clock;
	if (t > UINT64_MAX) {
		w->error = EOVERFLOW;
		return false;
	}
	buf_add(&w->out, "#", 1);
	text_decimal(&w->out, (uint64_t)t);
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
		text_string(&w->out, "$dumpvars\n");
		for (uint32_t i = 0; i < v->n; i++)
			add_value(w, i);
		text_string(&w->out, "$end\n");
		v->begun = true;
	}
	for (uint32_t k = 0; k < v->nchanged; k++) {
		struct variable *x = &v->at[v->changed[k]];
		x->changed = false;
		if (x->now.known == x->written.known && x->now.number == x->written.number)
			continue;
		if (!timed && !add_time(w, v->time))
			return;
		timed = true;
		add_value(w, v->changed[k]);
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
	if (v->at[i].now.number == 0)
		v->high[v->nhigh++] = i;
	set_number(v, i, 1);
}

static void put_loss(struct vcd *v, const struct nfart_batch *b)
{
	const struct value *lost = &v->at[LOST].now;

	pulse(v, LOSS);
	if (!lost->known || b->lost >= NFART_LOST_UNKNOWN - lost->number)
		set(v, LOST, (struct value){ false, 0 });
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

static void put_message(struct nfart_writer *w, uint32_t slot, uint64_t header)
{
	struct vcd *v = w->state;
	uint32_t i = v->slots + slot * SLOT_VARIABLES, code = proto_code(w->proto, slot, header);
	struct value none = { false, 0 };

	pulse(v, i + VALID);
	set_number(v, i + MESSAGE_TYPE, code);
	set_number(v, i + HEADER, header);
	if (bits_get(w->proto->has_addr, code))
		set_number(v, i + ADDRESS, proto_line(w->proto, header) << w->proto->line_shift);
	else
		set(v, i + ADDRESS, none);
}

static bool vcd_put(struct nfart_writer *w, const struct nfart_batch *b,
		    const struct nfart_result *r)
{
	struct vcd *v = w->state;

	if (!v->begun && v->nchanged == 0)
		v->time = b->time;
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
	free(v->changed);
	free(v->high);
	return writer_flush(w);
}

/* ---- opening ---- */

/* Appends a name. What no name in a dump may have becomes `_`. */
static void add_name(struct buf *b, const char *name)
{
	for (; *name != 0; name++)
		buf_add(b, *name > ' ' && *name <= '~' ? name : "_", 1);
}

static void open_scope(struct buf *b, const char *name)
{
	text_string(b, "$scope module ");
	add_name(b, name);
	text_string(b, " $end\n");
}

static void close_scope(struct buf *b)
{
	text_string(b, "$upscope $end\n");
}

/* Declares variable i. `width` is that of a vector; 0: there is no such variable. */
static void declare(struct nfart_writer *w, uint32_t i, enum kind kind, unsigned width,
		    const char *name)
{
	struct vcd *v = w->state;

	v->at[i] = (struct variable){ .kind = kind, .width = width };
	v->at[i].now.known = kind == PULSE || i == LOST;
	if (kind == VECTOR && width == 0)
		return;
	buf_addf(&w->out, "$var %s %u ", kind == TYPE ? "string" : "wire",
		 kind == VECTOR ? width : 1);
	add_id(&w->out, i);
	buf_add(&w->out, " ", 1);
	add_name(&w->out, name);
	text_string(&w->out, " $end\n");
}

static void declare_label(struct nfart_writer *w, uint32_t l)
{
	struct vcd *v = w->state;
	uint32_t i = TRACE_VARIABLES + l * v->per_label;

	if (v->per_label == 1) {
		declare(w, i + ACCEPTED, PULSE, 0, w->o.labels[l]);
		return;
	}
	open_scope(&w->out, w->o.labels[l]);
	declare(w, i + ACCEPTED, PULSE, 0, "accepted");
	declare(w, i + LINES, VECTOR, 32, "lines");
	declare(w, i + LINE, VECTOR, 64, "line");
	close_scope(&w->out);
}

static void declare_slot(struct nfart_writer *w, uint32_t slot)
{
	struct vcd *v = w->state;
	const struct nfart_proto *p = w->proto;
	uint32_t i = v->slots + slot * SLOT_VARIABLES;
	char name[80];

	proto_slot_name(p, slot, name);
	open_scope(&w->out, name);
	declare(w, i + VALID, PULSE, 0, "valid");
	declare(w, i + MESSAGE_TYPE, TYPE, 0, "type");
	declare(w, i + ADDRESS, VECTOR, p->addr_bits == 0 ? 0 : p->addr_bits + p->line_shift,
		"address");
	declare(w, i + HEADER, VECTOR, p->header_bits, "header");
	close_scope(&w->out);
}

/* Writes a note as a comment, which `$end` must end and nothing before. */
static void add_note(struct buf *b, const struct nfart_note *note)
{
	buf_addf(b, "$comment %s: ", note->name);
	for (const char *s = note->value; *s != 0; s++) {
		size_t n = strcspn(s, "\n$");

		buf_add_shown(b, s, n);
		s += n;
		if (*s == 0)
			break;
		buf_addf(b, strncmp(s, "$end", 4) == 0 ? "%c " : "%c", *s);
	}
	text_string(b, " $end\n");
}

static void declare_all(struct nfart_writer *w)
{
	struct buf *b = &w->out;

	buf_addf(b, "$version libnfart %d.%d.%d $end\n$timescale 1 %s $end\n",
		 NFART_VERSION_MAJOR, NFART_VERSION_MINOR, NFART_VERSION_PATCH,
		 w->o.clock == 0 ? "ns" : "ps");
	for (uint32_t i = 0; w->o.provenance && i < w->o.nnotes; i++)
		add_note(b, &w->o.notes[i]);
	open_scope(b, w->proto->name);
	open_scope(b, "trace");
	declare(w, TICK, PULSE, 0, "tick");
	declare(w, THE_END, PULSE, 0, "end");
	declare(w, DAMAGED, PULSE, 0, "damaged");
	declare(w, LOSS, PULSE, 0, "loss");
	declare(w, LOST, VECTOR, 64, "lost");
	close_scope(b);
	open_scope(b, "labels");
	for (uint32_t l = 0; l < w->o.nlabels; l++)
		declare_label(w, l);
	close_scope(b);
	for (uint32_t slot = 0; slot < w->proto->nslots; slot++)
		declare_slot(w, slot);
	close_scope(b);
	text_string(b, "$enddefinitions $end\n");
}

bool detect_vcd(const unsigned char *p, size_t n)
{
	return n != 0 && p[0] == '$';
}

bool write_vcd_open(struct nfart_writer *w, struct nfart_error *e)
{
	uint32_t per_label = w->o.by_line ? LINE + 1 : 1;
	size_t slots = TRACE_VARIABLES + (size_t)w->o.nlabels * per_label;
	size_t n = slots + (size_t)w->proto->nslots * SLOT_VARIABLES;
	struct vcd *v = n > UINT32_MAX ? NULL : calloc(1, sizeof *v + n * sizeof v->at[0]);

	w->state = v;
	if (v != NULL) {
		v->changed = calloc(n, sizeof *v->changed);
		v->high = calloc(n, sizeof *v->high);
	}
	if (v == NULL || v->changed == NULL || v->high == NULL) {
		if (v != NULL) {
			free(v->changed);
			free(v->high);
		}
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		return false;
	}
	v->per_label = per_label;
	v->slots = (uint32_t)slots;
	v->n = (uint32_t)n;
	w->put = vcd_put;
	w->finish = vcd_finish;
	declare_all(w);
	writer_flush(w);
	return true;
}
