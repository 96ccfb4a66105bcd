/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Fuzzes descriptions of cores. The protocol of a core that could be read must be a protocol,
 * unless the names of events clash with words of the filter language.
 */
#include <string.h>

#include "contract/etm/etm_text.h"
#include "grammar/describe/proto_text.h"
#include "testsuite/fuzz/fuzz.h"

static void check_protocol(const struct etm_core *core)
{
	struct diags d = { .werror = false };
	struct nfart_proto *p;
	struct buf b = { 0 };
	enum nfart_status status;

	etm_core_protocol(core, &b);
	fuzz_expect(!b.failed);
	status = proto_parse(&d, NULL, 0, "core", b.at, b.n, &p);
	fuzz_expect(status == NFART_OK || status == NFART_INPUT);
	fuzz_expect((status == NFART_OK) == (d.errors == 0));
	if (status == NFART_OK)
		for (uint32_t i = 0; i < core->nevents; i++)
			fuzz_expect(proto_find_type(p, core->event[i].name,
						    strlen(core->event[i].name)) >= 0);
	fuzz_print(&d);
	proto_free(p);
	buf_free(&b);
	diag_free(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct diags d = { .werror = false };
	struct etm_core core;
	enum nfart_status status = etm_core_parse(&d, "fuzz", (const char *)data, n, &core);

	fuzz_expect((status == NFART_OK) == (d.errors == 0));
	if (status == NFART_OK)
		check_protocol(&core);
	fuzz_print(&d);
	diag_free(&d);
	return 0;
}
