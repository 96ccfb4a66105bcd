/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * save_file.h: the save file for GTKWave beside a value change dump: `waves.gtkw` beside
 * `waves.vcd`. It replaces only a file that nfarun wrote: a user who saves in GTKWave what the
 * windows show may well take the same name.
 */
#ifndef NFARUN_SAVE_FILE_H
#define NFARUN_SAVE_FILE_H

#include "support/outfile.h"

struct nfarun_options;
struct nfart_writer;

struct save_file {
	struct outfile file;
	char *path;          /* NULL: there is no save file */
	char *name, *dump;   /* the names of the save file and of the dump, without folders */
};

/* Opens the save file for the dump that the options name, and lets the writer write it. If there
 * is a file of this name that is not to be replaced, none is opened, and unless the options say to
 * be quiet a note says so. */
enum nfart_status save_file_open(struct save_file *s, const struct nfarun_options *o,
				 struct nfart_writer *w, struct nfart_error *e);

/* Complete the save file, or remove it. Both free what *s has, and do nothing if *s is zeroed. */
enum nfart_status save_file_commit(struct save_file *s, struct nfart_error *e);
void save_file_abort(struct save_file *s);

#endif
