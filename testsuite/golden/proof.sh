# $ sh $SELF
# --stats prints what was proved. Steps, bounds and times are not compared.
f() { printf '%s\n' "$2" >"$1.re"; }
try() { echo "$*"; "$NFACC" --check --stats "$@" 2>&1 >/dev/null | sed -n 's/, [0-9]* steps$//; s/bounded [1-9][0-9]*/bounded N/; /^proof:/p'; }
f small 'window 2; log = true+; filter f = true* R12 None(RA2)* R12; filter g = true* R13;'
f long "protocol bytes; filter f = true* 'a'{400} 'b';"
f count "protocol bytes; counter c = true* 'a' reset true* 'b' at 4000000000 latch; filter f = @c true*;"
try small.re
try --overlay none -O0 small.re
try --verify=off small.re
try --proof-steps 100 small.re
try --overlay none --proof-steps 20000 long.re
try --overlay none --verify=full long.re
try --overlay none count.re
"$NFACC" --verify=maybe small.re
echo "exit code $?"
"$NFACC" --proof-steps 0 small.re
echo "exit code $?"
