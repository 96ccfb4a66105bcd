#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# The firmware on other processors: prints its size, freestanding, and runs its test under QEMU's
# user mode. NFACC and SRCDIR are as in the tests.
set -eu
tmp=$(mktemp -d "${TMPDIR:-/tmp}/nfacc-firmware.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' INT TERM
. "$SRCDIR/testsuite/rtl/firmware_images.sh"
"$NFACC" --emit=header --overlay "$tmp/rows32.ov" "$tmp/first.re" >"$tmp/filter.h"
awk '/^```c/ { on = 1; next } /^```/ { on = 0 } on' "$SRCDIR/doc/use/firmware.md" >"$tmp/example.c"

warnings='-Wall -Wextra -Werror'
# size_of NAME TOOLS FLAGS: prints the size of the freestanding firmware, which needs no library.
size_of() {
	# shellcheck disable=SC2086
	for f in "$SRCDIR/runtime/device/firmware.c" "$tmp/example.c"; do
		$2-gcc -std=c11 $warnings $3 -Os -ffreestanding -I"$SRCDIR/runtime/device" -c "$f" \
			-o "$tmp/$(basename "$f" .c).o"
	done
	if "$2-nm" -u "$tmp/firmware.o" | grep .; then
		echo "firmware.c needs more than itself"
		exit 1
	fi
	"$2-size" "$tmp/firmware.o" | awk -v name="$1" 'NR == 2 { printf "%-34s %6d %6d %6d\n", name, $1, $2, $3 }'
}

# run TOOLS QEMU: runs the firmware's test on that processor.
run() {
	# shellcheck disable=SC2086
	$1-gcc -std=gnu11 $warnings -O1 -static -DNFACC_OWN_IO -I"$SRCDIR" $test_sources \
		"$SRCDIR/testsuite/rtl/firmware_model.c" "$SRCDIR/testsuite/rtl/regmodel.c" \
		-o "$tmp/test"
	# shellcheck disable=SC2086
	if ! $2 "$tmp/test" $images >"$tmp/log" || grep -q '^not ok' "$tmp/log"; then
		grep -v '^ok' "$tmp/log" || true
		echo "$2: the test failed"
		exit 1
	fi
	echo "$2: $(grep -c '^ok' "$tmp/log") tests passed"
}

printf '%-34s %6s %6s %6s\n' 'firmware.c, -Os -ffreestanding' text data bss
size_of 'Arm, Cortex-M3 (Thumb-2)' arm-linux-gnueabihf '-mcpu=cortex-m3 -mthumb -mfloat-abi=soft'
size_of 'Arm, ARMv7-A (Thumb-2)' arm-linux-gnueabihf ''
size_of 'RISC-V, rv64gc' riscv64-linux-gnu ''
size_of 'RISC-V, rv32imc' riscv64-linux-gnu '-march=rv32imc -mabi=ilp32'
run arm-linux-gnueabihf qemu-arm
run riscv64-linux-gnu qemu-riscv64
