/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "support/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/interrupt.h"

enum { TEMP_NAMES = 100 };

static enum nfart_status outfile_fail(const char *path, int error, struct nfart_error *e)
{
	nfart_fail(e, NFART_SYSTEM, "can't write: %s", strerror(error));
	if (e != NULL)
		snprintf(e->file, sizeof e->file, "%s", path != NULL ? path : "-");
	return NFART_SYSTEM;
}

/* Hashes a path by FNV-1a. A process can have many outputs that are not committed: with the hash in
 * the names of their temporary files a free name is found at once. */
static uint32_t hash(const char *path)
{
	uint32_t x = 2166136261u;

	for (; *path != 0; path++)
		x = (x ^ (unsigned char)*path) * 16777619u;
	return x;
}

/* Creates the temporary file beside o->path and opens o->f. If the temporary file is to replace a
 * file, it gets the mode of that file. Returns 0, or an errno value. */
static int open_temp(struct outfile *o)
{
	struct stat old;
	const char *slash = strrchr(o->path, '/');
	int dir = slash == NULL ? 0 : (int)(slash - o->path) + 1;
	size_t size = (size_t)dir + 64;
	int fd = -1, error = EEXIST;

	o->temp = malloc(size);
	if (o->temp == NULL)
		return ENOMEM;
	for (int i = 0; i < TEMP_NAMES && fd < 0 && error == EEXIST; i++) {
		snprintf(o->temp, size, "%.*s.nfacc-%ld-%08" PRIx32 "-%d.tmp", dir, o->path,
			 (long)getpid(), hash(o->path), i);
		/* First of all, so that there is no time at which a signal leaves the file. */
		if (!interrupt_remove_file(o->temp)) {
			error = ENOMEM;
			break;
		}
		fd = open(o->temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		error = errno;
		if (fd < 0)
			interrupt_forget_file(o->temp);
	}
	if (fd >= 0) {
		if (stat(o->path, &old) == 0)
			fchmod(fd, old.st_mode & 07777);
		o->f = fdopen(fd, "wb");
		if (o->f != NULL)
			return 0;
		error = errno;
		close(fd);
		unlink(o->temp);
		interrupt_forget_file(o->temp);
	}
	free(o->temp);
	o->temp = NULL;
	return error;
}

static int open_target(struct outfile *o, const char *path)
{
	struct stat st;
	bool there = stat(path, &st) == 0;

	if (!there && errno != ENOENT)
		return errno;
	if (there && !S_ISREG(st.st_mode)) {
		o->path = strdup(path);
		o->f = o->path == NULL ? NULL : fopen(path, "wb");
		return o->f == NULL ? errno : 0;
	}
	if (there && access(path, W_OK) != 0)
		return errno;
	o->path = there ? realpath(path, NULL) : strdup(path);
	return o->path == NULL ? errno : open_temp(o);
}

/* Puts into *st the status of the file at `path`, links resolved; or of the descriptor `standard`
 * if `path` is NULL or "-". False: there is none. */
static bool status_of(const char *path, int standard, struct stat *st)
{
	if (path == NULL || strcmp(path, "-") == 0)
		return fstat(standard, st) == 0;
	return stat(path, st) == 0;
}

enum nfart_status outfile_check(const char *path, const char *input, struct nfart_error *e)
{
	struct stat out, in;

	if (!status_of(path, STDOUT_FILENO, &out) || !S_ISREG(out.st_mode) ||
	    !status_of(input, STDIN_FILENO, &in) || in.st_dev != out.st_dev ||
	    in.st_ino != out.st_ino)
		return NFART_OK;
	nfart_fail(e, NFART_USAGE, "the output would overwrite the input%s%s",
		   strcmp(input, "-") == 0 ? "" : " ", strcmp(input, "-") == 0 ? "" : input);
	if (e != NULL)
		snprintf(e->file, sizeof e->file, "%s", path != NULL ? path : "-");
	return NFART_USAGE;
}

enum nfart_status outfile_open(struct outfile *o, const char *path, struct nfart_error *e)
{
	int error;

	memset(o, 0, sizeof *o);
	if (path == NULL || strcmp(path, "-") == 0) {
		o->f = stdout;
		return NFART_OK;
	}
	error = open_target(o, path);
	if (error == 0)
		return NFART_OK;
	free(o->path);
	memset(o, 0, sizeof *o);
	return outfile_fail(path, error, e);
}

enum nfart_status outfile_probe(const char *path, struct nfart_error *e)
{
	struct outfile o;
	struct stat st;
	enum nfart_status status;

	if (status_of(path, STDOUT_FILENO, &st) && !S_ISREG(st.st_mode))
		return S_ISDIR(st.st_mode) ? outfile_fail(path, EISDIR, e) : NFART_OK;
	status = outfile_open(&o, path, e);
	if (status == NFART_OK && o.f != stdout)
		outfile_abort(&o);
	return status;
}

void outfile_on_top(struct outfile *o, FILE *f)
{
	o->under = o->f;
	o->f = f;
}

/* Closes the stream on top, if there is one, so that o->f is the stream below. Returns 0, or an
 * errno value. */
static int close_top(struct outfile *o)
{
	bool failed;
	int error = 0;

	if (o->under == NULL)
		return 0;
	errno = 0;
	failed = ferror(o->f) != 0;
	if (fclose(o->f) != 0 || failed)
		error = errno != 0 ? errno : EIO;
	o->f = o->under;
	o->under = NULL;
	return error;
}

/* Closes all streams. Returns 0, or an errno value. */
static int close_streams(struct outfile *o)
{
	int error = close_top(o);

	if (o->f == NULL)
		return error;
	errno = 0;
	if ((ferror(o->f) || fflush(o->f) != 0) && error == 0)
		error = errno != 0 ? errno : EIO;
	if (o->f != stdout && fclose(o->f) != 0 && error == 0)
		error = errno;
	o->f = NULL;
	return error;
}

/* The temporary file has got its name. */
static void keep_temp(struct outfile *o)
{
	interrupt_forget_file(o->temp);
	free(o->temp);
	o->temp = NULL;
}

enum nfart_status outfile_publish(struct outfile *o, struct nfart_error *e)
{
	if (o->temp == NULL)
		return NFART_OK;
	if (rename(o->temp, o->path) != 0)
		return outfile_fail(o->path, errno, e);
	keep_temp(o);
	return NFART_OK;
}

enum nfart_status outfile_close(struct outfile *o, struct nfart_error *e)
{
	int error = close_streams(o);

	return error == 0 ? NFART_OK : outfile_fail(o->path, error, e);
}

enum nfart_status outfile_commit(struct outfile *o, struct nfart_error *e)
{
	enum nfart_status status = NFART_OK;
	int error = close_streams(o);

	if (error == 0 && o->temp != NULL && rename(o->temp, o->path) != 0)
		error = errno;
	if (error != 0) {
		status = outfile_fail(o->path, error, e);
	} else if (o->temp != NULL) {
		keep_temp(o);
	}
	outfile_abort(o);
	return status;
}

void outfile_abort(struct outfile *o)
{
	close_top(o);
	if (o->f != NULL && o->f != stdout)
		fclose(o->f);
	if (o->temp != NULL) {
		unlink(o->temp);
		interrupt_forget_file(o->temp);
	}
	free(o->temp);
	free(o->path);
	memset(o, 0, sizeof *o);
}
