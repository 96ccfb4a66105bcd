/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Damages a file that nfacc made for several cores, one digit at a time, and one line at a time:
 *
 *	damage FORM CORES REGISTERS FILE
 *
 * FORM is that of --emit. REGISTERS has the registers that the file must have, as JSON or a table
 * for one core. What reads files back for the proof must take the file as it is, and refuse each
 * damaged one. testsuite/etm-cores.test runs it.
 */
#include <inttypes.h>
#include <string.h>

#include "backends/etm/proof/etm_files.h"
#include "contract/etm/etm_dump.h"
#include "contract/etm/etm_text.h"

/* Of each form: how lines begin in which each digit counts, what they must hold, and where what
 * counts ends. Comments are free, and so is the name of a machine. */
static const struct part {
	const char *form, *begin, *has, *end;
	bool whole; /* nor may the line be missing */
} parts[] = {
	{ "table", "0x", "  TRC", "  \n", true },
	{ "table", "0x", "  CTI", "\n", true },
	{ "table", "# core ", "", "\n", true },
	{ "json", "\t\t{ \"name\": ", "", "\n", true },
	{ "json", "\t{ \"core\": ", "", "\n", true },
	{ "header", "\t{ 0x", "", " }", true },
	{ "header", "{ /* core ", "", "\n", true },
	{ "header", "#define ETM_", "_CORES ", "\n", true },
	{ "header", "\tcti[0x", "", ";", true },
	{ "sysfs", "\techo ", " >\"$cti/", " >", true },
	{ "sysfs", "\techo ", " >\"$etm/", " >", false },
	{ "sysfs", "[ $# -eq ", "", " ]", true },
	{ "handler", "\t\tCORES = ", "", "\n", true },
	{ "handler", "\t\tTHROTTLING = ", "", ",", true },
	{ "handler", "\t\tfor (int i", "", "\n", true },
};

struct damaged {
	const struct etm_core *core;
	const struct etm_regs *regs;
	uint32_t cores;
	const char *form;
	char *text;
	unsigned tried, missed;
};

static bool accepts(struct damaged *d)
{
	struct buf wrong = { 0 };
	bool ok;

	etm_files_check(d->core, d->regs, d->cores, NULL, d->form, d->text, &wrong);
	ok = wrong.n == 0;
	buf_free(&wrong);
	return ok;
}

static void try(struct damaged *d, const char *what, const char *line)
{
	d->tried++;
	if (!accepts(d))
		return;
	d->missed++;
	printf("%s: taken: %.*s\n", what, (int)strcspn(line, "\n"), line);
}

static bool is_digit(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

/* Changes each digit of the numbers between two places. The 0 of 0x is none. */
static void damage_digits(struct damaged *d, char *line, char *end)
{
	bool number = false;

	for (char *at = line; at < end; at++) {
		char before = *at;

		if (before == 'x' && number && at[-1] == '0')
			continue;
		number = is_digit(before) && (number || (before <= '9' && at[-1] != '_'));
		if (!number || (before == '0' && at[1] == 'x'))
			continue;
		*at = before == '9' ? '8' : before == 'f' ? '7' : (char)(before + 1);
		if (before == 'a' || (before > 'a' && before < 'f'))
			*at = '5';
		try(d, "a digit", line);
		*at = before;
	}
}

static void damage_line(struct damaged *d, const struct part *p, char *line, size_t n)
{
	char *end = strstr(line + strlen(p->begin), p->end), copy[512];

	if (strcmp(p->end, "  \n") == 0) { /* the value of a row, and not what it means */
		end = strstr(line, "  TRC");
		end += 2 + strcspn(end + 2, " ");
		end += strspn(end, " ");
		end += strcspn(end, " \n");
	}
	damage_digits(d, strcmp(p->has, "_CORES ") == 0 ? strstr(line, p->has) : line,
		      end == NULL || end > line + n ? line + n : end);
	if (!p->whole || n >= sizeof copy)
		return;
	memcpy(copy, line, n);
	memset(line, '\n', n);
	try(d, "a line", copy);
	memcpy(line, copy, n);
}

static void damage(struct damaged *d)
{
	for (char *line = d->text; *line != 0;) {
		size_t n = strcspn(line, "\n"), k = 0;

		for (; k < sizeof parts / sizeof *parts; k++) {
			const struct part *p = &parts[k];
			char *has = strstr(line, p->has);

			if (strcmp(p->form, d->form) == 0 &&
			    strncmp(line, p->begin, strlen(p->begin)) == 0 && has != NULL &&
			    has < line + n)
				break;
		}
		if (k < sizeof parts / sizeof *parts)
			damage_line(d, &parts[k], line, n);
		line += n + (line[n] != 0);
	}
}

int main(int argc, char **argv)
{
	struct diags diags = { .werror = false };
	struct damaged d = { 0 };
	struct buf text = { 0 }, regs = { 0 };
	struct etm_core core;
	struct etm_dump dump;

	if (argc != 5 || etm_core_find(&diags, NULL, 0, "a53", 3, &core) != NFART_OK ||
	    buf_read_file(&regs, argv[3], 1 << 20) != 0 ||
	    etm_dump_read(regs.at, regs.n, argv[3], &dump, NULL) != NFART_OK ||
	    buf_read_file(&text, argv[4], 1 << 20) != 0) {
		fprintf(stderr, "damage FORM CORES REGISTERS FILE\n");
		return 2;
	}
	buf_add(&text, "", 1);
	d = (struct damaged){ .core = &core, .regs = &dump.regs, .form = argv[1],
			      .cores = (uint32_t)strtoul(argv[2], NULL, 10), .text = text.at };
	if (!accepts(&d)) {
		printf("the file as it is is refused\n");
		d.missed++;
	}
	damage(&d);
	printf("%u damaged, %u taken\n", d.tried, d.missed);
	buf_free(&text);
	buf_free(&regs);
	diag_free(&diags);
	return d.missed != 0 || d.tried < 2;
}
