/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The command --inspect with --target: reads a dump of registers of a trace unit. Without a filter
 * it prints what the registers mean, as filter text; with filters it says whether they mean these.
 */
#include <errno.h>
#include <string.h>

#include "backends/etm/inspect/etm_inspect.h"
#include "compiler/command/command.h"
#include "compiler/command/files.h"
#include "compiler/proof/registers.h"
#include "contract/etm/etm_dump.h"

/* Reads the dump that the command line names. Returns an exit code. */
static int read_dump(const struct options *o, struct etm_dump *d)
{
	struct nfart_error e = { 0 };
	struct buf text = { 0 };
	int code = files_check_output(o, o->operand), error;

	if (code != NFART_OK)
		return code;
	error = buf_read_file(&text, o->operand, FILES_MOST);
	if (error != 0) {
		code = files_fail(o->operand, strerror(error));
	} else {
		code = (int)etm_dump_read(text.at != NULL ? text.at : "", text.n, o->operand, d,
					  &e);
		if (code != NFART_OK)
			nfart_error_print(stderr, &e);
	}
	buf_free(&text);
	return code;
}

/* The readings that were asked for, a bit for each; without any, that of the core's description. */
static unsigned asked_readings(const struct options *o)
{
	return o->pipeline.proof.readings != 0 ? o->pipeline.proof.readings
					 : 1u << etm_reading_number(o->hardware.core.reading);
}

/* Prints the registers as filter text in the first reading of those, behind comments that name
 * their selectors. */
static int registers_show(const struct options *o, const struct etm_regs *r)
{
	unsigned reading = (unsigned)__builtin_ctz(asked_readings(o));
	struct buf b = { 0 }, machine = { 0 };
	char name[ETM_READING_NAME];
	const char *why;
	int code;

	etm_reading_name(reading, name);
	why = etm_print_machine(r, &o->hardware.core, etm_reading_of(reading), &machine);
	buf_addf(&b, "// registers of core %s, reading %s\n", o->hardware.core.name, name);
	etm_print_selectors(r, &o->hardware.core, &b);
	if (why == NULL)
		buf_add(&b, machine.at, machine.n);
	code = machine.failed ? files_fail("out of memory", NULL) : files_write(o, &b);
	if (code == NFART_OK && why != NULL) {
		fprintf(stderr, "%s: error: no machine of the language says the same: %s\n",
			o->operand, why);
		code = NFART_NOFIT;
	}
	buf_free(&b);
	buf_free(&machine);
	return code;
}

/* Compares the registers with the machine of the spec, and prints the answer. */
static int registers_answer(const struct options *o, const struct etm_regs *r,
			    const struct pipeline *p)
{
	unsigned readings = asked_readings(o);
	struct etm_compared in = { .spec = &p->spec, .core = &o->hardware.core, .regs = r,
				   .steps = o->pipeline.proof.steps };
	struct buf b = { 0 };
	enum nfart_status status;
	bool equal;
	int code;

	if (p->spec.machines.n != 1) {
		fprintf(stderr, "nfacc: error: registers are compared with one machine, not %zu\n",
			p->spec.machines.n);
		return NFART_INPUT;
	}
	in.machine = &p->spec.machines.at[0];
	etm_source_pins(&in, true);
	status = registers_print(&in, readings, &equal, &b);
	if (status == NFART_SYSTEM)
		code = files_fail("out of memory", NULL);
	else if (status != NFART_OK)
		code = files_fail("internal error: a witness was not confirmed", NULL),
		code = NFART_INTERNAL;
	else
		code = files_write(o, &b);
	buf_free(&b);
	return code == NFART_OK && !equal ? (int)NFART_NO : code;
}

static int registers_compare(struct options *o, const struct etm_regs *r)
{
	struct inputs in = { 0 };
	struct pipeline p = { .failed = false };
	int code = inputs_read(o, &in);

	o->pipeline.last = STAGE_SPEC;
	if (code == NFART_OK)
		code = files_compile(o, &p, in.file, in.n);
	if (code == NFART_OK)
		code = registers_answer(o, r, &p);
	if (in.n != 0)
		pipeline_free(&p);
	inputs_free(&in);
	return code;
}

int cmd_inspect_registers(struct options *o)
{
	struct diags d = { .werror = o->pipeline.warnings.werror };
	struct etm_dump dump;
	int code = read_dump(o, &dump);

	if (code != NFART_OK)
		return code;
	etm_check(&dump.regs, &dump.stated, &o->hardware.core, &d);
	files_print_diags(o, &d);
	code = d.errors != 0 ? (int)NFART_INPUT
	       : o->files.n != 0 ? registers_compare(o, &dump.regs)
				 : registers_show(o, &dump.regs);
	diag_free(&d);
	return code;
}
