/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/command/wrong_input.h"

#include <ctype.h>
#include <string.h>

#include "contract/image/image.h"
#include "contract/image/record.h"

static bool input_begins(const struct buf *text, const char *with)
{
	size_t n = strlen(with);

	return text->n >= n && memcmp(text->at, with, n) == 0;
}

/* Is the first line that is not empty batch text: a time, and then a message or a loss? No
 * statement of the languages begins with a number. */
static bool begins_batch(const struct buf *text)
{
	const char *s = text->n != 0 ? text->at : "", *rest;

	s += strspn(s, " \t\r\n");
	rest = s + strspn(s, "0123456789");
	if (rest == s || (*rest != ' ' && *rest != '\t'))
		return false;
	rest += strspn(rest, " \t");
	if (*rest == '!')
		return true;
	s = rest;
	while (isalnum((unsigned char)*rest) || *rest == '_' || *rest == '.')
		rest++;
	return rest != s && (*rest == '@' || *rest == '=');
}

bool wrong_input_report(struct diags *d, const char *name, const struct buf *text)
{
	const struct diag_range nowhere = { DIAG_NO_SOURCE, 0, 0 };
	bool standard = strcmp(name, "-") == 0;
	const char *shown = standard ? "standard input" : name, *file = standard ? "FILE" : name;
	size_t at;

	if (input_begins(text, IMAGE_MAGIC)) {
		at = diag_report(d, DIAG_ERROR, "wrong-input", nowhere,
				 "%s is an image, not a filter", shown);
		diag_note(d, at, nowhere, "to run it over a trace: nfarun %s TRACE", file);
		diag_note(d, at, nowhere, "to see what is in it: nfacc --inspect %s", file);
		return true;
	}
	if (input_begins(text, TRACE_MAGIC) || begins_batch(text))
		at = diag_report(d, DIAG_ERROR, "wrong-input", nowhere,
				 "%s is a trace, not a filter", shown);
	else if (input_begins(text, "\037\213") || input_begins(text, "\050\265\057\375"))
		at = diag_report(d, DIAG_ERROR, "wrong-input", nowhere,
				 "%s is compressed, as a trace can be, and no filter", shown);
	else
		return false;
	diag_note(d, at, nowhere, "to run a filter over it: nfarun -e 'FILTER' %s", file);
	diag_note(d, at, nowhere, "to run an image over it: nfarun CFG.BIN %s", file);
	return true;
}
