/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The functions of nfart.h on protocols: the part of the protocol table that users of the library
 * see.
 */
#include <string.h>

#include "contract/proto/proto.h"
#include "include/nfart.h"

const char *nfart_proto_name(const struct nfart_proto *p)
{
	return p->name;
}

uint32_t nfart_proto_nslots(const struct nfart_proto *p)
{
	return p->nslots;
}

uint64_t nfart_proto_fingerprint(const struct nfart_proto *p)
{
	return proto_fingerprint(p);
}

int nfart_proto_slot(const struct nfart_proto *p, const char *name)
{
	char own[80];

	for (uint32_t s = 0; s < p->nslots; s++) {
		proto_slot_name(p, s, own);
		if (strcmp(own, name) == 0)
			return (int)s;
	}
	return -1;
}

bool nfart_proto_slot_name(const struct nfart_proto *p, uint32_t slot, char *out, size_t n)
{
	char own[80];

	if (slot >= p->nslots)
		return false;
	proto_slot_name(p, slot, own);
	snprintf(out, n, "%s", own);
	return true;
}

bool nfart_proto_header(const struct nfart_proto *p, uint32_t slot, const char *type,
			uint64_t address, uint64_t *header)
{
	int t = proto_find_type(p, type, strlen(type));
	int op = t < 0 || slot >= p->nslots ? -1 : proto_type_opcode(p, (uint32_t)t, slot);
	uint64_t line = address >> p->header.line_shift;

	if (op < 0 || line << p->header.line_shift != address || line >> p->header.addr_bits != 0)
		return false;
	if (address != 0 && !bits_get(p->codes.has_addr, slot << p->header.op_bits | (uint32_t)op))
		return false;
	*header = (uint64_t)op << p->header.op_lsb | line << p->header.addr_lsb;
	return true;
}

const char *nfart_proto_type(const struct nfart_proto *p, uint32_t slot, uint64_t header)
{
	uint32_t type = slot < p->nslots ? p->codes.type_of[proto_code(p, slot, header)] : 0;

	return type != 0 ? p->names.types[type - 1] : NULL;
}

bool nfart_proto_address(const struct nfart_proto *p, uint32_t slot, uint64_t header,
			 uint64_t *address)
{
	if (slot >= p->nslots || !bits_get(p->codes.has_addr, proto_code(p, slot, header)))
		return false;
	*address = proto_line(p, header) << p->header.line_shift;
	return true;
}

uint32_t nfart_proto_nfields(const struct nfart_proto *p)
{
	return p->names.nfields;
}

const char *nfart_proto_field_name(const struct nfart_proto *p, uint32_t field)
{
	return field < p->names.nfields ? p->names.fields[field].name : NULL;
}

bool nfart_proto_field(const struct nfart_proto *p, uint32_t field, uint32_t slot, uint64_t header,
		       uint64_t *value)
{
	const struct proto_place *x =
		field < p->names.nfields && slot < p->nslots
			? proto_field_place(p, field, proto_code(p, slot, header)) : NULL;

	if (x != NULL)
		*value = proto_place_value(x, header);
	return x != NULL;
}

bool nfart_proto_set_field(const struct nfart_proto *p, uint32_t field, uint32_t slot,
			   uint64_t *header, uint64_t value)
{
	const struct proto_place *x;
	uint64_t changed;
	uint32_t code;

	if (field >= p->names.nfields || slot >= p->nslots)
		return false;
	code = proto_code(p, slot, *header);
	x = proto_field_place(p, field, code);
	if (x == NULL || value >> x->bits != 0)
		return false;
	changed = (*header & ~((((uint64_t)1 << x->bits) - 1) << x->lsb)) | value << x->lsb;
	if (proto_code(p, slot, changed) != code)
		return false;
	*header = changed;
	return true;
}

/* ---- rules for pairs ---- */

uint32_t nfart_proto_npairs(const struct nfart_proto *p)
{
	return p->names.npairs;
}

const char *nfart_proto_pair_name(const struct nfart_proto *p, uint32_t rule)
{
	return rule < p->names.npairs ? p->names.pairs[rule].name : NULL;
}
