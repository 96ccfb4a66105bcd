/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * protocol.h: finds the protocol of a trace that is read without an image.
 */
#ifndef NFART_NFARUN_PROTOCOL_H
#define NFART_NFARUN_PROTOCOL_H

#include "contract/image/image.h"
#include "support/option.h"
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

struct option_dirs;

/* The same with parameters of a description, NAME=NUMBER each (-D); one that it does not have is an
 * error. */
int protocol_open_with(struct protocol *x, const char *tool, enum terminal_colour colour,
		       const char *name, const struct option_dirs *dirs,
		       const struct option_dirs *params);

/* Opens the description of the protocol that an image was made with, for its taps, if it is found:
 * the file or name `given`, or what has the name of p. A parameter that it does not have may be one
 * of a filter. Nothing is said of what is wrong. False: there is none with taps that fits. */
bool protocol_open_taps(struct protocol *x, const struct nfart_proto *p, const char *given,
			const struct option_dirs *dirs, const struct option_dirs *params);

/* The same for the trace at `path`, NULL for standard input, where the user named no protocol. It
 * is eci; or, if the trace is a file that says it was made with another one, that. */
int protocol_open_for(struct protocol *x, const char *tool, enum terminal_colour colour,
		      const char *path, const char *const *dirs, size_t ndirs);

/* Opens the protocol `name`, or if that is NULL the one for the trace at `path`, as above. */
int protocol_open_any(struct protocol *x, const char *tool, enum terminal_colour colour,
		      const char *name, const char *path, const struct option_dirs *dirs,
		      const struct option_dirs *params);

/* Splits the path of a description, FOLDER/NAME.proto, into its folder and its name. */
void protocol_split(const char *path, struct buf *folder, struct buf *name);

/* Takes NAME=NUMBER. The row has AT a struct option_dirs. */
int protocol_take_param(const struct option_given *g);

/* -D: parameters of protocols, a struct option_dirs. */
#define PROTOCOL_ROW_PARAM(group, of, type, params)                                                \
	{ group, .verbs = of, .letter = 'D', .kind = OPTION_TEXT, .arg = "NAME=NUMBER",            \
	  .take = protocol_take_param, OPTION_AT(type, params), .repeats = true,                   \
	  .takes = "NAME=NUMBER, at most 64 times",                                                \
	  .help = "set a parameter of the protocol, or of FILTER" }

#endif
