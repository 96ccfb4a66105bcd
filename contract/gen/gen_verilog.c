/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include <inttypes.h>
#include <stdio.h>

#include "contract/contract.h"
#include "contract/gen/gen.h"

/* Prints a line for each value of a choice, such as `define NFACC_DECODER_ROWS 0 // ... */
static void values(const struct overlay_param *p)
{
	const struct overlay_value *v;

	for (size_t i = 0; (v = overlay_param_value(p, i)) != NULL; i++) {
		fputs("`define NFACC_", stdout);
		gen_upper(p->name);
		putchar('_');
		gen_upper(v->word);
		printf(" %" PRIu32 " // %s\n", v->number, v->text);
	}
}

/* Prints the beginning of a macro that checks parameter NAME: `define NFACC_GOOD_NAME (NAME.
 * The macro has no argument for the name, because Icarus 11 crashes on a macro with arguments
 * that a library file uses. */
static void good(const char *name)
{
	fputs("`define NFACC_GOOD_", stdout);
	gen_upper(name);
	fputs(" (", stdout);
	gen_upper(name);
}

static void good_range(const char *name, uint32_t lowest, uint32_t highest)
{
	good(name);
	printf(" >= %" PRIu32 " && ", lowest);
	gen_upper(name);
	printf(" <= %" PRIu32 ")\n", highest);
}

static void good_choice(const struct overlay_param *p)
{
	const struct overlay_value *v;

	good(p->name);
	for (size_t i = 0; (v = overlay_param_value(p, i)) != NULL; i++) {
		if (i != 0) {
			fputs(" || ", stdout);
			gen_upper(p->name);
		}
		printf(" == %" PRIu32, v->number);
	}
	puts(")");
}

/* Prints one condition of the expression that checks all parameters. The conditions are joined by
 * &&. */
static void all_good(const char *name, bool first)
{
	fputs(first ? "(`NFACC_GOOD_" : " && `NFACC_GOOD_", stdout);
	gen_upper(name);
}

static void verilog_print_parameters(void)
{
	puts("\n// Values of overlay parameters.");
	for (size_t i = 0; i < noverlay_params; i++)
		values(&overlay_params[i]);
	puts("\n// For elaboration checks: the parameter of this name has one of its values; "
	     "PARAMETERS: all have.");
	for (size_t i = 0; i < noverlay_params; i++) {
		const struct overlay_param *p = &overlay_params[i];
		if (p->choice)
			good_choice(p);
		else
			good_range(p->name, p->lowest, p->highest);
	}
	for (size_t i = 0; i < ncontract_protocols; i++)
		good_range(contract_protocols[i].name, contract_protocols[i].lowest,
			   contract_protocols[i].highest);
	fputs("`define NFACC_GOOD_PARAMETERS ", stdout);
	for (size_t i = 0; i < noverlay_params; i++)
		all_good(overlay_params[i].name, i == 0);
	for (size_t i = 0; i < ncontract_protocols; i++)
		all_good(contract_protocols[i].name, false);
	puts(")\n\n// Limits.");
	for (size_t i = 0; i < ncontract_limits; i++)
		printf("`define NFACC_MOST_%s %" PRIu32 " // %s\n", contract_limits[i].name,
		       contract_limits[i].most, contract_limits[i].text);
	printf("`define NFACC_RECODE_ADDRESS %d // lowest bit of the address in a word of recode\n",
	       RECODE_ADDRESS);
	puts("\n// Modes of a counter.");
	for (size_t i = 0; i < ncontract_modes; i++) {
		fputs("`define NFACC_COUNTER_MODE_", stdout);
		gen_upper(contract_modes[i].name);
		printf(" 2'd%" PRIu32 " // %s\n", contract_modes[i].number, contract_modes[i].text);
	}
}

/* Prints a macro for the range of the ids of elements: highest and lowest id of the elements that
 * are sent to an engine or, if `registers`, only of those of class REGISTER. */
static void ids(const char *name, bool registers, const char *text)
{
	int lowest = 0, highest = 0;

	for (size_t i = 0; i < nelements; i++) {
		const struct element *el = &elements[i];
		if (registers ? el->storage != STORAGE_REGISTER : element_is_list(el))
			continue;
		lowest = lowest == 0 ? (int)el->id : lowest;
		highest = (int)el->id;
	}
	printf("`define NFACC_%s_IDS %d:%d // %s\n", name, highest, lowest, text);
}

void gen_verilog(void)
{
	gen_heading("// ", "", "contract/contract.def");
	puts("`ifndef NFACC_CONTRACT_VH\n`define NFACC_CONTRACT_VH");
	printf("`define NFACC_CONTRACT_VERSION 32'd%d\n`define NFACC_ID 32'h%08" PRIx32 "\n\n",
	       CONTRACT_VERSION, (uint32_t)CONTRACT_ID);
	puts("// Configuration elements: id in the configuration words.");
	for (size_t i = 0; i < nelements; i++) {
		if (element_is_list(&elements[i]))
			continue;
		fputs("`define NFACC_EL_", stdout);
		gen_upper(elements[i].name);
		printf(" %d // %s, %s: %s\n", elements[i].id, element_storages[elements[i].storage],
		       element_pers[elements[i].per], elements[i].text);
	}
	printf("`define NFACC_ELEMENT_BITS %d // bits of an id\n", __builtin_ctz(ELEMENT_FIELDS));
	ids("DEVICE", false, "from the highest id to the lowest");
	ids("REGISTER", true, "of those that are registers");
	verilog_print_parameters();
	puts("\n// Registers: byte offset. Fields: lowest bit, width.");
	for (size_t i = 0; i < ncontract_registers; i++) {
		const struct contract_register *r = &contract_registers[i];
		printf("`define NFACC_REG_%s 12'h%03" PRIx32 " // %s: %s\n", r->name, r->offset,
		       r->access, r->text);
	}
	for (size_t i = 0; i < ncontract_fields; i++) {
		const struct contract_field *f = &contract_fields[i];
		printf("`define NFACC_%s_", f->reg);
		gen_upper(f->name);
		printf("_LSB %" PRIu32 " // %s\n", f->lsb, f->text);
		printf("`define NFACC_%s_", f->reg);
		gen_upper(f->name);
		printf("_WIDTH %" PRIu32 "\n", f->width);
	}
	puts("\n// STATUS.load.");
	for (size_t i = 0; i < ncontract_loads; i++) {
		fputs("`define NFACC_LOAD_", stdout);
		gen_upper(contract_loads[i].name);
		printf(" 4'd%" PRIu32 " // %s\n", contract_loads[i].value, contract_loads[i].text);
	}
	puts("`endif");
}
