/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * token.h: a token is what is known about an instruction that a RISC-V machine has committed. This
 * header has the token and the file of tokens, and needs nothing else of the project.
 *
 * Note [token file]
 * A file, or a pipe, of tokens is a struct nfaperf_head followed by tokens until its end. All
 * numbers are little-endian, and both structs are written as they lie in memory: no field has
 * padding around it. The whole file may be compressed with zstd or gzip.
 *
 * Tokens of a hart stand in the order in which it committed them. Tokens of different harts may be
 * interleaved in any way; the cycles of each hart never fall.
 *
 * Note [gap]
 * The cycles between two tokens of a hart belong to the second one: it was that instruction that
 * took so long to commit. So the cycles of a hart add up to its last cycle minus its first one.
 */
#ifndef NFACC_RISCV_TOKEN_H
#define NFACC_RISCV_TOKEN_H

#include <stdint.h>

struct nfaperf_token {
	uint64_t pc;          /* virtual address, sign-extended to 64 bits */
	uint64_t cycle;       /* when the instruction was committed */
	/* The register satp, all of it. Where there is none, as in qemu's user mode: 0, or any
	 * number that tells address spaces apart. */
	uint64_t satp;
	uint32_t instruction; /* of a compressed instruction the upper 16 bits are 0 */
	uint8_t privilege;    /* enum nfaperf_privilege */
	uint8_t flags;        /* NFAPERF_VIRTUAL and others */
	uint16_t hart;        /* in qemu's user mode: the thread */
};

enum nfaperf_privilege { NFAPERF_USER = 0, NFAPERF_SUPERVISOR = 1, NFAPERF_MACHINE = 3 };

enum {
	NFAPERF_VIRTUAL = 1, /* committed in a guest of a hypervisor (V = 1) */
	NFAPERF_LOST = 2     /* tokens of this hart are missing before this one */
};

/* The first 8 bytes of a file of tokens. */
#define NFAPERF_MAGIC "\211RVtok\r\n"

enum { NFAPERF_VERSION = 1 };

struct nfaperf_head {
	char magic[8];        /* NFAPERF_MAGIC without its terminating 0 */
	uint32_t version;     /* NFAPERF_VERSION */
	uint32_t size;        /* of a token: 32 */
	uint32_t flags;       /* NFAPERF_USER_MODE or 0 */
	uint32_t reserved;    /* 0 */
	uint64_t frequency;   /* cycles a second; 0: not known */
};

enum {
	/* The tokens are those of one or more programs without a kernel: there is no satp, and a
	 * trap leaves no tokens. */
	NFAPERF_USER_MODE = 1
};

_Static_assert(sizeof(struct nfaperf_token) == 32, "a token has no padding");
_Static_assert(sizeof(struct nfaperf_head) == 32, "a head has no padding");

#endif
