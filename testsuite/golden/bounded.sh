# $ sh $SELF
# Cycles whose lengths share no factor are proved in full at every level. If a proof is not full
# there is a warning with place and depth, which -Werror and -Wno-bounded respect. Depths are not
# compared.
f() { printf 'protocol bytes;\n%s\n' "$2" >"$1.re"; }
try() { echo "$*"; "$NFACC" --check "$@" 2>&1 | sed 's/up to [1-9][0-9]* batches/up to N batches/'; }
proof() { echo "$*"; "$NFACC" --check --stats "$@" 2>&1 | sed -n '/warning/p; s/, [0-9]* steps$//; /^proof:/p'; }
four="(true{7})+ 'a' | (true{11})+ 'b' | (true{13})+ 'c' | (true{17})+ 'd'"
six="$four | (true{19})+ 'e' | (true{23})+ 'f'"
f four "filter f = ($four) true*;"
f six "filter f = ($six) true*;"
f again "filter f = true* 'x' ($six)+;"
for x in four six again; do
	proof $x.re
	proof --overlay none -O0 $x.re
	proof --overlay none -O2 $x.re
	proof --overlay none -Os $x.re
done
f open "filter f = eps 'a'{400} 'b';
filter g = true* 'a'{400} 'b';
filter h = true* 'c'{400} 'b';"
set -- --overlay none --count=off --proof-steps 60000 open.re
try "$@"
try -Wno-bounded "$@"
try --verify=off "$@"
"$NFACC" -Werror -o x.bin "$@" 2>&1 | grep -o 'error: .*batches\|\[.*\]' | sed 's/[0-9]* batches/N batches/'
ls x.bin 2>&1
f log "window 2; filter f = true* 'a'; log = true* 'a'{400} 'b' 'c'*;"
try --overlay none --count=off --proof-steps 10000 log.re
try --overlay none --count=off --proof-steps 100 log.re
f hard "protocol eci; filter f = true* (R12 None(R13)){200,300} RA2;"
sed -i 1d hard.re
try --overlay none hard.re
