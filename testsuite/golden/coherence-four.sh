# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Four caches on a bus: 565,637 states, and too many sets of them to be listed. So the engine follows the rules, in runs
# without an error and with some.
exec 2>&1
{
	cat <<-'END'
	protocol four;
	header 64; opcode 58..63; idle 63; address 6..47 line 64;
	groups cpu0, cpu1, cpu2, cpu3, bus; channels 0..4;
	END
	for i in 0 1 2 3; do
		echo "types C$i from cpu$i on $i { READ 0 address; OWN 1 address; WRITE 2 address; NONE 3 address; HAVE 4 address; DIRTY 5 address; }"
	done
	echo 'types Y from bus on 4 {'
	code=0
	for e in SNOOP_READ SNOOP_OWN DATA_S DATA_E DATA_M WRITTEN; do
		for i in 0 1 2 3; do
			echo "$e$i $code address;"
			code=$((code + 1))
		done
	done
	echo '}'
	for i in 0 1 2 3; do
		for e in Read=READ Own=OWN WriteBack=WRITE None=NONE Have=HAVE Dirty=DIRTY; do
			echo "event ${e%=*}$i from cpu$i = C${i}_${e#*=};"
		done
		for e in SnoopRead=SNOOP_READ SnoopOwn=SNOOP_OWN DataS=DATA_S DataE=DATA_E DataM=DATA_M Written=WRITTEN; do
			echo "event ${e%=*}$i from bus = Y_${e#*=}$i;"
		done
	done
} >four.proto
cat >four.coh <<'END'
protocol four;
checker caches;
node cpu[4]: c = I S E M, p = - read own write, a = - none have dirty;
node bus: q = - read* own* write*, t = - told, w* = - wait, s = - shared;
tap at bus;
flight cpu# 2; flight bus 4;
order Read#, Own#, WriteBack#;
order None#, Have#, Dirty#;
order SnoopRead*, SnoopOwn*, DataS*, DataE*, DataM*, Written*;
cpu#: c=I p=- a=- ! Read# : p=read;
cpu#: c=I|S p=- a=- ! Own# : p=own;
cpu#: c=M p=- a=- ! WriteBack# : p=write;
cpu#: p=read a=- ? DataS# : c=S p=-;
cpu#: p=read a=- ? DataE# : c=E p=-;
cpu#: p=own a=- ? DataM# : c=M p=-;
cpu#: p=write a=- ? Written# : c=I p=-;
cpu#: c=E p=- : c=M;
cpu#: c=S|E p=- : c=I;
cpu~: c=I   a=- ? SnoopRead#, SnoopOwn# : a=none;
cpu~: c=S|E a=- ? SnoopRead# : c=S a=have;
cpu~: c=M   a=- ? SnoopRead# : c=S a=dirty;
cpu~: c=S|E a=- ? SnoopOwn# : c=I a=have;
cpu~: c=M   a=- ? SnoopOwn# : c=I a=dirty;
cpu#: a=none  ! None# : a=-;
cpu#: a=have  ! Have# : a=-;
cpu#: a=dirty ! Dirty# : a=-;
bus: q=- ? Read# : q=read#;
bus: q=- ? Own# : q=own#;
bus: q=- ? WriteBack# : q=write#;
bus: q=read# t=- ! SnoopRead# : t=told w~=wait;
bus: q=own#  t=- ! SnoopOwn#  : t=told w~=wait;
bus: w#=wait ? None# : w#=-;
bus: w#=wait ? Have#, Dirty# : w#=- s=shared;
bus: q=read# t=told w*=- s=shared ! DataS# : q=- t=- s=-;
bus: q=read# t=told w*=- s=-      ! DataE# : q=- t=- s=-;
bus: q=own#  t=told w*=- ! DataM# : q=- t=- s=-;
bus: q=write# ! Written# : q=-;
END
$NFACC -I . --overlay none -Wno-flight -Wno-checker-order --substream 0x0,16 four.coh -o four.bin
$NFAGEN -q --rules four.bin --base 0 --lines 16 -n 20000 --seed 3 -o clean.bin
$NFARUN --count four.bin clean.bin
$NFAGEN -q --rules four.bin --base 0 --lines 16 -n 4000 --seed 4 --fault dropped@1000 --fault doubled@2000 --fault replaced@3000 -o wrong.bin
$NFARUN -q four.bin wrong.bin
$NFARUN -q --explain first four.bin wrong.bin
$NFARUN -q --count --by rule four.bin wrong.bin
echo '--- an overlay needs what an observer can know'
$NFACC -I . -Wno-flight -Wno-checker-order --substream 0x0,16 --check four.coh
