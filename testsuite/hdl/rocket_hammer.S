# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Both cores read, write and change 8 lines in random order, for ever. The lines are in 4 sets of the data
# caches, which have one way: lines that are 4096 bytes apart drive each other out. So there are misses of
# all kinds, upgrades, probes of what is there and of what has just gone, and releases.
	.globl	_start
_start:
	csrr	s0, mhartid
	li	s1, 0x9e3779b9		# a random number, another one for each core
	addi	s0, s0, 1
	mul	s1, s1, s0
	la	s2, lines
	li	s3, 0x10c0		# bits of the address that are random
loop:
	slli	t0, s1, 13		# xorshift
	xor	s1, s1, t0
	srli	t0, s1, 7
	xor	s1, s1, t0
	slli	t0, s1, 17
	xor	s1, s1, t0
	srli	t0, s1, 20
	and	t0, t0, s3
	add	t0, t0, s2
	andi	t1, s1, 15
	li	t2, 6
	blt	t1, t2, read
	li	t2, 10
	blt	t1, t2, write
	li	t2, 13
	blt	t1, t2, change
	li	t2, 14
	blt	t1, t2, reserve
	srli	t1, s1, 8		# or waits for a while
	andi	t1, t1, 63
wait:
	addi	t1, t1, -1
	bgtz	t1, wait
	j	loop
read:
	ld	t1, 0(t0)
	j	loop
write:
	sd	s1, 8(t0)
	j	loop
change:
	amoadd.d	t1, s0, (t0)
	j	loop
reserve:
	lr.d	t1, (t0)
	add	t1, t1, s0
	sc.d	t1, t1, (t0)
	j	loop
	.balign	8192
lines:
