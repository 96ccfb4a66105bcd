/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfagen/traffic/gen_message.h"

#include <string.h>

/* The formats of ECI headers: which fields they have besides opcode and address, and in which bits.
 *
 *   REQUEST  RReqId 54:50, dmask 49:46, ns 45            SYNC  RReqId 54:50
 *   FORWARD  HReqId 55:50, dmask 49:46, ns 45, node 43:42
 *   VICTIM   dmask 49:46, ns 45                           ACK   HReqId 55:50, dmask 49:46, ns 45
 *   GRANT    RReqId 54:50, dmask 49:46                    IO    tag 55:50, register 35:3
 */
enum fields { REQUEST, SYNC, FORWARD, VICTIM, ACK, GRANT, IO };

enum { ID_LSB = 50, DMASK_LSB = 46, NS_LSB = 45, NODE_LSB = 42, REGISTER_LSB = 3 };

enum { NO_VC = -1 };

static const struct {
	const char *type, *group;
	enum fields fields;
	/* The even VC of the pair that carries the message: `plain` if it has no data, `data` if it
	 * has. I/O has no pairs, and `plain` is the VC. */
	int8_t plain, data;
} TABLE[GEN_KINDS] = {
	[GEN_R12] = {"MREQ_RLDI", "cpu", REQUEST, 6, NO_VC},
	[GEN_R13] = {"MREQ_RLDD", "cpu", REQUEST, 6, NO_VC},
	[GEN_R13_STORE] = {"MREQ_RLDX", "cpu", REQUEST, 6, NO_VC},
	[GEN_R23] = {"MREQ_RC2D_S", "cpu", REQUEST, 6, NO_VC},
	[GEN_V21] = {"MRSP_VICS", "cpu", VICTIM, 10, NO_VC},
	[GEN_V32] = {"MRSP_VICC", "cpu", VICTIM, 10, 4},
	[GEN_V31] = {"MRSP_VICD", "cpu", VICTIM, 10, 4},
	[GEN_A31] = {"MRSP_VICDHI", "cpu", ACK, 10, 4},
	[GEN_A21] = {"MRSP_HAKD", "cpu", ACK, 10, NO_VC},
	[GEN_A32] = {"MRSP_HAKN_S", "cpu", ACK, 10, 4},
	[GEN_A22] = {"MRSP_HAKS", "cpu", ACK, 10, NO_VC},
	[GEN_A11] = {"MRSP_HAKI", "cpu", ACK, 10, NO_VC},
	[GEN_A11_VICTIM] = {"MRSP_HAKV", "cpu", ACK, 10, NO_VC},
	[GEN_RA2] = {"MRSP_PSHA", "fpga", GRANT, NO_VC, 4},
	[GEN_RA3] = {"MRSP_PEMD", "fpga", GRANT, 10, 4},
	[GEN_F21] = {"MFWD_SINV_H", "fpga", FORWARD, 8, NO_VC},
	[GEN_F31] = {"MFWD_FEVX_EH", "fpga", FORWARD, 8, NO_VC},
	[GEN_F32] = {"MFWD_FLDRS_EH", "fpga", FORWARD, 8, NO_VC},
	[GEN_GSYNC] = {"MREQ_GSYNC", "cpu", SYNC, 6, NO_VC},
	[GEN_GSDN] = {"MRSP_GSDN", "fpga", SYNC, 10, NO_VC},
	[GEN_IOBLD] = {"IREQ_IOBLD", "cpu", IO, 0, NO_VC},
	[GEN_IOBST] = {"IREQ_IOBST", "cpu", IO, 0, NO_VC},
	[GEN_IOBSTA] = {"IREQ_IOBSTA", "cpu", IO, 0, NO_VC},
	[GEN_SLILD] = {"IREQ_SLILD", "cpu", IO, 0, NO_VC},
	[GEN_SLIST] = {"IREQ_SLIST", "cpu", IO, 0, NO_VC},
	[GEN_IOBRSP] = {"IRSP_IOBRSP", "fpga", IO, 1, NO_VC},
	[GEN_IOBACK] = {"IRSP_IOBACK", "fpga", IO, 1, NO_VC},
	[GEN_SLIRSP] = {"IRSP_SLIRSP", "fpga", IO, 1, NO_VC},
};

