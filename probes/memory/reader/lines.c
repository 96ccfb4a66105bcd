/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/reader/lines.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/arena.h"

enum {
	HELD = 1 << 18, /* bytes that are collected and then written at once */
	MOST_LINE = 4 * LINES_MOST_NAME + 256,
	CACHED = 1 << 12, /* names of places that are cached, a power of two */
	MOST_CACHED = 96, /* longest name of a place that is cached */
	MOST_REGION = 32, /* longest name of a region that is cached */
	/*
	 * Cached text is copied in pieces of this size, because copies of a fixed length are fast.
	 * So some bytes after the text are copied too. The next part of the line overwrites them.
	 */
	PIECE = 32,
	LOW = 10000 /* the last four digits of a line's number are written separately */
};

/* The names of a place and its region, as they were when they were last written. */
struct cached {
	const struct place *place;
	uint64_t at, bytes;
	uint32_t number, replaced;
	uint8_t n, nregion;
	bool gone;
	char text[MOST_CACHED];
	char region[MOST_REGION]; /* begins with a comma */
};

struct lines {
	struct memory *memory;
	FILE *f;
	enum lines_form form;
	uint64_t number; /* number of the next event */
	uint64_t high;   /* the value of number / LOW for which `digits` was made */
	char digits[PIECE];
	size_t ndigits;
	struct arena arena;
	struct cached *cached;
	size_t n;         /* bytes collected in `held` */
	struct turns *turns;
	uint32_t process; /* process id at the end of each line; 0: no process id */
	char held[HELD];
};

struct lines *lines_new(struct memory *m, FILE *f, enum lines_form form)
{
	struct lines *l = calloc(1, sizeof *l);

	if (l == NULL)
		return NULL;
	l->cached = calloc(CACHED, sizeof l->cached[0]);
	if (l->cached == NULL) {
		free(l);
		return NULL;
	}
	l->memory = m;
	l->f = f;
	l->form = form;
	return l;
}

void lines_free(struct lines *l)
{
	if (l == NULL)
		return;
	arena_free(&l->arena);
	free(l->cached);
	free(l);
}

void lines_process(struct lines *l, uint32_t pid, struct turns *turns)
{
	l->process = pid;
	l->turns = turns;
	l->number = 0;
}

bool lines_flush(struct lines *l, struct nfart_error *e)
{
	size_t n = l->n;
	bool fine;

	l->n = 0;
	if (n == 0)
		return true;
	turns_take(l->turns);
	fine = fwrite(l->held, 1, n, l->f) == n && fflush(l->f) == 0;
	turns_give(l->turns);
	if (fine)
		return true;
	nfart_fail(e, NFART_SYSTEM, "can't write the trace: %s", strerror(errno));
	return false;
}

/* ---- names ---- */

static size_t cut_name(int n)
{
	return n < 0 ? 0 : n >= LINES_MOST_NAME ? LINES_MOST_NAME - 1 : (size_t)n;
}

size_t lines_code_name(struct names *n, uint64_t pc, bool after, char name[LINES_MOST_NAME])
{
	uint64_t offset = 0;
	const struct symbol *s = names_find(n, pc - after, &offset);
	const struct names_module *m = names_module(n, pc - after);

	if (s != NULL && s->code)
		return cut_name(
			snprintf(name, LINES_MOST_NAME, "%s+%" PRIu64, s->name, offset + after));
	if (m != NULL)
		return cut_name(snprintf(name, LINES_MOST_NAME, "%s+%" PRIu64, m->file->base,
					 pc - m->bias));
	return cut_name(snprintf(name, LINES_MOST_NAME, "0x%" PRIx64, pc));
}

