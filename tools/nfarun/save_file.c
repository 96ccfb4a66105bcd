/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfarun/save_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "runtime/trace/writer.h"
#include "tools/nfarun/nfarun_options.h"
#include "tools/nfarun/parts.h"

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

/* Sets the names of *s. An ending like .vcd or .vcd.gz becomes .gtkw. False: out of memory. */
static bool name_save_file(struct save_file *s, const char *dump)
{
	size_t n = strlen(dump), size = n + sizeof ".gtkw";

	if (nfart_compression_of_name(dump) != NFART_COMPRESSION_NONE)
		n = (size_t)(strrchr(dump, '.') - dump);
	if (n > 4 && strncmp(dump + n - 4, ".vcd", 4) == 0 && dump[n - 5] != '/')
		n -= 4;
	s->path = malloc(size);
	s->dump = strdup(base_name(dump));
	if (s->path == NULL || s->dump == NULL)
		return false;
	snprintf(s->path, size, "%.*s.gtkw", (int)n, dump);
	s->name = strdup(base_name(s->path));
	return s->name != NULL;
}

/* May the file at `path` be written? There is none, or one that nfarun wrote. */
static bool is_ours(const char *path)
{
	char begin[sizeof WRITER_SAVE_BEGIN - 1];
	struct stat st;
	FILE *f;
	bool ours;

	if (stat(path, &st) != 0)
		return true;
	f = S_ISREG(st.st_mode) ? fopen(path, "rb") : NULL;
	if (f == NULL)
		return false;
	ours = fread(begin, 1, sizeof begin, f) == sizeof begin &&
	       memcmp(begin, WRITER_SAVE_BEGIN, sizeof begin) == 0;
	fclose(f);
	return ours;
}

enum nfart_status save_file_open(struct save_file *s, const struct nfarun_options *o,
				 struct nfart_writer *w, struct nfart_error *e)
{
	enum nfart_status status = NFART_OK;

	if (!name_save_file(s, o->output.out))
		status = nfart_fail(e, NFART_SYSTEM, "out of memory");
	else if (!is_ours(s->path)) {
		if (!o->output.quiet)
			fprintf(stderr, "nfarun: %s stays as it is: nfarun did not write it\n",
				s->path);
	} else if ((status = parts_check(o, s->path, e)) == NFART_OK &&
		   (status = outfile_open(&s->file, s->path, e)) == NFART_OK)
		writer_save(w, s->file.f, s->name, s->dump);
	return status;
}

enum nfart_status save_file_commit(struct save_file *s, struct nfart_error *e)
{
	enum nfart_status status = NFART_OK;

	if (s->file.f != NULL)
		status = outfile_commit(&s->file, e);
	save_file_abort(s);
	return status;
}

void save_file_abort(struct save_file *s)
{
	outfile_abort(&s->file);
	free(s->path);
	free(s->name);
	free(s->dump);
	memset(s, 0, sizeof *s);
}
