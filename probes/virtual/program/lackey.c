/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/virtual/program/lackey.h"

#include <stdbool.h>
#include <string.h>

enum { LINE = 128 };

static int digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Parses `ADDRESS,BYTES` up to the end of the line. The address is hexadecimal. */
static bool parse_place(const char *s, uint64_t *va, unsigned *bytes)
{
	const char *begin = s;

	for (*va = 0; digit(*s) >= 0; s++) {
		if (*va >> 44 != 0)
			return false;
		*va = *va << 4 | (uint64_t)digit(*s);
	}
	if (s == begin || *s++ != ',')
		return false;
	begin = s;
	for (*bytes = 0; *s >= '0' && *s <= '9' && *bytes <= LACKEY_MOST_BYTES; s++)
		*bytes = *bytes * 10 + (unsigned)(*s - '0');
	return s != begin && (*s == 0 || *s == '\n') && *bytes > 0 && *bytes <= LACKEY_MOST_BYTES &&
	       *va + *bytes <= UINT64_C(1) << 48;
}

/*
 * Appends the accesses of a line. Returns NFART_OK, NFART_INPUT if the line is not from Lackey, or
 * NFART_SYSTEM.
 */
static enum nfart_status take_line(struct lackey *l, const char *line)
{
	static const struct {
		const char *begin;
		bool load, store;
		enum lackey_kind kind;
	} forms[] = {
		{ "I  ", false, false, LACKEY_FETCH },
		{ " L ", true, false, LACKEY_LOAD },
		{ " S ", false, true, LACKEY_STORE },
		{ " M ", true, true, LACKEY_LOAD },
	};

	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
		struct lackey_access a;
		uint64_t va;
		unsigned bytes;

		if (strncmp(line, forms[i].begin, 3) != 0)
			continue;
		if (!parse_place(line + 3, &va, &bytes))
			return NFART_INPUT;
		a.va = va & ((UINT64_C(1) << 48) - 1);
		a.bytes = bytes & 0x3fff;
		a.kind = LACKEY_LOAD & 3;
		if (!forms[i].load)
			a.kind = forms[i].kind & 3;
		if (!vec_push(&l->accesses, a))
			return NFART_SYSTEM;
		a.kind = LACKEY_STORE & 3;
		if (forms[i].load && forms[i].store && !vec_push(&l->accesses, a))
			return NFART_SYSTEM;
		return NFART_OK;
	}
	return NFART_INPUT;
}

static enum nfart_status wrong_line(const char *name, uint64_t number, const char *line,
				    struct nfart_error *e)
{
	nfart_fail(e, NFART_INPUT,
		   "this is not a line of valgrind's Lackey; expected is "
		   "'I  ADDRESS,BYTES', or the same with ' L', ' S' or ' M', with at most "
		   "%d bytes",
		   LACKEY_MOST_BYTES);
	snprintf(e->file, sizeof e->file, "%s", name);
	snprintf(e->source, sizeof e->source, "%.*s", (int)strcspn(line, "\n"), line);
	e->line = number;
	e->column = 1;
	return NFART_INPUT;
}

enum nfart_status lackey_read(struct lackey *l, FILE *f, const char *name, struct nfart_error *e)
{
	char line[LINE];
	bool inside = false; /* the buffer begins within a long line of valgrind's own */

	for (uint64_t number = 1; fgets(line, sizeof line, f) != NULL;) {
		bool ends = strchr(line, '\n') != NULL;
		enum nfart_status status = NFART_OK;

		if (!inside && strncmp(line, "==", 2) != 0 && strncmp(line, "--", 2) != 0 &&
		    line[0] != '\n') {
			status = take_line(l, line);
			if (status == NFART_INPUT)
				return wrong_line(name, number, line, e);
			if (status != NFART_OK)
				return nfart_fail(e, status, "out of memory");
		}
		if (l->accesses.n > LACKEY_MOST_ACCESSES)
			return nfart_fail(e, NFART_INPUT, "%s: more than %d accesses", name,
					  LACKEY_MOST_ACCESSES);
		inside = !ends;
		number += ends;
	}
	if (ferror(f))
		return nfart_fail(e, NFART_SYSTEM, "can't read %s", name);
	return NFART_OK;
}

void lackey_free(struct lackey *l)
{
	vec_free(&l->accesses);
}
