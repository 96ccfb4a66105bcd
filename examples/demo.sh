#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# demo.sh: compiles a filter and runs it over a trace. Uses $NFACC and $NFARUN; else the tools in
# build/, else those that are installed.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
find_tool() {
	if [ -x "$here/../build/$1" ]; then echo "$here/../build/$1"; else echo "$1"; fi
}
nfacc=${NFACC:-$(find_tool nfacc)}
nfarun=${NFARUN:-$(find_tool nfarun)}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

echo 'The filter, examples/inflight/inflight.re: a request arrives while another one is being served.'
echo
grep -v -e '^//' -e '^$' "$here/inflight/inflight.re" | sed 's/^/    /'
echo
echo '$ nfacc inflight.re -o inflight.bin     # placed on the default overlay, 300 states'
"$nfacc" "$here/inflight/inflight.re" -o "$tmp/inflight.bin"
echo '$ nfarun inflight.bin inflight.bt'
"$nfarun" "$tmp/inflight.bin" "$here/inflight/inflight.bt" 2>"$tmp/summary"
echo
sed 's/^/    /' "$tmp/summary"
echo
cat <<'TEXT'
Two of 60 batches match, those marked [inflight]; the window shows three on either side. The first
match is a fault: the same request once more, one cycle after the first. The second is the request
of another line, which is nothing bad. More, each explained at its top: examples/
TEXT
