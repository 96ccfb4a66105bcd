/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * protocol.h: finds the protocol of a trace that is read without an image.
 */
#ifndef NFART_NFARUN_PROTOCOL_H
#define NFART_NFARUN_PROTOCOL_H

#include "contract/image/image.h"
#include "support/terminal.h"

/* A protocol and what it belongs to: an image, or NULL if it stands alone. */
struct protocol {
	struct nfart_proto *p;
	struct nfart_image *image;
};

/* Is this the name of a file? It is if there is a `.` or `/` in it. NULL is none. */
bool protocol_is_file(const char *name);

/* Opens the protocol `name` for the program `tool`: that of NAME.proto in the ndirs folders `dirs`,
 * or a shipped one; or the file of this name, which is an image or a description. `colour` is for
 * messages about a description. Returns NFART_OK, or an exit code after an error was reported. Free
 * with protocol_close(). */
int protocol_open(struct protocol *x, const char *tool, enum terminal_colour colour,
		  const char *name, const char *const *dirs, size_t ndirs);
void protocol_close(struct protocol *x);

/* The same for the trace at `path`, NULL for standard input, where the user named no protocol. It
 * is eci; or, if the trace is a file that says it was made with another one, that. */
int protocol_open_for(struct protocol *x, const char *tool, enum terminal_colour colour,
		      const char *path, const char *const *dirs, size_t ndirs);

struct option_dirs;

/* Opens the protocol `name`, or if that is NULL the one for the trace at `path`, as above. */
int protocol_open_any(struct protocol *x, const char *tool, enum terminal_colour colour,
		      const char *name, const char *path, const struct option_dirs *dirs);

/* Splits the path of a description, FOLDER/NAME.proto, into its folder and its name. */
void protocol_split(const char *path, struct buf *folder, struct buf *name);

#endif
