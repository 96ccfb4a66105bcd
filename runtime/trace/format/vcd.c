/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/trace/format/vcd.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "runtime/trace/format/text.h"

/* ---- values ---- */

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
	if (p->codes.type_of[code] != 0) {
		text_string(b, p->names.types[p->codes.type_of[code] - 1]);
		return;
	}
	buf_add(b, "#", 1);
	text_decimal(b, code & ((1u << p->header.op_bits) - 1));
}

void vcd_add_value(struct nfart_writer *w, uint32_t i)
{
	struct vcd *v = w->state;
	struct vcd_variable *x = &v->variables[i];

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

/* ---- parts of the head ---- */

/* Begins a part of the head: what w->out gets until end_part() is for this variable. */
static void begin_part(struct nfart_writer *w, uint32_t variable)
{
	struct vcd *v = w->state;
	struct vcd_part part = { .variable = variable, .begin = v->head.text.n + w->out.n };

	if (v->head.again && !vec_push(&v->head.parts, part))
		w->error = ENOMEM;
}

static void end_part(struct nfart_writer *w)
{
	struct vcd *v = w->state;

	if (v->head.again && v->head.parts.n != 0)
		v->head.parts.at[v->head.parts.n - 1].end = v->head.text.n + w->out.n;
}

/* Appends what is in w->out to the head that is kept. */
static void vcd_keep(struct nfart_writer *w)
{
	struct vcd *v = w->state;

	if (v->head.again)
		buf_add(&v->head.text, w->out.at, w->out.n);
}

/* ---- declarations ---- */

const char *const vcd_trace_names[TRACE_VARIABLES] = { "tick", "end", "damaged", "loss", "lost" };

void vcd_add_name(struct buf *b, const char *name)
{
	for (; *name != 0; name++)
		buf_add(b, *name > ' ' && *name <= '~' ? name : "_", 1);
}

void vcd_add_full_name(struct buf *b, const char *of, const char *name)
{
	if (of != NULL) {
		vcd_add_name(b, of);
		text_string(b, "_");
	}
	vcd_add_name(b, name);
}

void vcd_field_name(const struct nfart_proto *p, uint32_t field, char name[static VCD_FIELD_NAME])
{
	static const char *const others[] = { "valid", "type", "address", "header" };
	bool taken = false;

	for (size_t k = 0; k < sizeof others / sizeof *others; k++)
		taken |= strcmp(p->names.fields[field].name, others[k]) == 0;
	snprintf(name, VCD_FIELD_NAME, "%s%s", taken ? "field_" : "", p->names.fields[field].name);
}

static void open_scope(struct buf *b, const char *name)
{
	text_string(b, "$scope module ");
	vcd_add_name(b, name);
	text_string(b, " $end\n");
}

static void close_scope(struct buf *b)
{
	text_string(b, "$upscope $end\n");
}

/* Declares variable i, with the name `name` or, if `of` is not NULL, `of`_`name`: viewers show the
 * name without its scopes. `width` is that of a vector; 0: there is no such variable. */
static void variable_declare(struct nfart_writer *w, uint32_t i, enum vcd_kind kind, unsigned width,
			     const char *of, const char *name)
{
	struct vcd *v = w->state;

	v->variables[i] = (struct vcd_variable){ .kind = kind, .width = width };
	v->variables[i].now.known = kind == PULSE || i == LOST;
	if (kind == VECTOR && width == 0)
		return;
	buf_addf(&w->out, "$var %s %u ", kind == TYPE ? "string" : "wire",
		 kind == VECTOR ? width : 1);
	add_id(&w->out, i);
	buf_add(&w->out, " ", 1);
	vcd_add_full_name(&w->out, of, name);
	text_string(&w->out, " $end\n");
}

static void declare_label(struct nfart_writer *w, uint32_t l)
{
	struct vcd *v = w->state;
	uint32_t i = TRACE_VARIABLES + l * v->per_label;

	if (v->per_label == 1) {
		variable_declare(w, i + ACCEPTED, PULSE, 0, NULL, w->o.labels[l]);
		return;
	}
	open_scope(&w->out, w->o.labels[l]);
	variable_declare(w, i + ACCEPTED, PULSE, 0, w->o.labels[l], "accepted");
	variable_declare(w, i + LINES, VECTOR, 32, w->o.labels[l], "lines");
	variable_declare(w, i + LINE, VECTOR, 64, w->o.labels[l], "line");
	close_scope(&w->out);
}

/* Returns how many bits the widest place has that a field has in messages of a slot. 0: these
 * messages lack the field. */
static unsigned field_width(const struct nfart_proto *p, uint32_t slot, uint32_t field)
{
	const struct proto_field *f = &p->names.fields[field];
	uint32_t first = slot << p->header.op_bits, end = (slot + 1) << p->header.op_bits;
	unsigned widest = 0;

	for (uint32_t i = 0; i < f->nplaces; i++) {
		const struct proto_place *x = &f->places[i];
		if (x->bits > widest && (x->codes == NULL || bits_next(x->codes, end, first) < end))
			widest = x->bits;
	}
	return widest;
}

static void declare_field(struct nfart_writer *w, uint32_t slot, const char *slot_name,
			  uint32_t field)
{
	uint32_t i = vcd_slot(w->state, slot) + SLOT_VARIABLES + field;
	char name[VCD_FIELD_NAME];

	vcd_field_name(w->proto, field, name);
	begin_part(w, i);
	variable_declare(w, i, VECTOR, field_width(w->proto, slot, field), slot_name, name);
	end_part(w);
}

static void declare_slot(struct nfart_writer *w, uint32_t slot)
{
	struct vcd *v = w->state;
	const struct nfart_proto *p = w->proto;
	uint32_t i = vcd_slot(v, slot);
	char name[80];

	proto_slot_name(p, slot, name);
	begin_part(w, i + VALID);
	open_scope(&w->out, name);
	variable_declare(w, i + VALID, PULSE, 0, name, "valid");
	variable_declare(w, i + MESSAGE_TYPE, TYPE, 0, name, "type");
	variable_declare(w, i + ADDRESS, VECTOR,
			 p->header.addr_bits == 0 ? 0 : p->header.addr_bits + p->header.line_shift,
			 name, "address");
	variable_declare(w, i + HEADER, VECTOR, p->header.bits, name, "header");
	end_part(w);
	for (uint32_t field = 0; field < p->names.nfields; field++)
		declare_field(w, slot, name, field);
	begin_part(w, i + VALID);
	close_scope(&w->out);
	end_part(w);
}

static void declare_pair(struct nfart_writer *w, uint32_t rule)
{
	struct vcd *v = w->state;
	const char *name = w->proto->names.pairs[rule].name;
	uint32_t i = v->pairs + rule * PAIR_VARIABLES;

	begin_part(w, i + LATENCY);
	variable_declare(w, i + LATENCY, VECTOR, 64, name, "latency");
	end_part(w);
	begin_part(w, i + OPEN);
	variable_declare(w, i + OPEN, VECTOR, 32, name, "open");
	end_part(w);
	v->variables[i + OPEN].now.known = true;
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

/* Can what was written to w->f be written again? *at becomes the current place in
 * the file. */
static bool can_write_again(const struct nfart_writer *w, off_t *at)
{
	struct stat st;
	int fd = fileno(w->f), flags;

	if (fd < 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	flags = fcntl(fd, F_GETFL);
	*at = ftello(w->f);
	return flags >= 0 && (flags & O_APPEND) == 0 && *at >= 0;
}

bool vcd_declare(struct nfart_writer *w)
{
	struct vcd *v = w->state;
	struct buf *b = &w->out;

	v->head.again = can_write_again(w, &v->head.at);

	buf_addf(b, "$version libnfart %d.%d.%d $end\n$timescale 1 %s $end\n",
		 NFART_VERSION_MAJOR, NFART_VERSION_MINOR, NFART_VERSION_PATCH,
		 w->o.clock == 0 ? "ns" : "ps");
	for (uint32_t i = 0; w->o.provenance && i < w->o.nnotes; i++)
		add_note(b, &w->o.notes[i]);
	open_scope(b, w->proto->name);
	open_scope(b, "trace");
	for (uint32_t i = 0; i < TRACE_VARIABLES; i++)
		variable_declare(w, i, i == LOST ? VECTOR : PULSE, i == LOST ? 64 : 0, NULL,
				 vcd_trace_names[i]);
	close_scope(b);
	open_scope(b, "labels");
	for (uint32_t l = 0; l < w->o.nlabels; l++)
		declare_label(w, l);
	close_scope(b);
	for (uint32_t slot = 0; slot < w->proto->nslots; slot++)
		declare_slot(w, slot);
	if (w->proto->names.npairs != 0)
		open_scope(b, "pairs");
	for (uint32_t rule = 0; rule < w->proto->names.npairs; rule++)
		declare_pair(w, rule);
	if (w->proto->names.npairs != 0)
		close_scope(b);
	close_scope(b);
	text_string(b, "$enddefinitions $end\n");
	vcd_keep(w);
	return writer_flush(w);
}

/* ---- the head ---- */

void vcd_add_first(struct nfart_writer *w)
{
	struct vcd *v = w->state;
	uint32_t i = 0;

	text_string(&w->out, "$dumpvars\n");
	while (i < v->slots)
		vcd_add_value(w, i++);
	while (i < v->pairs) {
		begin_part(w, i + VALID);
		for (uint32_t k = 0; k < SLOT_VARIABLES; k++)
			vcd_add_value(w, i++);
		end_part(w);
		for (uint32_t k = SLOT_VARIABLES; k < v->per_slot; k++) {
			begin_part(w, i);
			vcd_add_value(w, i++);
			end_part(w);
		}
	}
	while (i < v->n) {
		begin_part(w, i);
		vcd_add_value(w, i++);
		end_part(w);
	}
	text_string(&w->out, "$end\n");
	vcd_keep(w);
}

/* Takes the parts out of the head whose variables are not used, and appends as many spaces. */
static void take_out_unused(struct vcd *v)
{
	char *head = v->head.text.at;
	size_t n = 0, from = 0;

	for (size_t i = 0; i < v->head.parts.n; i++) {
		const struct vcd_part *part = &v->head.parts.at[i];
		if (v->variables[part->variable].used)
			continue;
		memmove(head + n, head + from, part->begin - from);
		n += part->begin - from;
		from = part->end;
	}
	memmove(head + n, head + from, v->head.text.n - from);
	n += v->head.text.n - from;
	if (n < v->head.text.n) {
		memset(head + n, ' ', v->head.text.n - n);
		head[v->head.text.n - 1] = '\n';
	}
}

bool vcd_head_again(struct nfart_writer *w)
{
	struct vcd *v = w->state;
	off_t end;

	if (v->head.text.failed && w->error == 0)
		w->error = ENOMEM;
	if (w->error != 0 || !v->head.again || !writer_flush(w))
		return w->error == 0;
	take_out_unused(v);
	errno = 0;
	end = ftello(w->f);
	if (end < 0 || fseeko(w->f, v->head.at, SEEK_SET) != 0 ||
	    fwrite(v->head.text.at, 1, v->head.text.n, w->f) != v->head.text.n ||
	    fseeko(w->f, end, SEEK_SET) != 0)
		w->error = errno != 0 ? errno : EIO;
	return w->error == 0;
}

