/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * module_text.c SECTIONS KERNEL MODULE: prints the code of a module of the kernel as it is linked
 * for the addresses in SECTIONS, a line for each halfword, and then its functions.
 */
#include <inttypes.h>
#include <stdio.h>

#include "probes/profile/stacks/rv_code.h"

int main(int argc, char **argv)
{
	struct rv_code c;
	struct nfart_error e = { 0 };
	const struct elf_text *t;

	if (argc != 4 || !rv_code_init(&c))
		return 2;
	if (kernel_modules_read(&c.kernel, argv[1], &e) != NFART_OK ||
	    rv_code_add(&c, argv[2], &e) != NFART_OK || rv_code_add(&c, argv[3], &e) != NFART_OK) {
		fprintf(stderr, "%s\n", e.what);
		rv_code_free(&c);
		return 1;
	}
	t = &c.modules.at[1].text;
	for (size_t i = 0; i < t->parts.n; i++)
		for (size_t k = 0; k + 1 < t->parts.at[i].n; k += 2)
			printf("%" PRIx64 " %02x%02x\n", t->parts.at[i].address + k,
			       t->parts.at[i].bytes[k + 1], t->parts.at[i].bytes[k]);
	for (size_t i = 0; i < c.functions.n; i++) {
		const struct rv_function *f = &c.functions.at[i];

		if (f->module == 1 && f->name != NULL)
			printf("%s %" PRIx64 "\n", f->name, f->address);
	}
	rv_code_free(&c);
	return 0;
}
