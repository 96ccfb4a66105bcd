/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Maps of a capture's sources (nfacc-trace(5)) that are wrong, and what is said of them.
 */
#include <string.h>

#include "grammar/describe/builtin.h"
#include "include/nfart.h"
#include "testsuite/unit/unit.h"

START_TEST(wrong)
{
	static const struct {
		const char *map, *what;
	} maps[] = {
		{ "{ \"payload_width\": 0 }", "'payload_width' must be a number from 1 to 128" },
		{ "{ \"payload_width\": 129 }", "'payload_width' must be a number from 1 to 128" },
		{ "{ \"payload_width\": 1.5 }", "'payload_width' must be a number from 1 to 128" },
		{ "{ \"source_width\": 99 }", "'source_width' must be a number from 1 to " },
		{ "{ \"timestamp_width\": 65 }",
		  "'timestamp_width' must be a number from 1 to 64" },
		{ "{ \"payload_width\": 100 }", "the widths add up to more than 128 bits" },
		{ "{}", "'sources' must be an object" },
		{ "{ \"sources\": [] }", "'sources' must be an object" },
		{ "{ \"sources\": { \"x\": {} } }", "'x' is no source id below 7" },
		{ "{ \"sources\": { \":\": {} } }", "':' is no source id below 7" },
		{ "{ \"sources\": { \"1x\": {} } }", "'1x' is no source id below 7" },
		{ "{ \"sources\": { \"7\": {} } }", "'7' is no source id below 7" },
		{ "{ \"sources\": { \"1\": {} } }",
		  "'sources.1.group' must be a group of protocol eci" },
		{ "{ \"sources\": { \"1\": { \"group\": \"gpu\" } } }",
		  "'sources.1.group' must be a group of protocol eci" },
		{ "{ \"sources\": { \"1\": { \"group\": \"cpu\", \"vc_lsb\": 74 } } }",
		  "'sources.1.vc_lsb' must be a number from 0 to 73" },
		{ "{ \"sources\": { \"1\": { \"group\": \"cpu\", \"vc_lsb\": 70 } } }",
		  "'sources.1.vc_width' must be a number from 1 to 4" },
		{ "{ \"sources\": { \"1\": { \"group\": \"cpu\", \"vc_lsb\": 4, \"vc_width\": 17 } "
		  "} }", "'sources.1.vc_width' must be a number from 1 to 16" },
		{ "{ \"sources\": { \"1\": { \"group\": \"cpu\", \"channel\": -1 } } }",
		  "'sources.1.channel' must be a number from 0 to 32767" },
		{ "{ \"sources\": {}, \"sources\": {} }", "duplicate object key" },
		{ "", "'[' or '{' expected near end of file" },
		{ "{\n\"sources\": }", "unexpected token near '}'" },
	};
	struct nfart_proto *p = proto_builtin("eci");

	for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++) {
		struct nfart_reader_options o = { .format = NFART_FORMAT_DUMP,
						  .map = maps[i].map };
		struct nfart_error e;
		ck_assert_ptr_null(nfart_reader_memory("", 0, "dump", p, &o, &e));
		ck_assert_int_eq(e.status, NFART_INPUT);
		ck_assert_msg(strncmp(e.what, maps[i].what, strlen(maps[i].what)) == 0, "%s: %s",
			      maps[i].map, e.what);
		ck_assert_str_eq(e.file, "source map");
		o.map_name = "my.json";
		ck_assert_ptr_null(nfart_reader_memory("", 0, "dump", p, &o, &e));
		ck_assert_str_eq(e.file, "my.json");
		ck_assert_ptr_null(nfart_reader_memory("", 0, "dump", p, &o, NULL));
	}
	proto_free(p);
}
END_TEST

Suite *suite_maps(void)
{
	const TTest *const tests[] = { wrong, NULL };

	return unit_suite("maps", tests);
}
