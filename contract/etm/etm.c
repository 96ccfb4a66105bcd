/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "contract/etm/etm.h"

#include <stdio.h>
#include <string.h>

const struct etm_reg etm_reg_table[] = {
#define ETM_REG(member, name, type, offset, stride, count, text) \
	{ #name, offset, stride, count, offsetof(struct etm_regs, member), sizeof(type), text },
#include "contract/etm/etm.def"
	{ NULL, 0, 0, 0, 0, 0, NULL }
};

/* ---- registers ---- */

/* Reads the number of a register behind the name of an array. It has no leading zeros. */
static bool read_index(const char *at, size_t n, uint32_t count, uint32_t *index)
{
	uint32_t i = 0;

	if (n == 0 || n > 2 || (n == 2 && at[0] == '0'))
		return false;
	for (size_t j = 0; j < n; j++) {
		if (at[j] < '0' || at[j] > '9')
			return false;
		i = i * 10 + (uint32_t)(at[j] - '0');
	}
	*index = i;
	return i < count;
}

const struct etm_reg *etm_reg_find(const char *name, size_t n, uint32_t *index)
{
	for (const struct etm_reg *r = etm_reg_table; r->name != NULL; r++) {
		size_t len = strlen(r->name);

		if (n < len || memcmp(name, r->name, len) != 0)
			continue;
		*index = 0;
		if (n == len ? r->count == 1 || r->member == offsetof(struct etm_regs, extinsel)
			     : r->count > 1 && read_index(name + len, n - len, r->count, index))
			return r;
	}
	return NULL;
}

uint64_t etm_reg_get(const struct etm_regs *r, const struct etm_reg *reg, uint32_t index)
{
	const char *at = (const char *)r + reg->member + index * reg->size;
	uint32_t narrow;
	uint64_t wide;

	if (reg->size == sizeof wide) {
		memcpy(&wide, at, sizeof wide);
		return wide;
	}
	memcpy(&narrow, at, sizeof narrow);
	return narrow;
}

void etm_reg_set(struct etm_regs *r, const struct etm_reg *reg, uint32_t index, uint64_t value)
{
	char *at = (char *)r + reg->member + index * reg->size;
	uint32_t narrow = (uint32_t)value;

	if (reg->size == sizeof value)
		memcpy(at, &value, sizeof value);
	else
		memcpy(at, &narrow, sizeof narrow);
}

/* ---- readings ---- */

static const char *const points[] = { "priority", "zero", "delay", "overlap" };
enum { NPOINTS = sizeof points / sizeof *points };

struct etm_reading etm_reading_of(unsigned i)
{
	return (struct etm_reading){ .priority = i & 1, .zero = i & 2, .delay = i & 4,
				     .overlap = i & 8 };
}

unsigned etm_reading_number(struct etm_reading r)
{
	return (unsigned)r.priority | (unsigned)r.zero << 1 | (unsigned)r.delay << 2 |
	       (unsigned)r.overlap << 3;
}

void etm_reading_name(unsigned i, char name[static ETM_READING_NAME])
{
	size_t n = 0;

	snprintf(name, ETM_READING_NAME, "default");
	for (unsigned p = 0; p < NPOINTS; p++)
		if (i >> p & 1)
			n += (size_t)snprintf(name + n, ETM_READING_NAME - n, "%s%s",
					      n == 0 ? "" : "+", points[p]);
}

int etm_reading_find(const char *name, size_t n)
{
	const char *end = name + n;
	unsigned bits = 0;

	if (n == strlen("default") && memcmp(name, "default", n) == 0)
		return 0;
	while (name < end) {
		const char *plus = memchr(name, '+', (size_t)(end - name));
		size_t len = (size_t)((plus != NULL ? plus : end) - name);
		unsigned p = 0;

		while (p < NPOINTS &&
		       (strlen(points[p]) != len || memcmp(points[p], name, len) != 0))
			p++;
		if (p == NPOINTS || (bits >> p & 1) || (plus != NULL && plus + 1 == end))
			return -1;
		bits |= 1u << p;
		name += len + (plus != NULL);
	}
	return bits == 0 || bits >= ETM_READINGS ? -1 : (int)bits;
}
