/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/qemu/out.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
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

bool out_open(const char *path, uint32_t flags)
{
	struct nfaperf_head head = { .version = NFAPERF_VERSION,
		.size = sizeof(struct nfaperf_token), .flags = flags };
	size_t length = strlen(path);

	memcpy(head.magic, NFAPERF_MAGIC, sizeof(head.magic));
	out.file = fopen(path, "wbe");
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

void out_forget(void)
{
	out.file = NULL;
}
