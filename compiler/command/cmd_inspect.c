/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The command --inspect: turns an image back into filter text. It uses only the image's bits, not
 * the source that the image may contain.
 */
#include "backends/image/inspect.h"
#include "compiler/command/command.h"
#include "compiler/command/files.h"

int cmd_inspect(struct options *o)
{
	struct nfart_error e;
	struct nfart_image *im;
	struct buf b = { 0 };
	struct spec s;
	struct nfa a;
	int code;

	if (o->hardware.target != NULL)
		return cmd_inspect_registers(o);
	code = files_check_output(o, o->operand);
	if (code != NFART_OK)
		return code;
	im = image_open(o->operand, &e);
	if (im == NULL) {
		nfart_error_print(stderr, &e);
		return (int)e.status;
	}
	if (inspect_nfa(im, NULL, &s, &a)) {
		nfa_print(&a, &b);
		code = files_write(o, &b);
	} else {
		code = files_fail("out of memory", NULL);
	}
	buf_free(&b);
	nfa_free(&a);
	spec_free(&s);
	image_free(im);
	return code;
}
