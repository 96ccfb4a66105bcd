# $ sh $SELF
# Errors and warnings for programs: --diagnostics=json and sarif, -Wall, -Werror=NAME.
cat >a.re <<'F'
protocol eci;
let öde = R12; let last = end;
filter a = true* R13x; // "quoted"	tab
filter b = true* R13[rreqidd == 1];
F
printf 'filter c = true* R12 \351\001;\n' >'b c.re'
cat >w.re <<'F'
filter a = true* R12 R13;
filter b = true* Any(R12, R13) R13;
F
try() {
	echo
	echo "nfacc $*"
	$NFACC "$@" 2>said
	echo "exit code $?"
	cat said
	[ -s said ] || return
	python3 -c 'import json, sys
for line in open("said"): json.loads(line)' || echo 'no JSON'
}
try --check --diagnostics=json a.re
try --check --diagnostics=json 'b c.re'
try --check --diagnostics=sarif a.re
try --check --diagnostics=sarif 'b c.re'
try --check --diagnostics=sarif --overlay none w.re
try --check --diagnostics=json --overlay none w.re
try --check --diagnostics=json --overlay none -Wall w.re
try --check --diagnostics=json --overlay none -Wcontained-label w.re
try --check --diagnostics=json --overlay none -Werror=contained-label w.re
try --check --diagnostics=json --overlay none -Wall -Wno-contained-label w.re
try --check --diagnostics=json --overlay 1,1,1,0 w.re
