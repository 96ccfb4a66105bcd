/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "grammar/describe/builtin.h"

#include <string.h>

#include "grammar/describe/proto_text.h"
#include "support/diag.h"

const char *builtin_find(const struct builtin *table, const char *name, size_t n)
{
	for (; table->name != NULL; table++)
		if (strncmp(table->name, name, n) == 0 && table->name[n] == 0)
			return table->text;
	return NULL;
}

struct nfart_proto *proto_builtin(const char *name)
{
	struct diags d = { 0 };
	struct nfart_proto *p;

	proto_find(&d, NULL, 0, name, strlen(name), &p);
	diag_free(&d);
	return p;
}
