/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The source of a Linux module that offers a program as a feature and a configuration of the
 * CoreSight configuration manager (Documentation/trace/coresight/coresight-config.rst): through
 * configfs, and for perf as an event of cs_etm. Reload values of counters are parameters.
 */
#include <inttypes.h>
#include <string.h>

#include "backends/etm/etm.h"

struct module {
	const struct target_job *job;
	struct buf *b;
};

static bool is(const struct etm_reg *reg, size_t member)
{
	return reg->member == member;
}

#define IS(reg, field) is(reg, offsetof(struct etm_regs, field))

static const char *counter_name(const struct module *m, uint32_t i)
{
	const struct etm_program *p = m->job->made.own;
	const struct machine *x = &m->job->spec->machines.at[0];

	return p->report.time && i == 0 ? "tick" : x->counters.at[i - p->report.time].name;
}

/* Registers of the trace itself, which the driver sets as perf asks for. */
static bool is_drivers(const struct etm_reg *reg)
{
	return IS(reg, config) || IS(reg, stallctl) || IS(reg, tsctl) || IS(reg, syncp) ||
	       IS(reg, traceid) || IS(reg, viiectl) || IS(reg, vissctl) || IS(reg, vipcssctl);
}

/* Of TRCVICTLR the driver takes the event alone. Of ETE's event numbers it knows one register only,
 * so there is no module for ETE. */
static void description(void *ctx, const struct etm_reg *reg, uint32_t index, uint32_t offset,
			uint64_t value)
{
	struct module *m = ctx;
	const struct etm_program *p = m->job->made.own;
	/* A counter that starts elsewhere than at its reload value has no parameter for it. */
	bool count = IS(reg, cntrldv) ||
		     (IS(reg, cntv) && value == p->regs.cntrldv[index]);
	const char *type = IS(reg, victl)                  ? "STD | CS_CFG_REG_TYPE_VAL_MASK"
			   : IS(reg, acv) || IS(reg, acat) ? "STD | CS_CFG_REG_TYPE_VAL_64BIT"
			   : count && index < p->report.ncounters
				   ? "STD | CS_CFG_REG_TYPE_VAL_PARAM"
				   : "STD";

	if (is_drivers(reg))
		return;
	buf_addf(m->b, "\t{ /* ");
	etm_reg_name(etm_options(m->job)->core, reg, index, m->b);
	buf_addf(m->b, " */\n\t\t.type = CS_CFG_REG_TYPE_%s,\n\t\t.offset = 0x%03" PRIx32 ",\n",
		 type, offset);
	if (count && index < p->report.ncounters)
		buf_addf(m->b, "\t\t.param_idx = %" PRIu32 ",\n\t},\n", index);
	else if (reg->size == 8)
		buf_addf(m->b, "\t\t.val64 = 0x%" PRIx64 "ull,\n\t},\n", value);
	else if (IS(reg, victl))
		buf_addf(m->b,
			 "\t\t.val32 = 0x%02" PRIx32 ",\n\t\t.mask32 = 0x%02" PRIx32 ",\n\t},\n",
			 ETM_GET(TRCVICTLR, EVENT, value), ETM_MASK(TRCVICTLR, EVENT));
	else
		buf_addf(m->b, "\t\t.val32 = 0x%" PRIx64 ",\n\t},\n", value);
}

static const char head[] =
"// SPDX-License" "-Identifier: GPL-2.0\n"
"/*\n * Made by nfacc: machine %s for the trace unit of core %s.\n *\n"
" * Build it as a module of the kernel, with -I$(srctree)/drivers/hwtracing/coresight. Then\n"
" *   echo 1 >/sys/kernel/config/cs-syscfg/configurations/%s/enable\n"
" * or: perf record -e cs_etm/%s/u. The parameters are counters' reload values.\n */\n"
"#include <linux/module.h>\n\n#include \"coresight-config.h\"\n#include \"coresight-syscfg.h\"\n\n";

static const char tail[] =
"static const char *%s_refs[] = { \"%s\" };\n\n"
"static struct cscfg_config_desc %s_config = {\n\t.name = \"%s\",\n"
"\t.description = \"machine %s, made by nfacc\\n\",\n"
"\t.nr_feat_refs = ARRAY_SIZE(%s_refs),\n\t.feat_ref_names = %s_refs,\n};\n\n"
"static struct cscfg_feature_desc *%s_features[] = { &%s_feature, NULL };\n"
"static struct cscfg_config_desc *%s_configs[] = { &%s_config, NULL };\n\n"
"static struct cscfg_load_owner_info %s_owner = {\n\t.type = CSCFG_OWNER_MODULE,\n"
"\t.owner_handle = THIS_MODULE,\n};\n\n"
"static int __init %s_init(void)\n{\n"
"\treturn cscfg_load_config_sets(%s_configs, %s_features, &%s_owner);\n}\n\n"
"static void __exit %s_exit(void)\n{\n\tcscfg_unload_config_sets(&%s_owner);\n}\n\n"
"module_init(%s_init);\nmodule_exit(%s_exit);\n\n"
"MODULE_LICENSE(\"GPL\");\nMODULE_DESCRIPTION(\"machine %s for a trace unit, made by nfacc\");\n";

static void params(struct module *m, const char *name)
{
	const struct etm_program *p = m->job->made.own;

	if (p->report.ncounters == 0)
		return;
	buf_addf(m->b, "static struct cscfg_parameter_desc %s_params[] = {\n", name);
	for (uint32_t i = 0; i < p->report.ncounters; i++)
		buf_addf(m->b, "\t{ .name = \"%s\", .value = %" PRIu32 " },\n", counter_name(m, i),
			 p->regs.cntrldv[i]);
	buf_addf(m->b, "};\n\n");
}

void etm_emit_cscfg(const struct target_job *job, struct buf *b)
{
	const struct etm_program *p = job->made.own;
	const char *n = job->spec->machines.at[0].name;
	struct module m = { job, b };

	buf_addf(b, head, n, etm_options(job)->core->name, n, n);
	params(&m, n);
	buf_addf(b, "static struct cscfg_regval_desc %s_regs[] = {\n", n);
	etm_visit(etm_options(job)->core, p, description, &m);
	buf_addf(b, "};\n\nstatic struct cscfg_feature_desc %s_feature = {\n\t.name = \"%s\",\n"
		 "\t.description = \"machine %s, made by nfacc\\n\",\n"
		 "\t.match_flags = CS_CFG_MATCH_CLASS_SRC_ETM4,\n", n, n, n);
	if (p->report.ncounters != 0)
		buf_addf(b, "\t.nr_params = ARRAY_SIZE(%s_params),\n\t.params_desc = %s_params,\n",
			 n, n);
	buf_addf(b, "\t.nr_regs = ARRAY_SIZE(%s_regs),\n\t.regs_desc = %s_regs,\n};\n\n", n, n);
	buf_addf(b, tail, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n);
}
