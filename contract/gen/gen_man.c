/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "contract/contract.h"
#include "contract/gen/gen.h"

static void man_print_parameters(void)
{
	const struct overlay_value *v;

	puts(".Bl -column \"counter_width\" \"0 to 65536\" \"default\" \"meaning\"\n"
	     ".It Sy parameter Ta Sy values Ta Sy default Ta Sy meaning");
	for (size_t i = 0; i < noverlay_params; i++) {
		const struct overlay_param *p = &overlay_params[i];
		printf(".It Cm %s Ta %s", p->name, p->choice ? "Cm " : "");
		gen_values(p, " , ");
		printf(" Ta %s", p->choice ? "Cm " : "");
		gen_preset(p);
		printf(" Ta %s\n", p->text);
	}
	puts(".El\n.Pp\nThe values with names mean:\n"
	     ".Bl -column \"predecessors\" \"block\" \"meaning\"\n"
	     ".It Sy parameter Ta Sy value Ta Sy meaning");
	for (size_t i = 0; i < noverlay_params; i++)
		for (size_t k = 0; (v = overlay_param_value(&overlay_params[i], k)) != NULL; k++)
			printf(".It Cm %s Ta Cm %s Ta %s\n", overlay_params[i].name, v->word,
			       v->text);
	puts(".El\n.Pp");
	for (size_t i = 0; i < ncontract_limits; i++)
		printf("%c%s.\n", toupper((unsigned char)contract_limits[i].text[0]),
		       contract_limits[i].text + 1);
}

static void protocol(void)
{
	puts(".Bl -column \"header_bits\" \"1 to 64\" \"meaning\"\n"
	     ".It Sy number Ta Sy values Ta Sy meaning");
	for (size_t i = 0; i < ncontract_protocols; i++) {
		const struct contract_protocol *p = &contract_protocols[i];
		printf(".It Cm %s Ta %" PRIu32 " to %" PRIu32 " Ta %s\n", p->name, p->lowest,
		       p->highest, p->text);
	}
	puts(".El");
}

/* The generated parts of a manual page. In the page a part stands between the line `begin` and the
 * next line that is equal to `end`. print() prints the part. */
static const struct {
	const char *begin;
	void (*print)(void);
} parts[] = {
	{ ".\\\" Begin parameters: made by contract/gen/gencontract.c.\n", man_print_parameters },
	{ ".\\\" Begin protocol: made by contract/gen/gencontract.c.\n", protocol },
};
static const char end[] = ".\\\" End.\n";

bool gen_man(FILE *in)
{
	bool inside = false, found = false;
	char line[1000];

	while (fgets(line, sizeof line, in) != NULL) {
		if (inside && strcmp(line, end) == 0)
			inside = false;
		if (!inside)
			fputs(line, stdout);
		for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
			if (strcmp(line, parts[i].begin) == 0) {
				inside = found = true;
				parts[i].print();
			}
	}
	return found && !inside && !ferror(in);
}
