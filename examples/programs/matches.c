/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * matches: prints where each label of an image for protocol bytes accepts in standard input. It
 * reads the input buffer by buffer.
 *
 *   cc matches.c $(pkg-config --cflags --libs nfart) -o matches && ./matches bytes.bin <bytes.raw
 */
#include <inttypes.h>
#include <nfart.h>

int main(int argc, char **argv)
{
	struct nfart_filter_options options = { .matches = true };
	struct nfart_error e = { .what = "usage: matches IMAGE <BYTES" };
	struct nfart_image *image = argc == 2 ? nfart_image_open(argv[1], &e) : NULL;
	struct nfart_filter *filter = image != NULL ? nfart_filter_new(image, &options, &e) : NULL;
	uint64_t time = 0;
	char buffer[65536];
	bool ok = filter != NULL;

	for (size_t n = 1, found; ok && n != 0; time += n) {
		n = fread(buffer, 1, sizeof buffer, stdin);
		ok = nfart_filter_bytes(filter, buffer, n, time) ||
		     nfart_fail(&e, NFART_USAGE, "the image is not for bytes") == NFART_OK;
		const struct nfart_match *match = nfart_filter_matches(filter, &found);
		for (size_t i = 0; i < found; i++)
			printf("%" PRIu64 ": %s\n", match[i].time,
			       nfart_image_labels(image)[match[i].label]);
	}
	if (!ok)
		nfart_error_print(stderr, &e);
	nfart_filter_free(filter);
	nfart_image_free(image);
	return !ok;
}
