/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * filter: runs a filter inside a program, through libnfart. It pushes three messages through an
 * image for protocol eci and prints which batches are accepted.
 *
 *   cc filter.c $(pkg-config --cflags --libs nfart) -o filter && ./filter inflight.bin
 */
#include <inttypes.h>
#include <nfart.h>

int main(int argc, char **argv)
{
	static const char *const types[] = { "MREQ_RLDD", "MREQ_RLDI", "MREQ_RLDX" };
	struct nfart_engine_options options = { .lines = false };
	struct nfart_error e = { .what = "usage: filter IMAGE" };
	struct nfart_image *image = argc == 2 ? nfart_image_open(argv[1], &e) : NULL;
	struct nfart_engine *engine = image != NULL ? nfart_engine_new(image, &options, &e) : NULL;
	int slot = engine != NULL ? nfart_proto_slot(nfart_image_proto(image), "cpu@6") : -1;
	bool ok = engine != NULL;

	if (engine != NULL && slot < 0)
		ok = nfart_fail(&e, NFART_USAGE, "the image is not for protocol eci") == NFART_OK;
	for (uint64_t i = 0; ok && i < 3; i++) {
		struct nfart_batch batch = { .time = 10 * i, .mask = UINT64_C(1) << slot };
		struct nfart_result result;
		ok = (nfart_proto_header(nfart_image_proto(image), (uint32_t)slot, types[i],
					 0x80 * i, &batch.header[slot]) &&
		      nfart_engine_step(engine, &batch, &result)) ||
		     nfart_fail(&e, NFART_SYSTEM, "a message was not taken") == NFART_OK;
		if (ok)
			printf("%" PRIu64 ": %s\n", batch.time, result.accepted ? "accepted" : "-");
	}
	if (!ok)
		nfart_error_print(stderr, &e);
	nfart_engine_free(engine);
	nfart_image_free(image);
	return !ok;
}