size_t lines_place_name(struct names *n, const struct place *place, bool gone,
			char name[LINES_MOST_NAME])
{
	static const char *const kinds[] = { [PLACE_MALLOC] = "malloc",
					     [PLACE_CALLOC] = "calloc",
					     [PLACE_REALLOC] = "reallo",
					     [PLACE_MMAP] = "memmap",
					     [PLACE_MREMAP] = "mremap" };
	char caller[LINES_MOST_NAME];
	const char *what;

	if (place->number == 0)
		return cut_name(snprintf(name, LINES_MOST_NAME, "%s", place->name));
	lines_code_name(n, place->pc, true, caller);
	what = !gone ? kinds[place->kind] : place->kind >= PLACE_MMAP ? "unmap:" : "freed:";
	return cut_name(snprintf(name, LINES_MOST_NAME, "<%s%04" PRIu32 "@%.480s>", what,
				 place->number, caller));
}

/* ---- parts of lines ---- */

/* Not inlined. A compiler that knows n is small would use instructions that are slow to start. */
static __attribute__((noinline)) char *put(char *to, const char *s, size_t n)
{
	memcpy(to, s, n);
	return to + n;
}

/* Copies a text in pieces. Both buffers must have room for whole pieces. */
static inline char *put_pieces(char *to, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i += PIECE)
		memcpy(to + i, s + i, PIECE);
	return to + n;
}

/* The two digits of each number below 100. */
static const char pairs[] = "00010203040506070809101112131415161718192021222324"
			    "25262728293031323334353637383940414243444546474849"
			    "50515253545556575859606162636465666768697071727374"
			    "75767778798081828384858687888990919293949596979899";

/* Writes the four digits of a number below LOW. */
static void put_four(char *to, unsigned x)
{
	memcpy(to, pairs + x / 100 * 2, 2);
	memcpy(to + 2, pairs + x % 100 * 2, 2);
}

/*
 * Writes a decimal number. Most numbers are small, so these are cut out of four digits. Up to three
 * bytes after the number are overwritten.
 */
static char *put_decimal(char *to, uint64_t x)
{
	char four[8] = { 0 };
	unsigned n = 1;
	char *at;

	if (x < LOW) {
		n = x < 10 ? 1 : x < 100 ? 2 : x < 1000 ? 3 : 4;
		put_four(four, (unsigned)x);
		memcpy(to, four + 4 - n, 4);
		return to + n;
	}
	for (uint64_t most = 10; n < 20 && x >= most; most *= 10)
		n++;
	for (at = to + n; x >= 10; x /= 100)
		memcpy(at -= 2, pairs + x % 100 * 2, 2);
	if (at > to)
		*to = (char)('0' + x);
	return to + n;
}

static char *put_hex(char *to, uint64_t x)
{
	int shift = 60;

	*to++ = '0';
	*to++ = 'x';
	while (shift > 0 && x >> shift == 0)
		shift -= 4;
	for (; shift >= 0; shift -= 4)
		*to++ = "0123456789abcdef"[x >> shift & 15];
	return to;
}

/* Puts the names of a place and its region into the cache, unless they are too long. */
static void keep_name(struct cached *c, const struct place *place, const char *name, size_t n)
{
	size_t nregion = place->region != NULL ? strnlen(place->region, MOST_REGION) : 0;

	c->place = NULL;
	if (n > MOST_CACHED || nregion == MOST_REGION)
		return;
	*c = (struct cached){ .place = place,
			      .at = place->at,
			      .bytes = place->bytes,
			      .number = place->number,
			      .gone = place->gone,
			      .n = (uint8_t)n };
	memcpy(c->text, name, n);
	if (nregion > 0) {
		c->region[0] = ',';
		memcpy(c->region + 1, place->region, nregion);
		c->nregion = (uint8_t)(nregion + 1);
	}
}

/*
 * Writes the name of a place. Returns its cache entry, or NULL if the name is too long for the
 * cache.
 */
