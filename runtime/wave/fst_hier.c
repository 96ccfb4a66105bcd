/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Reads the geometry and the hierarchy of an FST.
 *
 * Note [records of a hierarchy]
 * Each begins with a byte. Names end with a byte of 0.
 *
 *   254  a scope: kind, name, name of the component
 *   255  the scope ends
 *   252  an attribute begins: kind, kind, name, varint
 *   253  an attribute ends
 *   else a variable: direction, name, width, handle (varints); 0 is the next new handle
 */
#include <errno.h>
#include <stdlib.h>

#include "runtime/wave/fst.h"
#include "support/buf.h"

enum {
	ATTRIBUTE = 252, ATTRIBUTE_END = 253, SCOPE = 254, SCOPE_END = 255,
	EVENT = 0, REAL = 3, REAL_PARAMETER = 4, PORT = 18, REALTIME = 20, STRING = 21,
	SHORTREAL = 29, MOST_VARIABLE = 63
};

struct hierarchy {
	struct fst *f;
	const unsigned char *p, *begin, *end;
	uint64_t at;      /* the place of the packed hierarchy in the file, for messages */
	uint32_t scope;
	uint32_t nhandles; /* so many handles are new so far */
};

static const struct fst_block *find_block(const struct fst *f, enum fst_kind kind)
{
	for (size_t i = 0; i < f->blocks.n; i++)
		if (f->blocks.at[i].kind == kind)
			return &f->blocks.at[i];
	return NULL;
}

/* ---- geometry ---- */

/* Appends the shape of one more handle. The array has room for them in steps of powers of two. */
static bool add_shape(struct fst *f, struct fst_shape s)
{
	if ((f->nhandles & (f->nhandles - 1)) == 0) {
		size_t cap = f->nhandles == 0 ? 1 : 2 * (size_t)f->nhandles;
		struct fst_shape *wider = realloc(f->shapes, cap * sizeof *wider);
		if (wider == NULL)
			return false;
		f->shapes = wider;
	}
	f->shapes[f->nhandles++] = s;
	return true;
}

static bool read_shapes(struct fst *f, const struct fst_block *b, const unsigned char *p,
			const unsigned char *end, uint64_t n, struct nfart_error *e)
{
	for (uint64_t i = 0; i < n; i++) {
		struct fst_shape s = { 0 };
		uint64_t x;
		if (!fst_varint(&p, end, &x))
			return fst_fail(f, e, b->at, "the geometry has fewer handles than it says");
		if (x == UINT32_MAX)
			x = 0;
		else if (x == 0)
			s = (struct fst_shape){ .n = 8, .real = true };
		if (x > WAVE_MOST_WIDTH)
			return fst_fail(f, e, b->at, "a value of more than 16777216 bits");
		if (x != 0)
			s.n = (uint32_t)x;
		if (!add_shape(f, s))
			return wave_fail_memory(f->w, e);
	}
	return true;
}

static bool read_geometry(struct fst *f, const struct fst_block *b, struct nfart_error *e)
{
	unsigned char head[16], *all;
	uint64_t unpacked, n;
	bool ok;

	if (b->n < sizeof head)
		return fst_fail(f, e, b->at, "the geometry is too short");
	if (!fst_read(f, b->at, head, sizeof head, e))
		return false;
	unpacked = fst_number(head);
	n = fst_number(head + 8);
	if (n > unpacked || n >= UINT32_MAX)
		return fst_fail(f, e, b->at, "the geometry has fewer bytes than handles");
	all = fst_load_part(f, b->at + sizeof head, b->n - sizeof head, unpacked, e);
	if (all == NULL)
		return false;
	ok = read_shapes(f, b, all, all + unpacked, n, e);
	free(all);
	return ok;
}

/* ---- hierarchy ---- */

static bool fail(struct hierarchy *h, struct nfart_error *e, const char *what)
{
	char text[200];

	snprintf(text, sizeof text, "%s, at byte %zu of the unpacked hierarchy", what,
		 (size_t)(h->p - h->begin));
	return fst_fail(h->f, e, h->at, text);
}

