/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "contract/contract.h"
#include "contract/gen.h"

/* The generated part stands between these lines of the page. */
static const char begin[] = ".\\\" Begin: made by contract/gencontract.c.\n";
static const char end[] = ".\\\" End.\n";

static void tables(void)
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
			printf(".It Cm %s Ta Cm %s Ta %s\n", overlay_params[i].name, v->word, v->text);
	puts(".El\n.Pp");
	for (size_t i = 0; i < ncontract_limits; i++)
		printf("%c%s.\n", toupper((unsigned char)contract_limits[i].text[0]),
		       contract_limits[i].text + 1);
}

bool gen_man(FILE *in)
{
	bool inside = false, found = false;
	char line[1000];

	while (fgets(line, sizeof line, in) != NULL) {
		if (inside && strcmp(line, end) == 0)
			inside = false;
		if (!inside)
			fputs(line, stdout);
		if (strcmp(line, begin) == 0) {
			inside = found = true;
			tables();
		}
	}
	return found && !inside && !ferror(in);
}
