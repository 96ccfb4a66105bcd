/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * gencontract: prints what is generated from contract/contract.def: `gencontract verilog` the include for
 * the engine, `gencontract doc` the page doc/contract.md, `gencontract header` the registers for
 * firmware (runtime/device/nfacc_registers.h). The outputs are kept in the tree, and `make check` compares
 * them.
 */
#include <inttypes.h>
#include <string.h>

#include "contract/contract_header.h"
#include "contract/image.h"

static const char *const storages[] = { "register", "chain", "truth tables", "row memory",
					"sparse list" };
static const char *const pers[] = { "once", "per STE", "per STE and slot", "per shared decoder",
				    "per row (slot and opcode)", "per five nodes",
				    "per label and five nodes", "per counter" };
static const char *const encodings[] = { "mask", "truth table", "integer" };

/* Expressions as they stand in contract.def, for people. */
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

/* `o->clique` and `overlay_nste(o)` as `clique` and `nste`. */
static void plain(const char *s)
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

static void upper(const char *s)
{
	for (; *s != 0; s++)
		putchar(*s >= 'a' && *s <= 'z' ? *s - 32 : *s);
}

/* REUSE-IgnoreStart: the lines are for the files made here. */

/* What each file begins with, as comments between `open` and `close`. */
static void heading(const char *open, const char *close)
{
	printf("%sSPDX-License-Identifier: BSD-2-Clause%s\n"
	       "%sSPDX-FileCopyrightText: nfacc contributors%s\n"
	       "%sMade from contract/contract.def by contract/gencontract.c; `make check` compares. "
	       "Do not edit.%s\n",
	       open, close, open, close, open, close);
}

/* REUSE-IgnoreEnd */

static void verilog(void)
{
	heading("// ", "");
	puts("`ifndef NFACC_CONTRACT_VH\n`define NFACC_CONTRACT_VH");
	printf("`define NFACC_CONTRACT_VERSION 32'd%d\n`define NFACC_ID 32'h%08" PRIx32 "\n\n",
	       CONTRACT_VERSION, (uint32_t)CONTRACT_ID);
	puts("// Configuration elements: id in the configuration words.");
	for (size_t i = 0; i < nelements; i++) {
		if (elements[i].storage == STORAGE_SPARSE)
			continue;
		fputs("`define NFACC_EL_", stdout);
		upper(elements[i].name);
		printf(" %d // %s, %s: %s\n", elements[i].id, storages[elements[i].storage],
		       pers[elements[i].per], elements[i].text);
	}
	puts("\n// Values of overlay parameters.");
	printf("`define NFACC_DECODER_ROWS %d\n`define NFACC_DECODER_STE %d\n`define "
	       "NFACC_DECODER_BANK %d\n"
	       "`define NFACC_PREDECESSORS_MASK %d\n`define NFACC_PREDECESSORS_LUT5 %d\n",
	       OVERLAY_ROWS, OVERLAY_STE, OVERLAY_BANK, OVERLAY_MASK, OVERLAY_LUT5);
	puts("\n// Registers: byte offset. Fields: lowest bit, width.");
	for (size_t i = 0; i < ncontract_registers; i++) {
		const struct contract_register *r = &contract_registers[i];
		printf("`define NFACC_REG_%s 12'h%03" PRIx32 " // %s: %s\n", r->name, r->offset,
		       r->access, r->text);
	}
	for (size_t i = 0; i < ncontract_fields; i++) {
		const struct contract_field *f = &contract_fields[i];
		printf("`define NFACC_%s_", f->reg);
		upper(f->name);
		printf("_LSB %" PRIu32 " // %s\n", f->lsb, f->text);
		printf("`define NFACC_%s_", f->reg);
		upper(f->name);
		printf("_WIDTH %" PRIu32 "\n", f->width);
	}
	puts("\n// STATUS.load.");
	for (size_t i = 0; i < ncontract_loads; i++) {
		fputs("`define NFACC_LOAD_", stdout);
		upper(contract_loads[i].name);
		printf(" 4'd%" PRIu32 " // %s\n", contract_loads[i].value, contract_loads[i].text);
	}
	puts("`endif");
}

