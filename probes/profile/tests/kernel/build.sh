# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# build.sh: builds the small kernel and its programs in the current folder, from the sources in $1.
set -e
cc='riscv64-linux-gnu-gcc -g -O2 -std=gnu11 -Wall -Wextra -Werror -ffreestanding -nostdlib
	-fno-builtin -fno-stack-protector -fno-asynchronous-unwind-tables -Wl,--build-id=none -Wl,-z,norelro
	-Wl,--no-warn-rwx-segments -fno-tree-loop-distribute-patterns'
for program in alpha beta gamma; do
	# Only in gamma may the compiler turn calls into jumps.
	calls=-fno-optimize-sibling-calls
	[ $program != gamma ] || calls=
	# shellcheck disable=SC2086
	$cc $calls -fpie -pie -Wl,--dynamic-linker=/none -T "$1/program.ld" -o $program "$1/$program.c"
	riscv64-linux-gnu-objcopy -O binary -j .text -j .interp -j .data $program $program.bin
done
# shellcheck disable=SC2086
$cc -static -fno-pie -no-pie -mcmodel=medany -T "$1/kernel.ld" -o kernel "$1/entry.S" "$1/kernel.c"
