/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/overlay/emit/emit.h"

#include <inttypes.h>
#include <string.h>

#include "contract/contract_header.h"
#include "support/escape.h"

void emit_header(const struct nfart_image *im, struct buf *b)
{
	/* REUSE-IgnoreStart: the licence below is that of the output. */
	buf_addf(b,
		 "/* SPDX-License-Identifier: BSD-2-Clause */\n"
		 "/* Made by nfacc --emit=header: registers of the engine and one image. Define\n"
		 " * NFACC_IMAGE(name) before it to choose the prefix of the image's names. */\n"
		 "#include <stdint.h>\n\n");
	/* REUSE-IgnoreEnd */
	contract_header(b);
	buf_addf(b,
		 "\n#ifndef NFACC_IMAGE\n#define NFACC_IMAGE(name) nfacc_image_##name\n#endif\n"
		 "/* Not every program uses all of it. */\n"
		 "#ifndef NFACC_UNUSED\n#ifdef __GNUC__\n"
		 "#define NFACC_UNUSED __attribute__((unused))\n"
		 "#else\n#define NFACC_UNUSED\n#endif\n#endif\n\n"
		 "enum {\n\tNFACC_IMAGE(data) = %" PRIu32 ", /* bits of a configuration word */\n"
		 "\tNFACC_IMAGE(nhalves) = %zu, /* 32-bit halves, low half of a word first */\n"
		 "\tNFACC_IMAGE(nlabels) = %" PRIu32 "\n};\n\n",
		 im->overlay.data, im->device.n, im->labels.n);
	buf_addf(b, "NFACC_UNUSED static const uint32_t NFACC_IMAGE(words)[] = {");
	for (size_t i = 0; i < im->device.n; i++)
		buf_addf(b, "%s0x%08" PRIx32 ",", i % 6 == 0 ? "\n\t" : " ", im->device.halves[i]);
	buf_addf(b, "\n};\n\n/* Label l is bit l of a record's labels. */\n"
		    "NFACC_UNUSED static const char *const NFACC_IMAGE(labels)[] = {");
	for (uint32_t l = 0; l < im->labels.n; l++) {
		buf_addf(b, "\n\t");
		buf_addf(b, "\"");
		escape_quoted(b, im->labels.names[l], strlen(im->labels.names[l]));
		buf_addf(b, "\"");
		buf_addf(b, ",");
	}
	buf_addf(b, "\n};\n#undef NFACC_IMAGE\n");
}