static void doc(void)
{
	heading("<!-- ", " -->");
	puts("# The contract\n\n"
	     "What compiler, engines and this page share, written once in `contract/contract.def`.");
	printf("Version %d.\n\n## Overlay parameters\n\n| parameter | from | to | default | "
	       "shapes bits | meaning |\n"
	       "|---|---|---|---|---|---|\n",
	       CONTRACT_VERSION);
	for (size_t i = 0; i < noverlay_params; i++)
		printf("| `%s` | %" PRIu32 " | %" PRIu32 " | %" PRIu32 " | %s | %s |\n",
		       overlay_params[i].name, overlay_params[i].lowest, overlay_params[i].highest,
		       overlay_params[i].preset, overlay_params[i].shapes ? "yes" : "no",
		       overlay_params[i].text);
	puts("\n## Derived numbers\n\n| number | is | meaning |\n|---|---|---|");
	for (size_t i = 0; i < NDERIVED; i++) {
		printf("| `%s` | `", derived[i].name);
		plain(derived[i].expression);
		printf("` | %s |\n", derived[i].text);
	}
	puts("\n## Configuration elements\n\nIn the configuration words by rising id; the layout of each "
	     "storage "
	     "class is in `contract/contract.h`, Note [configuration words].\n\n"
	     "| id | element | storage | there | bits of one | if | encoding | meaning |\n"
	     "|---|---|---|---|---|---|---|---|");
	for (size_t i = 0; i < nelements; i++) {
		const struct element *el = &elements[i];
		bool sparse = el->storage == STORAGE_SPARSE;
		printf("| %d | `%s` | %s | %s | ", el->id, el->name, storages[el->storage],
		       pers[el->per]);
		plain(sparse ? "a list" : expressions[i].width);
		fputs(" | ", stdout);
		plain(sparse                                     ? "overlay none"
		      : strcmp(expressions[i].present, "1") == 0 ? "always"
								 : expressions[i].present);
		printf(" | %s | %s |\n", encodings[el->encoding], el->text);
	}
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
	puts("\n## Sections of cfg.bin\n\n| id | section | an engine may skip it | holds "
	     "|\n|---|---|---|---|");
	for (size_t i = 0; i < nsections; i++)
		printf("| %d | `%s` | %s | %s |\n", sections[i].id, sections[i].name,
		       sections[i].skippable ? "yes" : "no", sections[i].text);
	printf("\nThe file begins with a header of %d bytes: magic, version (byte %d), number of "
	       "sections "
	       "(%d), hardware fingerprint (%d), names fingerprint (%d), size of the file (%d), "
	       "CRC-32C of "
	       "header and table with this field 0 (%d). An entry of the table has %d bytes: id "
	       "(%d), "
	       "flags (%d), offset (%d), length (%d), CRC-32C (%d).\n",
	       IMAGE_HEADER, IMAGE_AT_VERSION, IMAGE_AT_NSECTIONS, IMAGE_AT_HARDWARE,
	       IMAGE_AT_NAMES, IMAGE_AT_SIZE, IMAGE_AT_CRC, IMAGE_ENTRY, ENTRY_AT_ID,
	       ENTRY_AT_FLAGS, ENTRY_AT_OFFSET, ENTRY_AT_LENGTH, ENTRY_AT_CRC);
}

static bool header(void)
{
	struct buf b = { 0 };
	bool ok;

	contract_header(&b);
	heading("/* ", " */");
	ok = !b.failed && fwrite(b.at, 1, b.n, stdout) == b.n;
	buf_free(&b);
	return ok;
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "verilog") == 0)
		verilog();
	else if (argc == 2 && strcmp(argv[1], "doc") == 0)
		doc();
	else if (argc == 2 && strcmp(argv[1], "header") == 0)
		return header() && fflush(stdout) == 0 ? NFART_OK : NFART_SYSTEM;
	else
		return NFART_USAGE;
	return fflush(stdout) == 0 ? NFART_OK : NFART_SYSTEM;
}
