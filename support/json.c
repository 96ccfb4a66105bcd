/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "support/json.h"

#include <string.h>

#include "support/escape.h"

void json_put_string(struct buf *b, const char *s)
{
	escape_json(b, s, strlen(s));
}

void json_member(struct buf *b, const char *name, const char *value)
{
	buf_addf(b, ",\"%s\":", name);
	json_put_string(b, value);
}

static void add_rules(struct buf *b, const struct sarif_rule *rules, size_t n)
{
	buf_addf(b, ",\"rules\":[");
	for (size_t i = 0; i < n; i++) {
		buf_addf(b, "%s{\"id\":", i != 0 ? "," : "");
		json_put_string(b, rules[i].id);
		buf_addf(b, ",\"shortDescription\":{\"text\":");
		json_put_string(b, rules[i].text);
		buf_addf(b, "}}");
	}
	buf_addf(b, "]");
}

void sarif_begin(struct buf *b, const char *tool, const char *version,
		 const struct sarif_rule *rules, size_t nrules)
{
	buf_addf(b, "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\","
		    "\"version\":\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":{\"name\":");
	json_put_string(b, tool);
	json_member(b, "version", version);
	if (nrules != 0)
		add_rules(b, rules, nrules);
	buf_addf(b, "}},\"columnKind\":\"unicodeCodePoints\",\"results\":[");
}

void sarif_end(struct buf *b)
{
	buf_addf(b, "]}]}\n");
}

static void add_path(struct buf *b, const char *path)
{
	static const char plain[] = "-._~/!$&'()*+,;=@";

	for (const unsigned char *s = (const unsigned char *)path; *s != 0; s++)
		if ((*s >= '0' && *s <= '9') || (*s >= 'A' && *s <= 'Z') ||
		    (*s >= 'a' && *s <= 'z') || strchr(plain, *s) != NULL)
			buf_addf(b, "%c", *s);
		else
			buf_addf(b, "%%%02X", *s);
}

void sarif_artifact(struct buf *b, const char *folder, const char *file)
{
	const bool below = folder != NULL && file[0] != '/';

	buf_addf(b, "\"artifactLocation\":{\"uri\":\"");
	if ((below ? folder : file)[0] == '/')
		buf_addf(b, "file://");
	if (below) {
		add_path(b, folder);
		buf_addf(b, "/");
	}
	add_path(b, file);
	buf_addf(b, "\"}");
}
