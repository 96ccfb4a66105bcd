/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Fuzzes overlay descriptions: each is printed and parsed again. The bytes are also tried as an
 * argument of --overlay.
 */
#include <string.h>

#include "grammar/describe/overlay_text.h"
#include "testsuite/fuzz/fuzz.h"

static void check_print(const struct overlay_desc *v)
{
	struct diags d = { .werror = false };
	struct overlay_desc again;
	struct buf b = { 0 };

	overlay_print(v, &b);
	fuzz_expect(!b.failed && overlay_parse(&d, "again", b.at, b.n, &again));
	for (size_t i = 0; i < noverlay_params; i++) {
		struct overlay x = v->o;
		fuzz_expect(*overlay_field(&x, &overlay_params[i]) ==
			    *overlay_field(&again.o, &overlay_params[i]));
	}
	fuzz_expect(strcmp(v->protocol, again.protocol) == 0);
	buf_free(&b);
	diag_free(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct diags d = { .werror = false };
	struct overlay_desc v;
	char *argument = malloc(n + 1);
	bool ok = overlay_parse(&d, "fuzz", (const char *)data, n, &v), bad;

	fuzz_expect(ok == (d.errors == 0));
	if (ok)
		check_print(&v);
	fuzz_print(&d);
	diag_free(&d);
	if (argument == NULL)
		return 0;
	if (n != 0)
		memcpy(argument, data, n);
	argument[n] = 0;
	if (overlay_numbers(argument, &v, &bad) && !bad && !v.o.none)
		check_print(&v);
	free(argument);
	return 0;
}