bool gen_has_data(const struct gen_message *m)
{
	return m->dmask != 0 && TABLE[m->kind].data != NO_VC;
}

/* Finds the slots and the opcode of a kind of message, for lines whose home is the FPGA, or with
 * at_cpu the CPU. False: the protocol lacks it. The even VC of
 * a pair carries the lines with an odd index. The thesis says the opposite, but captures show
 * this. */
static bool message_resolve(struct gen_codec *c, int kind, bool at_cpu)
{
	const struct nfart_proto *p = c->proto;
	const char *name = TABLE[kind].type, *group_name = TABLE[kind].group;

	if (at_cpu)
		group_name = strcmp(group_name, "cpu") == 0 ? "fpga" : "cpu";
	int type = proto_find_type(p, name, strlen(name));
	int group = proto_find_group(p, group_name, strlen(group_name));
	if (type < 0 || group < 0)
		return false;
	for (int i = 0; i < 4; i++) {
		int data = i / 2, odd = i % 2;
		int vc = data ? TABLE[kind].data : TABLE[kind].plain;
		if (vc == NO_VC)
			continue;
		if (TABLE[kind].fields != IO && !odd)
			vc++;
		int slot = proto_find_slot(p, (uint32_t)group, vc);
		int opcode = slot < 0 ? -1 : proto_type_opcode(p, (uint32_t)type, (uint32_t)slot);
		if (opcode < 0)
			return false;
		c->slot[at_cpu][kind][data][odd] = (uint8_t)slot;
		c->opcode[kind] = (uint64_t)opcode << p->header.op_lsb;
	}
	return true;
}

bool gen_codec_init(struct gen_codec *c, const struct nfart_proto *p, bool plain)
{
	memset(c, 0, sizeof *c);
	c->proto = p;
	c->plain = plain;
	for (int kind = 0; kind < GEN_IOBLD; kind++)
		if (!message_resolve(c, kind, false))
			return false;
	c->has_cpu_home = true;
	for (int kind = 0; kind < GEN_GSYNC; kind++)
		c->has_cpu_home = message_resolve(c, kind, true) && c->has_cpu_home;
	c->has_io = true;
	for (int kind = GEN_IOBLD; kind < GEN_KINDS; kind++)
		c->has_io = message_resolve(c, kind, false) && c->has_io;
	return true;
}

static uint64_t address(const struct gen_codec *c, const struct gen_message *m)
{
	switch (TABLE[m->kind].fields) {
	case SYNC:
	case IO:
		return 0;
	default:
		return m->line << c->proto->header.addr_lsb & proto_addr_mask(c->proto);
	}
}

static uint64_t other_fields(const struct gen_message *m)
{
	const uint64_t ns = (uint64_t)1 << NS_LSB, node = (uint64_t)1 << NODE_LSB;
	uint64_t id = (uint64_t)m->id << ID_LSB, dmask = (uint64_t)m->dmask << DMASK_LSB;

	switch (TABLE[m->kind].fields) {
	case SYNC:
		return id;
	case FORWARD:
		return id | dmask | ns | node;
	case VICTIM:
		return dmask | ns;
	case GRANT:
		return id | dmask;
	case IO:
		return id | m->line << REGISTER_LSB;
	case REQUEST:
	case ACK:
		break;
	}
	return id | dmask | ns;
}

uint64_t gen_header(const struct gen_codec *c, const struct gen_message *m)
{
	uint64_t h = c->opcode[m->kind] | address(c, m);

	return c->plain ? h : h | other_fields(m);
}
