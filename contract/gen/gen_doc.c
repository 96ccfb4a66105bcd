/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "contract/gen/gen.h"
#include "contract/image/image.h"

/* The DERIVED rows of contract.def, with their expressions as text. */
static const struct {
	const char *name, *expression, *text;
} derived[] = {
#define DERIVED(name, expression, text) { #name, #expression, text },
#include "contract/contract.def"
};
enum { NDERIVED = sizeof derived / sizeof derived[0] };

static const struct {
	const char *width, *present;
} expressions[] = {
#define ELEMENT(id, name, storage, per, width, present, encoding, text)                  \
	{ #width, #present },
#include "contract/contract.def"
};

/* Prints an expression of contract.def in the form that doc/develop/contract.md uses: `o->clique`
 * becomes `clique`, and `overlay_nste(o)` becomes `nste`. */
static void doc_print_plain(const char *s)
{
	while (*s != 0) {
		if (strncmp(s, "o->", 3) == 0)
			s += 3;
		else if (strncmp(s, "overlay_", 8) == 0)
			s += 8;
		else if (strncmp(s, "contract_", 9) == 0)
			s += 9;
		else if (strncmp(s, "OVERLAY_", 8) == 0)
			s += 8;
		else if (strncmp(s, "(o)", 3) == 0)
			s += 3;
		else
			putchar(*s++);
	}
}

static void doc_print_parameters(void)
{
	const struct overlay_value *v;

	puts("\n## Overlay parameters\n\n"
	     "In the order in which an image has them. Those that shape bits are "
	     "part of the hardware fingerprint.\n\n"
	     "| parameter | values | default | shapes bits | meaning |\n|---|---|---|---|---|");
	for (size_t i = 0; i < noverlay_params; i++) {
		const struct overlay_param *p = &overlay_params[i];
		printf("| `%s` | ", p->name);
		gen_values(p, ", ");
		fputs(" | ", stdout);
		gen_preset(p);
		printf(" | %s | %s |\n", p->shapes ? "yes" : "no", p->text);
	}
	puts("\n| parameter | value | number in an image | meaning |\n|---|---|---|---|");
	for (size_t i = 0; i < noverlay_params; i++)
		for (size_t k = 0; (v = overlay_param_value(&overlay_params[i], k)) != NULL; k++)
			printf("| `%s` | `%s` | %" PRIu32 " | %s |\n", overlay_params[i].name,
			       v->word, v->number, v->text);
	puts("\n### Limits\n");
	for (size_t i = 0; i < ncontract_limits; i++)
		printf("- %s\n", contract_limits[i].text);
	puts("\n## What an engine knows of the protocol\n\n"
	     "| number | values | meaning |\n|---|---|---|");
	for (size_t i = 0; i < ncontract_protocols; i++) {
		const struct contract_protocol *p = &contract_protocols[i];
		printf("| `%s` | %" PRIu32 " to %" PRIu32 " | %s |\n", p->name, p->lowest,
		       p->highest, p->text);
	}
}

static void derived_numbers(void)
{
	puts("\n## Derived numbers\n\n| number | is | meaning |\n|---|---|---|");
	for (size_t i = 0; i < NDERIVED; i++) {
		printf("| `%s` | `", derived[i].name);
		doc_print_plain(derived[i].expression);
		printf("` | %s |\n", derived[i].text);
	}
}

static void doc_print_numbers(const char *title, const struct contract_number *at, size_t n)
{
	printf("\n| %s | number | meaning |\n|---|---|---|\n", title);
	for (size_t i = 0; i < n; i++)
		printf("| `%s` | %" PRIu32 " | %s |\n", at[i].name, at[i].number, at[i].text);
}

static void configuration(void)
{
	puts("\n## Configuration elements\n\n"
	     "In the configuration words by rising id; the layout of each storage "
	     "class is in `contract/contract.h`, Note [configuration words].\n\n"
	     "| id | element | storage | there | bits of one | if | encoding | meaning |\n"
	     "|---|---|---|---|---|---|---|---|");
	for (size_t i = 0; i < nelements; i++) {
		const struct element *el = &elements[i];
		bool sparse = element_is_list(el);
		printf("| %d | `%s` | %s | %s | ", el->id, el->name, element_storages[el->storage],
		       element_pers[el->per]);
		doc_print_plain(sparse ? "a list" : expressions[i].width);
		fputs(" | ", stdout);
		doc_print_plain(sparse                                     ? "overlay none"
				: strcmp(expressions[i].present, "1") == 0 ? "always"
								 : expressions[i].present);
		printf(" | %s | %s |\n", element_encodings[el->encoding], el->text);
	}
	doc_print_numbers("mode of a counter", contract_modes, ncontract_modes);
	doc_print_numbers("flag of a state in `states`", contract_flags, ncontract_flags);
}

static void doc_print_registers(void)
{
	puts("\n## Registers of the engine\n\n32 bits each, read and written over AXI4-Lite.\n\n"
	     "| offset | register | access | meaning |\n|---|---|---|---|");
	for (size_t i = 0; i < ncontract_registers; i++)
		printf("| 0x%03" PRIx32 " | `%s` | %s | %s |\n", contract_registers[i].offset,
		       contract_registers[i].name, contract_registers[i].access,
		       contract_registers[i].text);
	puts("\n| field | bits | meaning |\n|---|---|---|");
	for (size_t i = 0; i < ncontract_fields; i++) {
		const struct contract_field *f = &contract_fields[i];
		printf("| `%s.%s` | ", f->reg, f->name);
		if (f->width == 1)
			printf("%" PRIu32, f->lsb);
		else
			printf("%" PRIu32 ":%" PRIu32, f->lsb + f->width - 1, f->lsb);
		printf(" | %s |\n", f->text);
	}
	puts("\n| `STATUS.load` | name | meaning |\n|---|---|---|");
	for (size_t i = 0; i < ncontract_loads; i++)
		printf("| %" PRIu32 " | `%s` | %s |\n", contract_loads[i].value,
		       contract_loads[i].name, contract_loads[i].text);
}

static void doc_print_file(void)
{
	puts("\n## Sections of cfg.bin\n\n"
	     "| id | section | an engine may skip it | holds |\n|---|---|---|---|");
	for (size_t i = 0; i < nsections; i++)
		printf("| %d | `%s` | %s | %s |\n", sections[i].id, sections[i].name,
		       sections[i].skippable ? "yes" : "no", sections[i].text);
	printf("\nThe file begins with a header of %d bytes: magic, version (byte %d), number of "
	       "sections (%d), hardware fingerprint (%d), names fingerprint (%d), "
	       "size of the file (%d), "
	       "CRC-32C of header and table with this field 0 (%d). "
	       "An entry of the table has %d bytes: id (%d), flags (%d), "
	       "offset (%d), length (%d), CRC-32C (%d).\n",
	       IMAGE_HEADER, IMAGE_AT_VERSION, IMAGE_AT_NSECTIONS, IMAGE_AT_HARDWARE,
	       IMAGE_AT_NAMES, IMAGE_AT_SIZE, IMAGE_AT_CRC, IMAGE_ENTRY, ENTRY_AT_ID,
	       ENTRY_AT_FLAGS, ENTRY_AT_OFFSET, ENTRY_AT_LENGTH, ENTRY_AT_CRC);
}

void gen_doc(void)
{
	gen_heading("<!-- ", " -->", "contract/contract.def");
	puts("# The contract\n\n"
	     "What compiler, engines and this page share, "
	     "written once in `contract/contract.def`.");
	printf("Version %d.\n", CONTRACT_VERSION);
	doc_print_parameters();
	derived_numbers();
	configuration();
	doc_print_registers();
	doc_print_file();
}
