/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "grammar/describe/builtin.h"

#include <string.h>

#include "grammar/describe/proto_text.h"
#include "support/diag.h"

struct nfart_proto *proto_builtin(const char *name)
{
	struct diags d = { 0 };
	struct nfart_proto *p;

	proto_find(&d, NULL, 0, name, strlen(name), &p);
	diag_free(&d);
	return p;
}
