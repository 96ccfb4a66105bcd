/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "contract/contract_header.h"

#include <ctype.h>
#include <inttypes.h>

#include "contract/contract.h"

static void upper(const char *s, struct buf *b)
{
	for (; *s != 0; s++)
		buf_addf(b, "%c", toupper((unsigned char)*s));
}

static void header_field(const struct contract_field *f, struct buf *b)
{
	uint32_t ones = f->width == 32 ? UINT32_MAX : (1u << f->width) - 1;

	buf_addf(b, "#define NFACC_%s_", f->reg);
	upper(f->name, b);
	buf_addf(b, " 0x%08" PRIx32 "u /* %s */\n", ones << f->lsb, f->text);
	if (f->width == 1)
		return;
	buf_addf(b, "#define NFACC_%s_", f->reg);
	upper(f->name, b);
	buf_addf(b, "_LSB %" PRIu32 "\n", f->lsb);
}

void contract_header(struct buf *b)
{
	buf_addf(b, "#ifndef NFACC_REGISTERS\n#define NFACC_REGISTERS\n"
		    "#define NFACC_CONTRACT_VERSION %du\n#define NFACC_ID 0x%08" PRIx32
		    "u /* what register ID reads */\n\n/* Registers: byte offsets. */\n",
		 CONTRACT_VERSION, (uint32_t)CONTRACT_ID);
	for (size_t i = 0; i < ncontract_registers; i++)
		buf_addf(b, "#define NFACC_REG_%s 0x%03" PRIx32 "u /* %s: %s */\n",
			 contract_registers[i].name, contract_registers[i].offset,
			 contract_registers[i].access, contract_registers[i].text);
	buf_addf(b, "\n/* Fields: their bits in place. */\n");
	for (size_t i = 0; i < ncontract_fields; i++)
		header_field(&contract_fields[i], b);
	buf_addf(b, "\n/* STATUS.load. */\n");
	for (size_t i = 0; i < ncontract_loads; i++) {
		buf_addf(b, "#define NFACC_LOAD_");
		upper(contract_loads[i].name, b);
		buf_addf(b, " %" PRIu32 "u /* %s */\n", contract_loads[i].value,
			 contract_loads[i].text);
	}
	buf_addf(b, "#endif\n");
}
