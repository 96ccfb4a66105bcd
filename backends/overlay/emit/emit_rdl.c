/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/overlay/emit/emit.h"

#include <inttypes.h>
#include <string.h>

/* Prints a string of SystemRDL. */
static void rdl_string(const char *s, struct buf *b)
{
	buf_addf(b, "\"");
	for (; *s != 0; s++)
		buf_addf(b, *s == '"' || *s == '\\' ? "\\%c" : "%c", *s);
	buf_addf(b, "\"");
}

/* What software and the engine do with the bits of a register. */
static const char *rdl_access(const struct contract_register *r)
{
	if (strcmp(r->access, "RO") == 0)
		return "sw = r; hw = w;";
	return strcmp(r->access, "WO") == 0 ? "sw = w; hw = r;" : "sw = rw; hw = r;";
}

/* Prints the value that a register has, if it is known: it is that of the overlay, or the one after
 * power-up. */
static void rdl_value(const struct contract_register *r, uint64_t fingerprint, struct buf *b)
{
	if (strcmp(r->name, "ID") == 0)
		buf_addf(b, " = 0x%08" PRIx32, (uint32_t)CONTRACT_ID);
	else if (strcmp(r->name, "VERSION") == 0 || strcmp(r->name, "ENABLE") == 0)
		buf_addf(b, " = 0x%x", r->name[0] == 'V' ? (unsigned)CONTRACT_VERSION : 1);
	else if (strcmp(r->name, "FINGERPRINT_LO") == 0)
		buf_addf(b, " = 0x%08" PRIx32, (uint32_t)fingerprint);
	else if (strcmp(r->name, "FINGERPRINT_HI") == 0)
		buf_addf(b, " = 0x%08" PRIx32, (uint32_t)(fingerprint >> 32));
	else if (strcmp(r->access, "RW") == 0)
		buf_addf(b, " = 0x0");
}

static void rdl_field(const struct contract_register *r, const struct contract_field *f,
		      struct buf *b)
{
	buf_addf(b, "\t\tfield { %s desc = ", rdl_access(r));
	rdl_string(f->text, b);
	if (strcmp(f->name, "load") == 0)
		buf_addf(b, "; encode = load_result");
	buf_addf(b, "; } \\%s [%" PRIu32 ":%" PRIu32 "];\n", f->name, f->lsb + f->width - 1,
		 f->lsb);
}

static void rdl_register(const struct contract_register *r, uint64_t fingerprint, struct buf *b)
{
	bool any = false;

	buf_addf(b, "\treg {\n\t\tdesc = ");
	rdl_string(r->text, b);
	buf_addf(b, ";\n");
	for (size_t i = 0; i < ncontract_fields; i++)
		if (strcmp(contract_fields[i].reg, r->name) == 0) {
			rdl_field(r, &contract_fields[i], b);
			any = true;
		}
	if (!any) {
		buf_addf(b, "\t\tfield { %s } value [31:0]", rdl_access(r));
		rdl_value(r, fingerprint, b);
		buf_addf(b, ";\n");
	}
	buf_addf(b, "\t} %s @ 0x%03" PRIx32 ";\n", r->name, r->offset);
}

void emit_rdl(const struct overlay *o, const struct nfart_proto *p, const char *name, struct buf *b)
{
	uint64_t fingerprint = contract_fingerprint(o, p);

	/* REUSE-IgnoreStart: these lines are for the output and not for this file. */
	buf_addf(b, "// SPDX-License-Identifier: BSD-2-Clause\n"
		    "// SPDX-FileCopyrightText: nfacc contributors\n");
	/* REUSE-IgnoreEnd */
	buf_addf(b, "// Registers of the engine: overlay %s, protocol %s, contract version %d.\n",
		 name, p->name, CONTRACT_VERSION);
	buf_addf(b, "enum load_result {\n");
	for (size_t i = 0; i < ncontract_loads; i++) {
		buf_addf(b, "\tload_%s = 4'd%" PRIu32 " { desc = ", contract_loads[i].name,
			 contract_loads[i].value);
		rdl_string(contract_loads[i].text, b);
		buf_addf(b, "; };\n");
	}
	buf_addf(b, "};\n\naddrmap nfacc {\n\tname = \"nfacc engine\";\n\tdesc = ");
	rdl_string(name, b);
	buf_addf(b, ";\n\tdefault regwidth = 32;\n\tdefault accesswidth = 32;\n");
	for (size_t i = 0; i < ncontract_registers; i++)
		rdl_register(&contract_registers[i], fingerprint, b);
	buf_addf(b, "};\n");
}
