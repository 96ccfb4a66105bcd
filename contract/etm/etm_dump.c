/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "contract/etm/etm_dump.h"

#include <string.h>

/* A word of the text: what is neither blank nor punctuation, or what stands in quotes. */
struct word {
	size_t at, n;
	bool key; /* a colon follows */
};

struct dump_reader {
	const char *text;
	size_t n, at;
	const char *name;
	bool json;
	struct etm_dump *d;
	struct nfart_error *e;
	size_t count; /* registers stated so far */
};

/* Reports what is wrong at byte `at`, with the line's text. */
static enum nfart_status dump_wrong(struct dump_reader *r, size_t at, const char *what,
				    const struct word *w)
{
	size_t begin = at, line = 1, end = at;

	nfart_fail(r->e, NFART_INPUT, "%s%s%.*s%s", what, w != NULL ? " '" : "",
		   w != NULL ? (int)(w->n < 64 ? w->n : 64) : 0, w != NULL ? r->text + w->at : "",
		   w != NULL ? "'" : "");
	if (r->e == NULL)
		return NFART_INPUT;
	while (begin > 0 && r->text[begin - 1] != '\n')
		begin--;
	for (size_t i = 0; i < begin; i++)
		line += r->text[i] == '\n';
	while (end < r->n && r->text[end] != '\n')
		end++;
	r->e->line = line;
	r->e->column = at - begin + 1;
	snprintf(r->e->file, sizeof r->e->file, "%s", r->name);
	snprintf(r->e->source, sizeof r->e->source, "%.*s",
		 (int)(end - begin < 255 ? end - begin : 255), r->text + begin);
	return NFART_INPUT;
}

static bool is_one_of(char c, const char *set)
{
	return c != 0 && strchr(set, c) != NULL;
}

/* Does a comment begin at `at`? JSON has none. */
static bool is_comment(const struct dump_reader *r, size_t at)
{
	return !r->json &&
	       (r->text[at] == '#' || r->text[at] == ';' ||
		(r->text[at] == '/' && at + 1 < r->n && r->text[at + 1] == '/'));
}

/* Takes the next word before `end`. False: there is none. */
static bool next_word(struct dump_reader *r, size_t end, struct word *w)
{
	static const char between[] = " \t\r\n,=:{}[]";
	size_t at = r->at;

	while (at < end && is_one_of(r->text[at], between))
		at++;
	if (at == end || is_comment(r, at)) {
		r->at = end;
		return false;
	}
	bool quoted = r->text[at] == '"';
	w->at = at += quoted;
	while (at < end && (quoted ? r->text[at] != '"' : !is_one_of(r->text[at], between)) &&
	       (quoted || !is_comment(r, at)))
		at++;
	w->n = at - w->at;
	at += quoted && at < end;
	r->at = at;
	while (at < end && is_one_of(r->text[at], " \t\r\n"))
		at++;
	w->key = at < end && r->text[at] == ':';
	return true;
}

static bool is_word(const struct dump_reader *r, const struct word *w, const char *s)
{
	return w->n == strlen(s) && memcmp(r->text + w->at, s, w->n) == 0;
}

/* All of Arm's names of trace registers begin so. */
static bool is_register(const struct dump_reader *r, const struct word *w)
{
	return w->n > 3 && memcmp(r->text + w->at, "TRC", 3) == 0;
}

/* Those of its registers of the cross-trigger interface, which --cores adds, begin so. */
static bool is_channel(const struct dump_reader *r, const struct word *w)
{
	return w->n > 3 && memcmp(r->text + w->at, "CTI", 3) == 0;
}

/* Reads a number, decimal or 0x. False: the word is none, or it has more than 64 bits. */
static bool read_number(const struct dump_reader *r, const struct word *w, uint64_t *v)
{
	const char *s = r->text + w->at;
	size_t i = w->n > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') ? 2 : 0;
	uint64_t base = i == 2 ? 16 : 10;

	*v = 0;
	for (size_t first = i; i < w->n; i++) {
		static const char digits[] = "0123456789abcdef";
		char c = s[i] >= 'A' && s[i] <= 'F' ? (char)(s[i] - 'A' + 'a') : s[i];
		const char *found = c != 0 ? strchr(digits, c) : NULL;
		uint64_t digit = found != NULL ? (uint64_t)(found - digits) : base;

		if (digit >= base || *v > (UINT64_MAX - digit) / base || i - first >= 32)
			return false;
		*v = *v * base + digit;
	}
	return w->n != 0;
}

