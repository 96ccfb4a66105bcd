# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# loop.S: loops whose cycles are known, in a program of a few hundred bytes without a library.
	.globl	_start, simple, simple_end, costly, costly_end

_start:
	call	simple
	call	costly
	li	a0, 0
	li	a7, 93	# exit
	ecall

# 3000 times: two instructions. From the second time on, a taken jump comes before them.
	.type	simple, @function
simple:
	li	a0, 3000
1:	addi	a0, a0, -1
	bnez	a0, 1b
simple_end:
	ret

# 1000 times: a load, a multiplication, a division, a store.
	.type	costly, @function
costly:
	li	a0, 1000
	li	a1, 7
1:	ld	a2, 0(sp)
	mul	a2, a2, a1
	div	a2, a2, a1
	sd	a2, 0(sp)
	addi	a0, a0, -1
	bnez	a0, 1b
costly_end:
	ret