static const struct cached *put_place_name(struct lines *l, char **to, const struct place *place)
{
	struct cached *c = &l->cached[(uintptr_t)place / sizeof *place % CACHED];
	char name[LINES_MOST_NAME];
	size_t n;

	if (c->place != place || c->at != place->at || c->bytes != place->bytes ||
	    c->number != place->number || c->gone != place->gone ||
	    c->replaced != l->memory->replaced) {
		n = lines_place_name(l->memory->names, place, place->gone, name);
		keep_name(c, place, name, n);
		c->replaced = l->memory->replaced;
		*to = put(*to, name, n);
	} else {
		*to = put_pieces(*to, c->text, c->n);
	}
	return c->place != NULL ? c : NULL;
}

/* Writes an address as "NAME+OFFSET", or as a number if its place is not known. */
static char *put_where(struct lines *l, char *to, bool raw, const struct place *place,
		       uint64_t address)
{
	if (raw || place == NULL)
		return put_hex(to, address);
	put_place_name(l, &to, place);
	*to++ = '+';
	return put_decimal(to, address - place->at);
}

static char *put_region(char *to, const struct place *place)
{
	if (place == NULL || place->region == NULL)
		return to;
	*to++ = ',';
	return put(to, place->region, strnlen(place->region, LINES_MOST_NAME));
}

/* Does the same as put_where() followed by put_region(), but faster. */
static char *put_where_and_region(struct lines *l, char *to, bool raw, const struct place *place,
				  uint64_t address)
{
	const struct cached *c;

	if (raw || place == NULL)
		return put_region(put_hex(to, address), place);
	c = put_place_name(l, &to, place);
	*to++ = '+';
	to = put_decimal(to, address - place->at);
	return c != NULL ? put_pieces(to, c->region, c->nregion) : put_region(to, place);
}

/* Writes ",FUNCTION+OFFSET". For a site the text is made only once. */
static char *put_code(struct lines *l, char *to, bool raw, uint64_t pc, bool after,
		      struct memory_site *site)
{
	char name[LINES_MOST_NAME + 1], *text;
	size_t n;

	if (raw) {
		*to++ = ',';
		return put_hex(to, pc);
	}
	if (site != NULL && site->text != NULL)
		return put_pieces(to, site->text, site->text_bytes);
	name[0] = ',';
	n = 1 + lines_code_name(l->memory->names, pc, after, name + 1);
	text = site != NULL ? arena_alloc(&l->arena, n + PIECE) : NULL;
	if (text != NULL) {
		memcpy(text, name, n);
		site->text = text;
		site->text_bytes = (uint16_t)n;
	}
	return put(to, name, n);
}

static char *put_end(const struct lines *l, char *to, uint32_t thread)
{
	if (thread != 0) {
		to = put(to, ",T", 2);
		to = put_decimal(to, thread);
	}
	if (l->process != 0) {
		to = put(to, ",P", 2);
		to = put_decimal(to, l->process);
	}
	*to++ = '\n';
	return to;
}

/*
 * Writes the number of the line. All digits except for the last four are kept from the line before.
 */
static char *put_line_number(struct lines *l, char *to)
{
	uint64_t high = l->number / LOW;
	unsigned low = (unsigned)(l->number % LOW);

	if (high == 0)
		return put_decimal(to, low);
	if (high != l->high) {
		l->high = high;
		l->ndigits = (size_t)(put_decimal(l->digits, high) - l->digits);
	}
	to = put_pieces(to, l->digits, l->ndigits);
	put_four(to, low);
	return to + 4;
}

static char *put_head(struct lines *l, char *to, char letter, bool raw)
{
	*to++ = letter;
	*to++ = raw ? '#' : '$';
	to = put_line_number(l, to);
	*to++ = ':';
	return to;
}

/* ---- lines ---- */

static bool make_room(struct lines *l, struct nfart_error *e)
{
	return l->n + MOST_LINE <= HELD || lines_flush(l, e);
}