static bool take_name(struct hierarchy *h, const char **name, size_t *n)
{
	const unsigned char *zero = h->p == h->end ? NULL
					    : memchr(h->p, 0, (size_t)(h->end - h->p));

	if (zero == NULL)
		return false;
	*name = (const char *)h->p;
	*n = (size_t)(zero - h->p);
	h->p = zero + 1;
	return true;
}

static bool take_byte(struct hierarchy *h, unsigned *x)
{
	if (h->p == h->end)
		return false;
	*x = *h->p++;
	return true;
}

static bool read_scope(struct hierarchy *h, struct nfart_error *e)
{
	const char *name, *component;
	size_t n, other;
	unsigned kind;

	if (!take_byte(h, &kind) || !take_name(h, &name, &n) || !take_name(h, &component, &other))
		return fail(h, e, "a scope is cut");
	h->scope = wave_add_scope(h->f->w, h->scope, name, n);
	return h->scope != WAVE_NO_SCOPE || wave_fail_memory(h->f->w, e);
}

static bool read_attribute(struct hierarchy *h, struct nfart_error *e)
{
	const char *name;
	size_t n;
	uint64_t x;
	unsigned kind;

	return (take_byte(h, &kind) && take_byte(h, &kind) && take_name(h, &name, &n) &&
		fst_varint(&h->p, h->end, &x)) || fail(h, e, "an attribute is cut");
}

static enum wave_kind kind_of(unsigned type, uint64_t width)
{
	switch (type) {
	case EVENT:
		return WAVE_EVENT;
	case REAL:
	case REAL_PARAMETER:
	case REALTIME:
	case SHORTREAL:
		return WAVE_REAL;
	case PORT: /* values of extended VCD, which are texts */
	case STRING:
		return WAVE_STRING;
	default:
		return width == 0 ? WAVE_STRING : WAVE_LOGIC;
	}
}

static bool read_variable(struct hierarchy *h, unsigned type, struct nfart_error *e)
{
	struct fst *f = h->f;
	struct wave_variable v = { .scope = h->scope };
	const char *name;
	size_t n;
	uint64_t width, handle;
	unsigned direction;

	if (!take_byte(h, &direction) || !take_name(h, &name, &n) ||
	    !fst_varint(&h->p, h->end, &width) || !fst_varint(&h->p, h->end, &handle))
		return fail(h, e, "a variable is cut");
	v.kind = kind_of(type, width);
	if (width > WAVE_MOST_WIDTH)
		return fail(h, e, "a variable of more than 16777216 bits");
	if (handle > h->nhandles)
		return fail(h, e, "a variable with the value of a later one");
	v.width = (uint32_t)width;
	if (handle == 0) {
		handle = ++h->nhandles;
		/* Without geometry, the variables say what there is. */
		if (f->nhandles < handle && find_block(f, FST_GEOMETRY) != NULL)
			return fail(h, e, "more variables than values");
		if (f->nhandles < handle &&
		    !add_shape(f, (struct fst_shape){ .n = v.kind == WAVE_REAL ? 8 : v.width,
						      .real = v.kind == WAVE_REAL }))
			return wave_fail_memory(f->w, e);
	}
	v.value = (uint32_t)(handle - 1);
	if (v.kind == WAVE_LOGIC && f->shapes[v.value].real)
		v.kind = WAVE_REAL;
	else if (v.kind == WAVE_LOGIC && f->shapes[v.value].n == 0)
		v.kind = WAVE_STRING;
	return wave_add_variable(f->w, v, name, n) || wave_fail_memory(f->w, e);
}

static bool read_records(struct hierarchy *h, struct nfart_error *e)
{
	bool ok = true;

	while (ok && h->p < h->end) {
		unsigned type = *h->p++;
		if (type == SCOPE) {
			ok = read_scope(h, e);
		} else if (type == SCOPE_END) {
			ok = h->scope != WAVE_NO_SCOPE ||
			     fail(h, e, "a scope ends, but none is open");
			if (ok)
				h->scope = h->f->w->scopes.at[h->scope].parent;
		} else if (type == ATTRIBUTE) {
			ok = read_attribute(h, e);
		} else if (type <= MOST_VARIABLE) {
			ok = read_variable(h, type, e);
		} else if (type != ATTRIBUTE_END) {
			ok = fail(h, e, "a record of an unknown kind (fst2vcd may read it)");
		}
	}
	return ok;
}

