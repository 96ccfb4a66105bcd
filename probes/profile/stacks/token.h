/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * token.h: a token describes an instruction that a RISC-V machine has committed. This header
 * defines the token and the token file. It needs no other header of the project.
 *
 * Note [token file]
 * A token file is a struct nfaperf_head followed by tokens up to its end. It may also be a pipe.
 * All numbers are little-endian. Both structs are written as they are in memory, and they have no
 * padding. The whole file may be compressed with zstd or gzip.
 *
 * The tokens of one hart are in the order in which it committed the instructions. Tokens of
 * different harts may be interleaved in any way. The cycles of one hart never fall.
 *
 * Note [gap]
 * The cycles between two tokens of a hart belong to the second one, because that instruction took
 * this time to commit. So the cycles of a hart add up to its last cycle minus its first cycle.
 */
#ifndef NFACC_RISCV_TOKEN_H
#define NFACC_RISCV_TOKEN_H

#include <stdint.h>

struct nfaperf_token {
	uint64_t pc;          /* virtual address, sign-extended to 64 bits */
	uint64_t cycle;       /* when the instruction was committed */
	/*
	 * The whole register satp. If there is none, as in qemu's user mode, it is 0, or any number
	 * that distinguishes address spaces.
	 */
	uint64_t satp;
	uint32_t instruction; /* the upper 16 bits of a compressed instruction are 0 */
	uint8_t privilege;    /* enum nfaperf_privilege */
	uint8_t flags;        /* NFAPERF_VIRTUAL and others */
	uint16_t hart;        /* in qemu's user mode: the thread */
};

enum nfaperf_privilege { NFAPERF_USER = 0, NFAPERF_SUPERVISOR = 1, NFAPERF_MACHINE = 3 };

enum {
	NFAPERF_VIRTUAL = 1, /* committed in a guest of a hypervisor (V = 1) */
	NFAPERF_LOST = 2     /* tokens of this hart are missing before this one */
};

/* The first 8 bytes of a token file. */
#define NFAPERF_MAGIC "\211RVtok\r\n"

enum { NFAPERF_VERSION = 1 };

struct nfaperf_head {
	char magic[8];        /* NFAPERF_MAGIC without its terminating 0 */
	uint32_t version;     /* NFAPERF_VERSION */
	uint32_t size;        /* size of a token: 32 */
	uint32_t flags;       /* NFAPERF_USER_MODE or 0 */
	uint32_t reserved;    /* 0 */
	uint64_t frequency;   /* cycles per second; 0: not known */
};

enum {
	/*
	 * There is no kernel in the stream, only programs. There is no satp, and traps leave no
	 * tokens.
	 */
	NFAPERF_USER_MODE = 1
};

_Static_assert(sizeof(struct nfaperf_token) == 32, "a token has no padding");
_Static_assert(sizeof(struct nfaperf_head) == 32, "a head has no padding");

#endif
