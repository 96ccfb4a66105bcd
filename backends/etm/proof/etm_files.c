/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Holds files that were written against registers (etm_files.h), and reads the plain forms. */
#include "backends/etm/proof/etm_files.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void etm_file_wrong(struct etm_file *f, const char *format, ...)
{
	char text[200];
	va_list ap;

	if (f->wrong.n != 0)
		return;
	va_start(ap, format);
	vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	buf_addf(&f->wrong, "%s", text);
}

const char *etm_file_number(const char *at, const char *prefix, uint64_t *value,
			    const char *suffix)
{
	char *end;

	if (strncmp(at, prefix, strlen(prefix)) != 0)
		return NULL;
	at += strlen(prefix);
	if (*at < '0' || *at > '9')
		return NULL;
	*value = strtoull(at, &end, 0);
	return strncmp(end, suffix, strlen(suffix)) == 0 ? end + strlen(suffix) : NULL;
}

/* ---- registers by their offsets ---- */

/* Returns the register that has an offset, and which one of an array; NULL: none has. */
static const struct etm_reg *register_at(uint32_t offset, uint32_t *index, bool *high)
{
	for (const struct etm_reg *r = etm_reg_table; r->name != NULL; r++)
		for (uint32_t i = 0; i < r->count; i++) {
			uint32_t at = r->offset + i * r->stride;

			*index = i;
			*high = r->size == 8 && offset == at + 4;
			if (offset == at || *high)
				return r;
		}
	return NULL;
}

void etm_file_state(struct etm_file *f, uint32_t offset, uint64_t value)
{
	uint32_t index = 0;
	bool high = false;
	const struct etm_reg *r = register_at(offset, &index, &high);
	uint64_t stated, part;

	if (r == NULL) {
		etm_file_wrong(f, "it writes to offset 0x%03" PRIx32 ", where no register is",
			       offset);
		return;
	}
	stated = etm_reg_get(&f->stated, r, index);
	part = high ? ETM_HIGH : r->size == 8 && !f->halves ? ETM_LOW | ETM_HIGH : ETM_LOW;
	if ((stated & part) != 0)
		etm_file_wrong(f, "it writes %s at 0x%03" PRIx32 " twice", r->name, offset);
	if (high)
		value = etm_reg_get(&f->regs, r, index) | value << 32;
	etm_reg_set(&f->stated, r, index, stated | part);
	etm_reg_set(&f->regs, r, index, value);
}

/* ---- the plain forms ---- */

/* Reads a channel's register, whose name is at `at`, and whose value stands behind `between`. */
static void channel(struct etm_file *f, const char *at, uint64_t offset, const char *between)
{
	struct cti_map any;
	char name[CTI_NAME] = "";
	size_t n = strcspn(at, " \"");
	uint64_t value = 0;

	cti_map_at(&any, offset < UINT32_MAX ? (uint32_t)offset : UINT32_MAX, name);
	if (f->blocks == 0 || strlen(name) != n || strncmp(name, at, n) != 0 ||
	    etm_file_number(at + n + strspn(at + n, " "), between, &value, "") == NULL)
		etm_file_wrong(f, "it has no register of channels as it says: %.*s",
			       (int)strcspn(at, "\n"), at);
	else
		etm_file_channel(f, f->blocks - 1, offset, value);
}

/* The block of the next core begins, and that before it has ended. */
static void next_core(struct etm_file *f, uint64_t core)
{
	etm_file_core_ends(f);
	etm_file_core(f, core);
}

/* The lines of a table have offset, name and value. */
void etm_file_table(struct etm_file *f)
{
	for (const char *line = f->text; *line != 0; line++) {
		uint64_t offset, value, core;
		const char *at = etm_file_number(line, "", &offset, "  CTI");

		if (at != NULL)
			channel(f, at - 3, offset, "");
		if (f->cores != 0 && etm_file_number(line, "# core ", &core, "\n") != NULL)
			next_core(f, core);
		at = etm_file_number(line, "", &offset, "  TRC");
		size_t n;
		uint32_t index, have;
		bool high;
		const struct etm_reg *r;

		if (at != NULL) {
			at -= 3;
			n = strcspn(at, " ");
			r = register_at((uint32_t)offset, &have, &high);
			if (r == NULL || etm_reg_find(at, n, &index) != r || index != have)
				etm_file_wrong(f, "it has %.*s at 0x%03" PRIx64, (int)n, at,
					       offset);
			at += n + strspn(at + n, " ");
			if (etm_file_number(at, "", &value, "") == NULL)
				etm_file_wrong(f, "it has no value for %s", r->name);
			else
				etm_file_state(f, (uint32_t)offset, value);
		}
		line += strcspn(line, "\n");
		if (*line == 0)
			break;
	}
	if (f->cores != 0)
		etm_file_core_ends(f);
}

/* Reads the registers of JSON between `at` and `end`. */
static void json_registers(struct etm_file *f, const char *at, const char *end)
{
	static const char begin[] = "{ \"name\": \"TRC";

	while ((at = strstr(at, begin)) != NULL && at < end) {
		uint64_t value, offset;
		const char *name = at + sizeof begin - 4, *quote = strchr(name, '"');
		uint32_t index, have = 0;
		bool high;
		const struct etm_reg *r = etm_reg_find(name, (size_t)(quote - name), &index);

		at = etm_file_number(quote, "\", \"value\": \"", &value, "\", ");
		at = at == NULL ? NULL : etm_file_number(at, "\"offset\": ", &offset, " }");
		if (r == NULL || at == NULL || register_at((uint32_t)offset, &have, &high) != r ||
		    have != index) {
			etm_file_wrong(f, "it has no register as it says: %.*s",
				       (int)strcspn(name, "\n"), name);
			return;
		}
		etm_file_state(f, (uint32_t)offset, value);
	}
}

