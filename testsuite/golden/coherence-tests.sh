# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# An event of 900 parts with a test each, in 60 types and 32 slots: more tests than an image keeps. The image is without
# rules, and an engine can't follow them.
exec 2>&1
awk 'BEGIN {
	print "protocol many; header 64; opcode 58..63; idle 63; address 0..9 line 64;"
	print "groups a 0..31, b 0..31; channels 0..31;\ntypes R from a {"
	for (i = 0; i < 60; i++) print "R" i, i, "address;"
	print "}\ntypes H from b { GO 61 address; }\nfield f 10..12;\nevent go from b = H_GO;\nevent read from a = R_R0"
	for (i = 1; i < 60; i++) print ", R_R" i
	print ";"
}' >many.proto
awk 'BEGIN {
	print "protocol many; checker w;\nnode a: s = - asked;\nnode b: q = - ask;\nevent r from a = read[f != 1]"
	for (i = 1; i < 900; i++) print ", read[f != 1]"
	print ";\na: s=- ! r: s=asked;\na: s=asked ? go: s=-;\nb: q=- ? r: q=ask;\nb: q=ask ! go: q=-;"
}' >many.coh
"$NFACC" -I . --overlay none --form=only -Wno-checker-lines many.coh -o many.bin &&
	"$NFARUN" -q many.bin /dev/null
"$NFACC" -I . --overlay none --form=follow -Wno-checker-lines many.coh -o many.bin
