/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * count: prints how many batches of a trace each label of an image accepts. It uses libnfart's
 * filter, which is faster than its engine.
 *
 *   cc count.c $(pkg-config --cflags --libs nfart) -o count && ./count inflight.bin trace
 */
#include <inttypes.h>
#include <nfart.h>

int main(int argc, char **argv)
{
	struct nfart_filter_options options = { .sink = NULL }; /* no function gets the output */
	struct nfart_error e = { .what = "usage: count IMAGE TRACE" };
	struct nfart_image *image = argc == 3 ? nfart_image_open(argv[1], &e) : NULL;
	struct nfart_filter *filter = image != NULL ? nfart_filter_new(image, &options, &e) : NULL;
	struct nfart_reader *reader = filter != NULL ?
		nfart_reader_open(argv[2], nfart_image_proto(image), NULL, &e) : NULL;
	int more = reader != NULL ? 1 : -1;

	while (more == 1)
		more = nfart_filter_read(filter, reader, &e);
	for (uint32_t i = 0; more == 0 && i < nfart_image_nlabels(image); i++)
		printf("%s: %" PRIu64 "\n", nfart_image_labels(image)[i],
		       nfart_filter_stats(filter).labels[i]);
	if (more != 0)
		nfart_error_print(stderr, &e);
	nfart_reader_free(reader);
	nfart_filter_free(filter);
	nfart_image_free(image);
	return more != 0;
}
