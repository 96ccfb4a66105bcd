/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/qemu/out.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

/*
 * qemu loads the plugin once for the process. Callbacks of instructions get only the number of a
 * processor. So there is one file for the whole process.
 */
static struct {
	pthread_mutex_t lock;
	FILE *file;
	ZSTD_CCtx *zstd; /* NULL: the file is not compressed */
	int error;       /* errno of the first error */
	const char *path;
	uint32_t flags;
} out = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void write_plain(const void *data, size_t size)
{
	if (!out.error && fwrite(data, 1, size, out.file) != size)
		out.error = errno;
}

static void write_some(const void *data, size_t size, ZSTD_EndDirective how)
{
	char piece[65536];
	ZSTD_inBuffer in = { data, size, 0 };
	size_t left;

	if (!out.zstd) {
		write_plain(data, size);
		return;
	}
	do {
		ZSTD_outBuffer compressed = { piece, sizeof(piece), 0 };

		left = ZSTD_compressStream2(out.zstd, &compressed, &in, how);
		if (ZSTD_isError(left)) {
			out.error = ENOMEM;
			return;
		}
		write_plain(piece, compressed.pos);
	} while (in.pos < in.size || (how == ZSTD_e_end && left > 0));
}

/* Opens the file whose path may have the number of the process. */
static FILE *open_path(const char *path)
{
	const char *number = strstr(path, "%p");
	char name[PATH_MAX];

	if (!number)
		return fopen(path, "wbe");
	if (snprintf(name, sizeof(name), "%.*s%ld%s", (int)(number - path), path, (long)getpid(),
		     number + 2) >= (int)sizeof(name)) {
		errno = ENAMETOOLONG;
		return NULL;
	}
	return fopen(name, "wbe");
}

bool out_open(const char *path, uint32_t flags)
{
	struct nfaperf_head head = { .version = NFAPERF_VERSION,
		.size = sizeof(struct nfaperf_token), .flags = flags };
	size_t length = strlen(path);

	out.path = path;
	out.flags = flags;
	memcpy(head.magic, NFAPERF_MAGIC, sizeof(head.magic));
	out.file = open_path(path);
	if (!out.file)
		return false;
	if (length > 4 && strcmp(path + length - 4, ".zst") == 0) {
		out.zstd = ZSTD_createCCtx();
		if (!out.zstd) {
			errno = ENOMEM;
			return false;
		}
	}
	write_some(&head, sizeof(head), ZSTD_e_continue);
	return true;
}

void out_tokens(const struct nfaperf_token *tokens, size_t count)
{
	pthread_mutex_lock(&out.lock);
	if (out.file && !out.error)
		write_some(tokens, count * sizeof(*tokens), ZSTD_e_continue);
	pthread_mutex_unlock(&out.lock);
}

void out_complete(void)
{
	pthread_mutex_lock(&out.lock);
	if (out.file && !out.error) {
		write_some(NULL, 0, ZSTD_e_end);
		if (fflush(out.file) && !out.error)
			out.error = errno;
	}
	pthread_mutex_unlock(&out.lock);
}

const char *out_close(void)
{
	const char *error;

	pthread_mutex_lock(&out.lock);
	if (out.file) {
		if (!out.error)
			write_some(NULL, 0, ZSTD_e_end);
		if (fclose(out.file) && !out.error)
			out.error = errno;
		out.file = NULL;
	}
	ZSTD_freeCCtx(out.zstd);
	out.zstd = NULL;
	error = out.error ? strerror(out.error) : NULL;
	pthread_mutex_unlock(&out.lock);
	return error;
}

void out_before_fork(void)
{
	pthread_mutex_lock(&out.lock);
}

void out_after_fork(void)
{
	pthread_mutex_unlock(&out.lock);
}

/*
 * The stream of the parent is given up, not closed, as closing it would write what the parent has
 * not written yet.
 */
bool out_child(const char **error)
{
	*error = NULL;
	if (!out.file)
		return false;
	close(fileno(out.file));
	out.file = NULL;
	ZSTD_freeCCtx(out.zstd);
	out.zstd = NULL;
	out.error = 0;
	if (!strstr(out.path, "%p"))
		return false;
	if (!out_open(out.path, out.flags))
		*error = strerror(errno);
	return !*error;
}
