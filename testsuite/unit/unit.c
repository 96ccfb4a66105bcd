/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Runs all unit tests and prints the results as TAP to standard output.
 */
#include "testsuite/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "grammar/describe/proto_text.h"
#include "include/nfart.h"

enum { SECONDS = 300 }; /* the longest time for one test, under sanitizers on a busy machine */

Suite *unit_suite(const char *name, const TTest *const *tests)
{
	Suite *s = suite_create(name);
	TCase *c = tcase_create(name);

	tcase_set_timeout(c, SECONDS);
	for (; *tests != NULL; tests++)
		tcase_add_test(c, *tests);
	suite_add_tcase(s, c);
	return s;
}

struct nfart_proto *unit_proto(const char *text)
{
	struct diags d = { .werror = false };
	struct nfart_proto *p;

	proto_parse(&d, NULL, 0, "proto", text, strlen(text), &p);
	if (p == NULL)
		unit_fail("%s: %s", text, d.records.n != 0 ? d.records.at[0].message : "no memory");
	diag_free(&d);
	return p;
}

void unit_compile(struct pipeline *p, const struct pipeline_options *o, const char *text)
{
	struct pipeline_file file = { "test.re", text, strlen(text), false };
	enum nfart_status status = pipeline_run(p, o, &file, 1);

	if (status != NFART_OK)
		unit_fail("status %d: %s\n%s", status,
			  p->diags.records.n != 0 ? p->diags.records.at[0].message : "", text);
}

struct nfart_image *unit_image(const char *text)
{
	struct pipeline_options o;
	struct nfart_image *im;
	struct nfart_error e;
	struct pipeline p;

	pipeline_options_init(&o);
	o.overlay.o.none = true;
	unit_compile(&p, &o, text);
	im = nfart_image_load(p.job.made.image.at, p.job.made.image.n, "image", &e);
	pipeline_free(&p);
	if (im == NULL)
		unit_fail("%s", e.what);
	return im;
}

uint32_t unit_pass(const char *name)
{
	uint32_t bits = 0;

	for (size_t i = 0; pass_name(i) != NULL; i++)
		if (strcmp(pass_name(i), name) == 0)
			bits |= 1u << i;
	ck_assert_uint_ne(bits, 0);
	return bits;
}

int main(void)
{
	SRunner *r = srunner_create(suite_support());
	int failed;

	srunner_add_suite(r, suite_diag());
	srunner_add_suite(r, suite_clock());
	srunner_add_suite(r, suite_crc());
	srunner_add_suite(r, suite_payload());
	srunner_add_suite(r, suite_rows());
	srunner_add_suite(r, suite_proto());
	srunner_add_suite(r, suite_alphabet());
	srunner_add_suite(r, suite_pred());
	srunner_add_suite(r, suite_guards());
	srunner_add_suite(r, suite_partition());
	srunner_add_suite(r, suite_passes());
	srunner_add_suite(r, suite_thesis());
	srunner_add_suite(r, suite_coherence());
	srunner_add_suite(r, suite_kept());
	srunner_add_suite(r, suite_contract());
	srunner_add_suite(r, suite_optimise());
	srunner_add_suite(r, suite_origin());
	srunner_add_suite(r, suite_overlay());
	srunner_add_suite(r, suite_pack());
	srunner_add_suite(r, suite_verify());
	srunner_add_suite(r, suite_window());
	srunner_add_suite(r, suite_engine());
	srunner_add_suite(r, suite_escape());
	srunner_add_suite(r, suite_hash());
	srunner_add_suite(r, suite_mapped());
	srunner_add_suite(r, suite_formats());
	srunner_add_suite(r, suite_checks());
	srunner_add_suite(r, suite_heads());
	srunner_add_suite(r, suite_interface());
	srunner_add_suite(r, suite_machine_decide());
	srunner_add_suite(r, suite_maps());
	srunner_add_suite(r, suite_tap_code());
	srunner_set_tap(r, "-");
	srunner_run_all(r, CK_SILENT);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
