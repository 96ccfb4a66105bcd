# $ sh $SELF
# nfarun -e compiles a filter and runs it.
cat >t.bt <<T
10 cpu.MREQ_RLDD@6:0x8080
14 cpu.MREQ_RLDX@7:0x8100 cpu.MREQ_GSYNC@6
21 fpga.MRSP_PEMD@4:0x8080
30 fpga.MRSP_PEMD@5:0x8100 cpu.MREQ_RLDD@6:0x8180
T
try() {
	echo
	echo "nfarun $*"
	$NFARUN "$@" || echo "exit code $?"
}
try -q -e 'true* R13' t.bt
try -q --filter='true* R13 any // an answer later' t.bt
try -q --lines -e 'substream cl from 0x8080 count 4; filter asked = true* R13; filter answered = true* R13 RA3;' t.bt
try --count -e 'window 1; filter a = true* R12;  ' t.bt
try --explain first -e 'true* R13[rreqid == 0] any RA3' t.bt
try -q -e 'true* tick' --tick 3 --until 40 t.bt
try -q -e 'tick 5; filter f = true* tick;' --tick 3 t.bt
try -e 'true* R13x' t.bt
try -e '' t.bt
try -e 'filter a = true*' t.bt
try -e ';' t.bt
try -q -e "true* 'a' 'b'" t.bt
printf 'abcab' | try -q -p bytes -f raw -e "true* 'a' 'b'"
try -p nothing -e 'true* R13' t.bt
sed 's/protocol eci/protocol mine/' "$SRCDIR/protocols/eci.proto" >mine.proto
try -q -p mine -I . -e 'true* R13 any' t.bt
try -p eci t.bt
try -e 'true* R13' --inspect
try -e 'true* R13' t.bt t.bt