static void put_access(struct lines *l, const struct memory_access *a, char letter, bool raw)
{
	char *to = put_head(l, l->held + l->n, letter, raw);

	if (a->site != NULL && a->bytes == a->site->bytes) {
		to = put_where_and_region(l, to, raw, a->place, a->address);
	} else {
		/*
		 * The access may be by an instruction with a `rep` prefix or with a mask, so its size
		 * is written.
		 */
		to = put_where(l, to, raw, a->place, a->address);
		*to++ = ',';
		to = put_decimal(to, a->bytes);
		to = put_region(to, a->place);
	}
	to = put_code(l, to, raw, a->pc, false, a->site);
	l->n = (size_t)(put_end(l, to, a->thread) - l->held);
}

static bool take_letter(struct lines *l, const struct memory_access *a, char letter,
			struct nfart_error *e)
{
	for (int raw = l->form == LINES_RAW; raw <= (l->form != LINES_SYMBOLIC); raw++) {
		if (!make_room(l, e))
			return false;
		put_access(l, a, letter, raw);
	}
	l->number++;
	return true;
}

static bool take_access(void *ctx, const struct memory_access *a, struct nfart_error *e)
{
	return (a->kind == MEM_SAVE || take_letter(ctx, a, 'L', e)) &&
	       (a->kind == MEM_LOAD || take_letter(ctx, a, 'S', e));
}

static const char letters[MEM_EVENTS] = {
	[MEM_COPY] = 'Y',   [MEM_STORE] = 'W',  [MEM_FETCH] = 'G',   [MEM_FILL] = 'W',
	[MEM_MALLOC] = 'M', [MEM_CALLOC] = 'C', [MEM_REALLOC] = 'R', [MEM_FREE] = 'F',
	[MEM_MMAP] = 'P',   [MEM_MREMAP] = 'E', [MEM_MUNMAP] = 'U'
};

/* Writes the name of a block. Adds an offset only if the address is not the start of the block. */
static char *put_block(struct lines *l, char *to, bool raw, const struct place *place,
		       uint64_t address)
{
	if (raw || place == NULL || place->at != address)
		return put_where(l, to, raw, place, address);
	put_place_name(l, &to, place);
	return to;
}

static char *put_number(char *to, uint64_t x)
{
	*to++ = ',';
	return put_decimal(to, x);
}

static void put_event(struct lines *l, const struct memory_event *v, bool raw)
{
	char *to = put_head(l, l->held + l->n, letters[v->kind], raw);
	bool range = v->kind <= MEM_FILL, old = v->kind == MEM_REALLOC || v->kind == MEM_MREMAP;

	to = range ? put_where(l, to, raw, v->place, v->address)
		   : put_block(l, to, raw, v->place, v->address);
	if (v->kind == MEM_COPY) {
		*to++ = ',';
		to = put_where(l, to, raw, v->other, v->from);
	}
	if (v->kind != MEM_FREE)
		to = put_number(to, v->bytes);
	if (old && v->from != 0) {
		*to++ = ',';
		to = put_block(l, to, raw, v->other, v->from);
	}
	if (range)
		to = put_region(to, v->place);
	/* The name of a block says who allocated it, so an allocation needs no function. */
	if (raw || range || v->place == NULL || v->kind == MEM_FREE || v->kind == MEM_MUNMAP)
		to = put_code(l, to, raw, v->pc, true, NULL);
	l->n = (size_t)(put_end(l, to, v->thread) - l->held);
}

static bool take_event(void *ctx, const struct memory_event *v, struct nfart_error *e)
{
	struct lines *l = ctx;

	if (letters[v->kind] == 0)
		return true;
	for (int raw = l->form == LINES_RAW; raw <= (l->form != LINES_SYMBOLIC); raw++) {
		if (!make_room(l, e))
			return false;
		put_event(l, v, raw);
	}
	l->number++;
	return true;
}

struct memory_output lines_output(struct lines *l)
{
	return (struct memory_output){ .access = take_access, .event = take_event, .ctx = l };
}
