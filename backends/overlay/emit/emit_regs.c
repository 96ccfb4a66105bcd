/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/overlay/emit/emit.h"

#include <inttypes.h>
#include <string.h>

static void fields(const struct contract_register *r, struct buf *b)
{
	bool any = false;

	for (size_t i = 0; i < ncontract_fields; i++) {
		const struct contract_field *f = &contract_fields[i];
		if (strcmp(f->reg, r->name) != 0)
			continue;
		if (!any)
			buf_addf(b,
				 "\n### %s at 0x%03" PRIx32
				 "\n\n| bits | field | meaning |\n|---|---|---|\n",
				 r->name, r->offset);
		any = true;
		if (f->width == 1)
			buf_addf(b, "| %" PRIu32, f->lsb);
		else
			buf_addf(b, "| %" PRIu32 ":%" PRIu32, f->lsb + f->width - 1, f->lsb);
		buf_addf(b, " | `%s` | %s |\n", f->name, f->text);
	}
}

void emit_regs(const struct overlay *o, const struct nfart_proto *p, const char *name,
	       struct buf *b)
{
	struct overlay t = *o;

	buf_addf(b,
		 "# Registers of the engine: overlay %s, protocol %s\n\n"
		 "32 bits each, over AXI4-Lite with %" PRIu32
		 " data bits, in a window of 4096 bytes.\n"
		 "Fingerprint %016" PRIx64 ", contract version %d; the largest image has %" PRIu32
		 " words of %" PRIu32 " bits.\n\n"
		 "| offset | register | access | meaning |\n|---|---|---|---|\n",
		 name, p->name, o->data, contract_fingerprint(o, p), CONTRACT_VERSION,
		 contract_most_words(o), o->data);
	for (size_t i = 0; i < ncontract_registers; i++)
		buf_addf(b, "| 0x%03" PRIx32 " | `%s` | %s | %s |\n", contract_registers[i].offset,
			 contract_registers[i].name, contract_registers[i].access,
			 contract_registers[i].text);
	for (size_t i = 0; i < ncontract_registers; i++)
		fields(&contract_registers[i], b);
	buf_addf(b, "\n### STATUS.load\n\n| value | name | meaning |\n|---|---|---|\n");
	for (size_t i = 0; i < ncontract_loads; i++)
		buf_addf(b, "| %" PRIu32 " | `%s` | %s |\n", contract_loads[i].value,
			 contract_loads[i].name, contract_loads[i].text);
	buf_addf(b, "\n## Overlay\n\n| parameter | value | meaning |\n|---|---|---|\n");
	for (size_t i = 0; i < noverlay_params; i++) {
		buf_addf(b, "| `%s` | %" PRIu32 " | ", overlay_params[i].name,
			 *overlay_field(&t, &overlay_params[i]));
		contract_param_text(&overlay_params[i], b);
		buf_addf(b, " |\n");
	}
}