/* Takes in that the register `name` has the value `value`. */
static enum nfart_status dump_read_state(struct dump_reader *r, const struct word *name,
					 const struct word *value)
{
	uint32_t index;
	const struct etm_reg *reg = etm_reg_find(r->text + name->at, name->n, &index);
	uint64_t v;

	if (reg == NULL)
		return dump_wrong(r, name->at, "no register is called", name);
	if (!read_number(r, value, &v))
		return dump_wrong(r, value->at, "a number is expected instead of", value);
	if (reg->size == 4 && v > UINT32_MAX)
		return dump_wrong(r, value->at, "this is more than 32 bits:", value);
	if (etm_reg_get(&r->d->stated, reg, index) != 0)
		return dump_wrong(r, name->at, "this register was stated before:", name);
	etm_reg_set(&r->d->stated, reg, index, 1);
	etm_reg_set(&r->d->regs, reg, index, v);
	r->count++;
	return NFART_OK;
}

/* Reads a line that ends at `end`. */
static enum nfart_status read_line(struct dump_reader *r, size_t end, bool heading)
{
	size_t begin = r->at;
	struct word w, value;
	bool any = false;

	while (next_word(r, end, &w)) {
		any = true;
		if (is_channel(r, &w))
			return NFART_OK;
		if (!is_register(r, &w))
			continue;
		if (!next_word(r, end, &value))
			return dump_wrong(r, w.at, "there is no value behind", &w);
		r->at = end;
		return dump_read_state(r, &w, &value);
	}
	if (any && !heading)
		return dump_wrong(r, begin, "a register and its value are expected", NULL);
	return NFART_OK;
}

/* Does the block of a core begin here, with a line "# core N"? */
static bool is_core(const struct dump_reader *r)
{
	static const char begin[] = "# core ";
	size_t at = r->at + sizeof begin - 1, digits = at;

	if (r->n - r->at < sizeof begin - 1 || memcmp(r->text + r->at, begin, sizeof begin - 1) != 0)
		return false;
	while (at < r->n && is_one_of(r->text[at], "0123456789"))
		at++;
	return at != digits && (at == r->n || is_one_of(r->text[at], "\r\n"));
}

static enum nfart_status read_lines(struct dump_reader *r)
{
	bool heading = true, cores = false;

	/* Of several cores the first one is read. */
	while (r->at < r->n && !(cores && r->count != 0 && is_core(r))) {
		const char *newline = memchr(r->text + r->at, '\n', r->n - r->at);
		size_t begin = r->at, end = newline != NULL ? (size_t)(newline - r->text) : r->n;
		enum nfart_status status = read_line(r, end, heading);
		struct word w;

		if (status != NFART_OK)
			return status;
		r->at = begin;
		cores = cores || (r->count == 0 && is_core(r));
		heading = heading && !next_word(r, end, &w);
		r->at = end + 1;
	}
	return NFART_OK;
}

/* Reads JSON. What is no register, and neither names one nor gives its value, is passed over. */
static enum nfart_status read_json(struct dump_reader *r)
{
	struct word w, key = { 0 }, name = { 0 };
	enum nfart_status status = NFART_OK;
	bool cores = false;

	while (status == NFART_OK && next_word(r, r->n, &w)) {
		if (w.key) {
			key = w;
			continue;
		}
		/* Of several cores the first one is read. */
		if (is_word(r, &key, "core")) {
			if (cores && r->count != 0)
				break;
			cores = r->count == 0;
		}
		if (is_register(r, &key)) {
			status = dump_read_state(r, &key, &w);
		} else if (is_register(r, &w)) {
			name = w;
		} else if (name.n != 0 && is_word(r, &key, "value")) {
			status = dump_read_state(r, &name, &w);
			name.n = 0;
		}
		key.n = 0;
	}
	return status;
}

enum nfart_status etm_dump_read(const char *text, size_t n, const char *name, struct etm_dump *d,
				struct nfart_error *e)
{
	struct dump_reader r = { .text = text, .n = n, .name = name, .d = d, .e = e };
	enum nfart_status status;
	size_t first = 0;

	*d = (struct etm_dump){ 0 };
	while (first < n && is_one_of(text[first], " \t\r\n"))
		first++;
	r.json = first < n && (text[first] == '{' || text[first] == '[');
	status = r.json ? read_json(&r) : read_lines(&r);
	if (status == NFART_OK && r.count == 0)
		return dump_wrong(&r, first < n ? first : 0, "there is no register in it", NULL);
	return status;
}
