# $ sh $SELF
# Images that say less and less about where predicates come from, and two files of the same name.
printf 'filter f = true* cpu.MREQ_RLDI\n\tfpga.MRSP_PEMD;' >a.re
printf '10 cpu.MREQ_RLDI@6:0x80\n11 fpga.MRSP_PEMD@4:0x80\n' >t
for o in '--source --overlay none' '--overlay none' '--no-names --overlay none' \
	'--no-names --overlay 2,1,1,0'; do
	echo "$o"
	$NFACC $o a.re -o a
	$NFARUN --explain 11 a <t
done
mkdir d
echo 'let x = R12;' >d/a.re
$NFACC -Wno-unused-let --overlay none --source a.re d/a.re -o a
$NFARUN --explain 11 a t
