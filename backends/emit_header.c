/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/emit.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* ---- what depends on no image ---- */

static void upper(const char *s, struct buf *b)
{
	for (; *s != 0; s++)
		buf_addf(b, "%c", toupper((unsigned char)*s));
}

static void field(const struct contract_field *f, struct buf *b)
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

/* The same text in every header, under a guard of its own: several images can be included. */
void emit_firmware_registers(struct buf *b)
{
	buf_addf(b, "#ifndef NFACC_REGISTERS\n#define NFACC_REGISTERS\n"
		    "#define NFACC_CONTRACT_VERSION %du\n\n/* Registers: byte offsets. */\n",
		 CONTRACT_VERSION);
	for (size_t i = 0; i < ncontract_registers; i++)
		buf_addf(b, "#define NFACC_REG_%s 0x%03" PRIx32 "u /* %s: %s */\n",
			 contract_registers[i].name, contract_registers[i].offset,
			 contract_registers[i].access, contract_registers[i].text);
	buf_addf(b, "\n/* Fields: their bits in place. */\n");
	for (size_t i = 0; i < ncontract_fields; i++)
		field(&contract_fields[i], b);
	buf_addf(b, "\n/* STATUS.load. */\n");
	for (size_t i = 0; i < ncontract_loads; i++) {
		buf_addf(b, "#define NFACC_LOAD_");
		upper(contract_loads[i].name, b);
		buf_addf(b, " %" PRIu32 "u /* %s */\n", contract_loads[i].value, contract_loads[i].text);
	}
	buf_addf(b, "#endif\n");
}

/* ---- an image ---- */

/* A string literal: whatever a label's name has in it. */
static void quoted(const char *s, struct buf *b)
{
	buf_addf(b, "\"");
	for (; *s != 0; s++) {
		if (*s == '"' || *s == '\\')
			buf_addf(b, "\\");
		buf_addf(b, "%c", *s);
	}
	buf_addf(b, "\"");
}

void emit_header(const struct nfart_image *im, struct buf *b)
{
	buf_addf(b,
		 "/* SPDX-License-Identifier: BSD-2-Clause */\n"
		 "/* Made by nfacc --emit=header: registers of the engine and one image. Define\n"
		 " * NFACC_IMAGE(name) to choose the prefix of the image's names. */\n"
		 "#include <stdint.h>\n\n");
	emit_firmware_registers(b);
	buf_addf(b,
		 "\n#ifndef NFACC_IMAGE\n#define NFACC_IMAGE(name) nfacc_image_##name\n#endif\n\n"
		 "enum {\n\tNFACC_IMAGE(data) = %" PRIu32 ", /* bits of a configuration word */\n"
		 "\tNFACC_IMAGE(nhalves) = %zu, /* 32-bit halves, low half of a word first */\n"
		 "\tNFACC_IMAGE(nlabels) = %" PRIu32 "\n};\n\n",
		 im->overlay.data, im->ndevice, im->nlabels);
	buf_addf(b, "static const uint32_t NFACC_IMAGE(words)[] = {");
	for (size_t i = 0; i < im->ndevice; i++)
		buf_addf(b, "%s0x%08" PRIx32 ",", i % 6 == 0 ? "\n\t" : " ", im->device[i]);
	buf_addf(b, "\n};\n\n/* Label l is bit l of a record's labels. */\n"
		    "static const char *const NFACC_IMAGE(labels)[] = {");
	for (uint32_t l = 0; l < im->nlabels; l++) {
		buf_addf(b, "\n\t");
		quoted(im->labels[l], b);
		buf_addf(b, ",");
	}
	buf_addf(b, "\n};\n");
}