/* Reads the registers of channels between `at` and `end`. */
static void json_channels(struct etm_file *f, const char *at, const char *end)
{
	static const char begin[] = "{ \"name\": \"CTI";

	while ((at = strstr(at, begin)) != NULL && at < end) {
		const char *name = at + sizeof begin - 4, *offset = strstr(name, "\"offset\": ");
		uint64_t number = UINT64_MAX;

		if (offset != NULL && offset < end)
			etm_file_number(offset, "\"offset\": ", &number, " }");
		channel(f, name, number, "\", \"value\": \"");
		at = name;
	}
}

void etm_file_json(struct etm_file *f)
{
	static const char begin[] = "\t{ \"core\": ";
	const char *end = f->text + strlen(f->text), *at = strstr(f->text, "\t\"cores\": [\n");

	if (f->cores == 0) {
		json_registers(f, f->text, end);
		return;
	}
	for (at = at == NULL ? NULL : strstr(at, begin); at != NULL;) {
		const char *next = strstr(at + 1, begin), *stop = next != NULL ? next : end;
		uint64_t core = UINT64_MAX;

		etm_file_number(at, begin, &core, ", \"registers\": [\n");
		etm_file_core(f, core);
		json_registers(f, at, stop);
		json_channels(f, at, stop);
		etm_file_core_ends(f);
		at = next;
	}
}

/* ---- against registers ---- */

/* Must a file state a register? Those that are read only, and the locks, are in no list of writes.
 * `used` are the inputs that events look at. */
static bool is_needed(const struct etm_file *f, const struct etm_reg *r, uint32_t i, uint64_t used)
{
	const struct etm_core *core = f->core;
	size_t member = r->member;

#define IS(name) (member == offsetof(struct etm_regs, name))
	if (IS(prgctl) || IS(stat) || IS(idr) || IS(oslar) || IS(lar) || IS(lsr))
		return false;
	if (IS(cntrldv) || IS(cntctl) || IS(cntv))
		return i < core->has.counters;
	if (IS(seqev))
		return i + 1 < core->has.states;
	if (IS(rsctl))
		return i >= 2 && i < core->has.selectors;
	if (IS(acv) || IS(acat))
		return (used >> (ETM_INPUT_RANGE + i / 2) & 1) != 0;
	if (IS(extinsel))
		return core->ete ? (used >> i & 1) != 0
				 : i == 0 && (used & ((1u << ETM_EXTIN) - 1)) != 0;
#undef IS
	return true;
}

/* Holds what the file says of register i of an array against what it must be. */
static void compare_register(struct etm_file *f, const struct etm_reg *r, uint32_t i, uint64_t used)
{
	uint64_t want = etm_reg_get(f->want, r, i), have = etm_reg_get(&f->regs, r, i);
	uint64_t parts = etm_reg_get(&f->stated, r, i);
	bool stated = parts != 0;
	char name[32];

	snprintf(name, sizeof name, r->count > 1 ? "%s%" PRIu32 : "%s", r->name, i);
	if (!stated && (want != 0 || is_needed(f, r, i, used)))
		etm_file_wrong(f, "it does not write %s at 0x%03" PRIx32, name,
			       r->offset + i * r->stride);
	else if (stated && r->size == 8 && parts != (ETM_LOW | ETM_HIGH))
		etm_file_wrong(f, "it writes half of %s", name);
	else if (stated && have != want)
		etm_file_wrong(f, "it writes 0x%" PRIx64 " to %s, and 0x%" PRIx64 " is proved",
			       have, name, want);
}

void etm_file_compare(struct etm_file *f)
{
	struct etm_machine m;
	uint64_t used;

	etm_decode(&m, f->want, f->core->ete, (struct etm_reading){ 0 });
	etm_uses(&m, &used, NULL, NULL);
	for (const struct etm_reg *r = etm_reg_table; r->name != NULL; r++)
		for (uint32_t i = 0; i < r->count; i++)
			compare_register(f, r, i, used);
}

void etm_files_check(const struct etm_core *core, const struct etm_regs *regs, uint32_t cores,
		     const struct etm_counts *counts, const char *name, const char *text,
		     struct buf *wrong)
{
	/* Whether a file has registers, and for several cores a block for each one, and channels.
	 * The script says both once for all cores. The module is for any trace unit. */
	static const struct {
		const char *name;
		void (*read)(struct etm_file *f);
		bool registers, blocks, channels;
	} forms[] = {
		{ "table", etm_file_table, true, true, true },
		{ "json", etm_file_json, true, true, true },
		{ "header", etm_file_header, true, true, true },
		{ "sysfs", etm_file_sysfs, true, false, true },
		{ "cscfg", etm_file_cscfg, true, false, false },
		{ "handler", etm_file_handler, false, false, false },
	};
	struct etm_file f = { .core = core, .want = regs, .text = text, .cores = cores,
			      .counts = counts };
	size_t i = 0;

	while (i < sizeof forms / sizeof *forms && strcmp(forms[i].name, name) != 0)
		i++;
	if (i == sizeof forms / sizeof *forms) {
		buf_addf(wrong, "nothing reads --emit=%s back\n", name);
		return;
	}
	forms[i].read(&f);
	if (forms[i].registers && (cores == 0 || !forms[i].blocks) && f.wrong.n == 0)
		etm_file_compare(&f);
	if (cores != 0 && forms[i].channels && f.wrong.n == 0)
		etm_file_check_channels(&f);
	if (f.wrong.n != 0)
		buf_addf(wrong, "--emit=%s is not what was proved: %.*s\n", name, (int)f.wrong.n,
			 f.wrong.at);
	wrong->failed |= f.wrong.failed;
	buf_free(&f.wrong);
}
