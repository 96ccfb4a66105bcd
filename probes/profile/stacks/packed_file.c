/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/stacks/packed_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "runtime/trace/codec/decompress.h"
#include "support/buf.h"
#include "support/elf/elf_file.h"

static enum nfart_status read_all(struct input *in, struct buf *b, const char *path,
				  struct nfart_error *e)
{
	while (b->n <= ELF_MOST_BYTES && !b->failed && input_need(in, 1)) {
		buf_add(b, in->at, in->n);
		input_take(in, in->n);
	}
	if (b->failed)
		return nfart_fail(e, NFART_SYSTEM, "out of memory");
	if (in->error != 0)
		return nfart_fail(e, NFART_SYSTEM, "can't read %s: %s", path, strerror(in->error));
	if (in->damage != NULL)
		return elf_file_wrong(path, "this file is compressed, and cut off or damaged", e);
	if (b->n > ELF_MOST_BYTES)
		return elf_file_wrong(path, "more than 1 GiB are compressed in this file", e);
	return NFART_OK;
}

enum nfart_status packed_file_read(unsigned char **bytes, size_t *n, const char *path,
				   struct nfart_error *e)
{
	static const unsigned char xz[] = { 0xfd, '7', 'z', 'X', 'Z', 0 };
	enum nfart_status status = NFART_OK;
	struct input in = { 0 };
	struct buf b = { 0 };
	struct stat info;

	*bytes = NULL;
	*n = 0;
	if (stat(path, &info) != 0 || !S_ISREG(info.st_mode) || strcmp(path, "-") == 0)
		return NFART_OK;
	if (!input_open(&in, path) || !decompress_open(&in))
		status = nfart_fail(e, NFART_SYSTEM, "can't read %s: %s", path,
				    in.error != 0 ? strerror(in.error) : "out of memory");
	else if (in.decompressor != NULL)
		status = read_all(&in, &b, path, e);
	else if (input_need(&in, sizeof xz) && memcmp(in.at, xz, sizeof xz) == 0)
		status = elf_file_wrong(path, "this file is compressed with xz: unpack it first, "
					      "with `xz -dk`", e);
	input_close(&in);
	if (status != NFART_OK)
		buf_free(&b);
	*bytes = (unsigned char *)b.at;
	*n = b.n;
	return status;
}
