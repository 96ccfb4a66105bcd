/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
	.section .start, "ax"
	.globl _start
_start:
	la sp, _stack
	call main
1:	j 1b
