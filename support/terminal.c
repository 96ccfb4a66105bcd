/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "support/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { USUAL_WIDTH = 80 }; /* of a terminal that does not know its width */

static bool is_dumb(void)
{
	const char *term = getenv("TERM");

	return term != NULL && strcmp(term, "dumb") == 0;
}

bool terminal_has_colours(enum terminal_colour when, int fd)
{
	const char *no_colour = getenv("NO_COLOR");

	if (when != COLOUR_AUTO)
		return when == COLOUR_ALWAYS;
	return isatty(fd) && !is_dumb() && (no_colour == NULL || *no_colour == 0);
}

struct option_value terminal_colours(size_t i)
{
	static const char *const names[] = { "auto", "always", "never", NULL };

	return (struct option_value){ names[i], NULL };
}

bool terminal_line_possible(void)
{
	return isatty(STDERR_FILENO) && !is_dumb();
}

/* Returns how many bytes of the text have room in `columns` columns. A byte that goes on with a
 * character of UTF-8 takes no column. */
static size_t bytes_in(const char *text, size_t columns)
{
	size_t n = 0;

	for (size_t taken = 0; text[n] != 0; n++) {
		taken += ((unsigned char)text[n] & 0xc0) != 0x80;
		if (taken > columns)
			break;
	}
	return n;
}

void terminal_line_put(const char *text)
{
	struct winsize size;
	size_t columns = USUAL_WIDTH;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0)
		columns = size.ws_col;
	/* A text of the whole width would move the cursor to the next line on some terminals. */
	fprintf(stderr, "\r%.*s\033[K", (int)bytes_in(text, columns - 1), text);
	fflush(stderr);
}

void terminal_line_erase(void)
{
	fputs("\r\033[K", stderr);
}