/* ---- where it is ---- */

/* Loads and unpacks the hierarchy of a block. NULL: *e says why. */
static unsigned char *load_block(struct fst *f, const struct fst_block *b, uint64_t *n,
				 struct nfart_error *e)
{
	bool twice = b->kind == FST_HIERARCHY_LZ4_TWICE;
	unsigned char head[18], *once, *all;
	size_t nhead = b->n < sizeof head ? (size_t)b->n : sizeof head;
	const unsigned char *p = head + 8;
	uint64_t packed, inner = 0;

	if (!fst_read(f, b->at, head, nhead, e))
		return NULL;
	if (nhead < 8 || (twice && !fst_varint(&p, head + nhead, &inner))) {
		fst_fail(f, e, b->at, "the hierarchy is too short");
		return NULL;
	}
	*n = fst_number(head);
	nhead = (size_t)(p - head);
	packed = b->n - nhead;
	if (!twice)
		return fst_load_packed(f, b->at + nhead, packed, *n,
				       b->kind == FST_HIERARCHY_GZ ? FST_PACK_GZIP : FST_PACK_LZ4,
				       e);
	once = fst_load_packed(f, b->at + nhead, packed, inner, FST_PACK_LZ4, e);
	if (once == NULL)
		return NULL;
	all = fst_may_unpack(inner, *n) ? malloc((size_t)*n + 1) : NULL;
	if (all == NULL && fst_may_unpack(inner, *n)) {
		wave_fail_memory(f->w, e);
	} else if (all == NULL ||
		   !fst_unpack(FST_PACK_LZ4, once, (size_t)inner, all, (size_t)*n)) {
		fst_fail(f, e, b->at, "the hierarchy is damaged");
		free(all);
		all = NULL;
	}
	free(once);
	return all;
}

/* Loads the hierarchy of a file that was not closed from the file beside it. */
static unsigned char *load_beside(struct fst *f, uint64_t *n, struct nfart_error *e)
{
	struct buf path = { 0 }, all = { 0 };
	int error = ENOMEM;

	buf_addf(&path, "%s.hier", f->w->name);
	if (!path.failed && f->file.fd >= 0)
		error = buf_read_file(&all, path.at, WAVE_MOST_BLOCK);
	else
		error = ENOENT;
	if (error == ENOMEM)
		wave_fail_memory(f->w, e);
	else if (error != 0)
		wave_fail(f->w, e, 0, "this FST was never closed, so it has no hierarchy; that "
			  "should be in the file '%s': %s", path.failed ? "" : path.at,
			  strerror(error));
	buf_free(&path);
	*n = all.n;
	if (error == 0 && all.at == NULL)
		wave_fail(f->w, e, 0, "its hierarchy, in the file beside it, is empty");
	return error == 0 ? (unsigned char *)all.at : NULL;
}

bool fst_read_hierarchy(struct fst *f, struct nfart_error *e)
{
	static const enum fst_kind kinds[] = { FST_HIERARCHY_GZ, FST_HIERARCHY_LZ4,
					       FST_HIERARCHY_LZ4_TWICE };
	const struct fst_block *b = find_block(f, FST_GEOMETRY);
	struct hierarchy h = { .f = f, .scope = WAVE_NO_SCOPE };
	unsigned char *all;
	uint64_t n = 0;
	bool ok;

	if (b != NULL && !read_geometry(f, b, e))
		return false;
	b = NULL;
	for (size_t i = 0; i < 3 && b == NULL; i++)
		b = find_block(f, kinds[i]);
	if (b == NULL)
		f->unfinished = true;
	all = b != NULL ? load_block(f, b, &n, e) : load_beside(f, &n, e);
	if (all == NULL)
		return false;
	h.p = h.begin = all;
	h.end = all + n;
	h.at = b != NULL ? b->at : 0;
	ok = read_records(&h, e);
	free(all);
	/* Values are as wide as the file stores them, if no variable is wider. */
	for (size_t i = 0; ok && i < f->w->values.n; i++) {
		struct wave_value *v = &f->w->values.at[i];
		if (v->logic && v->width < f->shapes[i].n)
			v->width = f->shapes[i].n;
	}
	return ok;
}
