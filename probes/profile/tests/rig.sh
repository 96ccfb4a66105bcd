# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# rig.sh: shared by the tests with emulated RISC-V machines. They source it after lib.sh.
riscv=$SRCDIR/probes/profile/tests
plugin=$BUILDDIR/.libs/nfaperf-qemu.so
cross=riscv64-linux-gnu-
export PYTHONDONTWRITEBYTECODE=1
# Use the Python that has numpy, even if another one comes first in PATH.
python=python3
! /usr/bin/python3 -c 'import numpy' 2>/dev/null || python=/usr/bin/python3

# needs NAME TOOL...: ends the test unless all tools are installed and the plugin can be loaded.
needs() {
	name=$1 why=
	shift
	for tool in "$@" ${cross}gcc python3; do
		command -v "$tool" >/dev/null 2>&1 || why="$tool is not installed"
	done
	[ -n "$why" ] || $python -c 'import numpy' 2>/dev/null || why='numpy is not installed'
	[ -n "$why" ] || echo 'int main(void) { return 0; }' |
		${cross}gcc -x c - -o "$tmp/cross" 2>/dev/null || why='no C library for riscv64'
	# Builds with sanitizers set this. Sanitizers do not check what runs in qemu, so these tests
	# are skipped.
	why=${NFACC_NO_VERILOG:+sanitizers do not see what qemu runs}$why
	if [ -n "$why" ]; then
		skip "$name" "$why"
		plan
		exit 0
	fi
}

tokens() {
	$python "$riscv/tokens.py" "$@"
}

# address ELF SYMBOL: prints the symbol's address in hexadecimal.
address() {
	${cross}nm "$1" | awk -v symbol="$2" '$3 == symbol { print $1; exit }'
}

# same NAME WANTED GOT: reports a case. The two lines must be the same.
same() {
	printf '%s\n' "$2" >"$tmp/same.wanted"
	printf '%s\n' "$3" >"$tmp/same.got"
	check "$1" "$tmp/same.wanted" "$tmp/same.got"
}

