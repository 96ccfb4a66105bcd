/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * gencontract: prints what is generated from contract/contract.def.
 *
 *   gencontract verilog    the include for the engine, rtl/nfacc_contract.vh
 *   gencontract doc        the page doc/develop/contract.md
 *   gencontract header     the registers for firmware, runtime/device/nfacc_registers.h
 *   gencontract man <PAGE  a copy of a manual page with its tables made anew
 *
 * The outputs are kept in the tree, and `make check` compares them.
 */
#include <inttypes.h>
#include <string.h>

#include "contract/contract.h"
#include "contract/contract_header.h"
#include "contract/gen/gen.h"

/* REUSE-IgnoreStart: the licence below is that of the files made here. */

void gen_heading(const char *open, const char *close, const char *source)
{
	printf("%sSPDX-License-Identifier: BSD-2-Clause%s\n"
	       "%sSPDX-FileCopyrightText: nfacc contributors%s\n"
	       "%sMade from %s by contract/gen/gencontract.c; "
	       "`make check` compares. Do not edit.%s\n",
	       open, close, open, close, open, source, close);
}

/* REUSE-IgnoreEnd */

void gen_upper(const char *s)
{
	for (; *s != 0; s++)
		putchar(*s >= 'a' && *s <= 'z' ? *s - 32 : *s);
}

void gen_values(const struct overlay_param *p, const char *comma)
{
	const struct overlay_value *v;

	if (!p->choice)
		printf("%" PRIu32 " to %" PRIu32, p->lowest, p->highest);
	for (size_t i = 0; (v = overlay_param_value(p, i)) != NULL; i++)
		printf("%s%s", i == 0 ? "" : comma, v->word);
}

void gen_preset(const struct overlay_param *p)
{
	if (p->choice)
		fputs(overlay_param_named(p, p->preset)->word, stdout);
	else
		printf("%" PRIu32, p->preset);
}

static bool header(void)
{
	struct buf b = { 0 };
	bool ok;

	contract_header(&b);
	gen_heading("/* ", " */", "contract/contract.def");
	ok = !b.failed && fwrite(b.at, 1, b.n, stdout) == b.n;
	buf_free(&b);
	return ok;
}

int main(int argc, char **argv)
{
	const char *what = argc == 2 ? argv[1] : "";
	bool ok = true;

	if (strcmp(what, "verilog") == 0)
		gen_verilog();
	else if (strcmp(what, "doc") == 0)
		gen_doc();
	else if (strcmp(what, "header") == 0)
		ok = header();
	else if (strcmp(what, "man") == 0)
		ok = gen_man(stdin);
	else
		return NFART_USAGE;
	return ok && fflush(stdout) == 0 ? NFART_OK : NFART_SYSTEM;
}
