# $ sh $SELF
f() { printf '%s\n' "$2" >"$1.re"; }
ask() {
	echo "nfacc $*"
	"$NFACC" "$@" >out 2>&1
	code=$?
	sed 's/up to [0-9]* batches/up to N batches/' out
	echo "exit code $code"
}
f req 'let req = Any(cpu.MREQ_RLDD, cpu.MREQ_RLDI); filter f = true* req None(RA2)* req;'
f any 'let req = Any(cpu.MREQ_RLDD, cpu.MREQ_RLDI); filter g = true* req true* req;'
f two 'filter f = true* R12; filter g = R13 true*;'
f never 'filter f = true* R12 !true;'
f all 'filter f = true+;'
f logs 'filter f = true* R12 !true; window 1; log = true*;'
f line 'substream cl from 0x8080 count 3; filter f = R12;'
f lines 'substream cl from 0x8080 count 3; filter f = R13;'
f bytes 'protocol bytes; filter x = true* '"'a'"';'
f long "protocol bytes; counter c = true* 'a' at 4000000000; filter x = @c;"
f longer "protocol bytes; counter c = true* 'a' at 4000000001; filter x = @c;"
ask --equal req.re req.re
ask --equal req.re any.re
ask --contains req.re any.re
ask --contains any.re req.re
ask --equal two.re req.re
ask --contains req.re two.re
ask --empty never.re
ask --empty two.re
ask --universal all.re
ask --universal two.re
ask --equal never.re logs.re
ask --contains never.re logs.re
ask --equal line.re lines.re
ask --equal line.re req.re
ask --equal bytes.re req.re
ask --equal long.re longer.re --proof-steps 10000
ask --equal long.re long.re
f low 'tick 10; filter f = true* R13[rreqid in 2..5] None(RA3, tick);'
f high 'tick 10; filter f = true* R13[rreqid in 2..6] None(RA3, tick);'
f both 'tick 10; filter f = true* Any(R13[rreqid in 2..3], R13[rreqid == 4], R13[rreqid & 0x1f == 5]) None(tick, RA3);'
f slow 'tick 20; filter f = true* R13[rreqid in 2..5] None(RA3, tick);'
f ends 'filter f = true* end;'
f ids 'substream rreqid from 3 count 2; filter f = R13 R13;'
f id 'substream rreqid from 3 count 2; filter f = R13;'
ask --equal low.re both.re
ask --equal low.re high.re
ask --contains high.re low.re
ask --equal low.re slow.re
ask --empty ends.re
ask --equal id.re ids.re
ask --equal req.re
ask --empty req.re any.re
ask --empty --universal req.re
ask --empty req.re -o x
