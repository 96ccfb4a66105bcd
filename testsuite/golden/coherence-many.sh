# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Five and six caches on a bus: millions of states, none of which is listed. The engine composes them, in runs without an
# error and with some.
exec 2>&1
# Makes a bus with so many caches.
make_bus() {
	numbers=$(seq 0 $(($1 - 1)))
	{
		echo "protocol m$1; header 64; opcode 58..63; idle 63; address 6..47 line 64;"
		echo "groups" $(printf 'cpu%d, ' $numbers) "bus; channels 0..$1;"
		for i in $numbers; do
			echo "types C$i from cpu$i on $i { READ 0 address; OWN 1 address; WRITE 2 address; NONE 3 address; HAVE 4 address; }"
		done
		echo "types Y from bus on $1 {"
		code=0
		for e in SNOOP_READ SNOOP_OWN DATA_S DATA_M WRITTEN; do
			for i in $numbers; do
				echo "$e$i $code address;"
				code=$((code + 1))
			done
		done
		echo '}'
		for i in $numbers; do
			for e in Read=READ Own=OWN WriteBack=WRITE None=NONE Have=HAVE; do
				echo "event ${e%=*}$i from cpu$i = C${i}_${e#*=};"
			done
			for e in SnoopRead=SNOOP_READ SnoopOwn=SNOOP_OWN DataS=DATA_S DataM=DATA_M Written=WRITTEN; do
				echo "event ${e%=*}$i from bus = Y_${e#*=}$i;"
			done
		done
	} >m$1.proto
	sed "s/NUMBER/$1/g" >m$1.coh <<'END'
protocol mNUMBER;
checker caches;
node cpu[NUMBER]: c = I S M, p = - read own write, a = - none have;
node bus: q = - read* own* write*, t = - told, w* = - wait;
tap at bus;
flight cpu# 2; flight bus NUMBER;
order Read#, Own#, WriteBack#;
order None#, Have#;
order SnoopRead*, SnoopOwn*, DataS*, DataM*, Written*;
cpu#: c=I p=- a=- ! Read# : p=read;
cpu#: c=I|S p=- a=- ! Own# : p=own;
cpu#: c=M p=- a=- ! WriteBack# : p=write;
cpu#: p=read a=- ? DataS# : c=S p=-;
cpu#: p=own a=- ? DataM# : c=M p=-;
cpu#: p=write a=- ? Written# : c=I p=-;
cpu#: c=S p=- : c=I;
cpu~: c=I   a=- ? SnoopRead#, SnoopOwn# : a=none;
cpu~: c=S|M a=- ? SnoopRead# : c=S a=have;
cpu~: c=S|M a=- ? SnoopOwn# : c=I a=have;
cpu#: a=none  ! None# : a=-;
cpu#: a=have  ! Have# : a=-;
bus: q=- ? Read# : q=read#;
bus: q=- ? Own# : q=own#;
bus: q=- ? WriteBack# : q=write#;
bus: q=read# t=- ! SnoopRead# : t=told w~=wait;
bus: q=own#  t=- ! SnoopOwn#  : t=told w~=wait;
bus: w#=wait ? None#, Have# : w#=-;
bus: q=read# t=told w*=- ! DataS# : q=- t=-;
bus: q=own#  t=told w*=- ! DataM# : q=- t=-;
bus: q=write# ! Written# : q=-;
END
}
for n in 5 6; do
	echo "--- $n caches"
	make_bus $n
	$NFACC -I . --overlay none --checker-states 1000 -Wno-flight -Wno-checker-order --substream 0x0,16 m$n.coh -o m$n.bin
	$NFAGEN -q --rules m$n.bin --base 0 --lines 16 -n 3000 --seed 3 -o clean.bin
	$NFARUN --count m$n.bin clean.bin
	$NFAGEN -q --rules m$n.bin --base 0 --lines 16 -n 2000 --seed 4 --fault dropped@500 --fault doubled@1000 --fault replaced@1500 -o wrong$n.bin
	$NFARUN -q m$n.bin wrong$n.bin
	$NFARUN -q --explain first m$n.bin wrong$n.bin
done
echo '--- what goes without'
$NFARUN -q --explain first --emit=nodes m5.bin wrong5.bin
$NFARUN -q --count --by rule m5.bin wrong5.bin
echo '--- an overlay needs the states'
$NFACC -I . --checker-states 1000 -Wno-flight -Wno-checker-order --substream 0x0,16 --check m5.coh
echo '--- what multiplies them shows in the states that were found last'
$NFACC -I . -Wno-flight -Wno-checker-order --substream 0x0,16 --check m6.coh
echo '--- more messages, in any order: too many for an engine, too'
sed '/^order/d; s/flight cpu# 2/flight cpu# 3/' m6.coh >l6.coh
$NFACC -I . --overlay none -Wno-flight -Wno-checker-order --substream 0x0,16 --check l6.coh
