# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# shellcheck shell=sh
# hdl.sh: for the tests of this folder, which source it after lib.sh. Programs of build/hdl, the
# virtual environment of `./setup check-hdl`, come first in PATH.
hdl=$BUILDDIR/hdl

# hdl_only NAME TOOL...: ends the test if the environment or one of the tools is not there.
hdl_only() {
	PATH=$hdl/bin:$PATH
	export PATH
	if [ ! -f "$hdl/complete" ]; then
		skip "$1" 'there is no build/hdl: ./setup check-hdl makes it'
		plan
		exit 0
	fi
	verilog_only "$@"
}

# hdl_python NAME: lets Python find nfart; ends the test if it can't load the library.
hdl_python() {
	NFART_LIBRARY=$BUILDDIR/.libs/libnfart.so.0 PYTHONPATH=$SRCDIR/python PYTHONDONTWRITEBYTECODE=1
	export NFART_LIBRARY PYTHONPATH PYTHONDONTWRITEBYTECODE NFACC NFARUN
	why=
	[ -e "$NFART_LIBRARY" ] || why='there is no shared library'
	! nm -D "$NFART_LIBRARY" 2>/dev/null | grep -q __asan_init || why='the library is built with sanitizers'
	if [ -n "$why" ]; then
		skip "$1" "$why"
		plan
		exit 0
	fi
	# The make that runs this test would tell those below about its jobs.
	unset MAKEFLAGS MAKELEVEL MFLAGS
}

# cocotb_said RESULTS NAME: says what came of a test of cocotb in its results.xml: passed, the message of
# its failure, or nothing if it is not there.
cocotb_said() {
	python3 - "$@" <<-'END'
		import sys
		import xml.etree.ElementTree as tree
		for case in tree.parse(sys.argv[1]).iter("testcase"):
		    if case.get("name") == sys.argv[2]:
		        bad = [b for b in case if b.tag in ("failure", "error", "skipped")]
		        print(" ".join(b.get("error_msg", b.get("message", b.tag)) for b in bad) or "passed")
	END
}
