# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# If messages are misses of caches, as a protocol says by `misses`, there is a warning of each
# predicate that takes silence for proof. Types that are excepted give none, and neither does a
# protocol without `misses`.
exec 2>&1
types='header 64; opcode 60..63; address 0..31; groups code;
types fn from code { a 0 address; b 1 address; c 2 address; d 3 address; }'
printf 'protocol all;\n%s\n' "$types" >all.proto
printf 'protocol some;\n%s\nmisses except fn_b, fn_d;\n' "$types" >some.proto
printf 'protocol none;\n%s\nmisses;\n' "$types" >none.proto
printf 'protocol auto; opcode auto; groups code;\nmisses except fn_b;\ntypes fn from code { a; b; }\n' >auto.proto
cat >text.re <<'EOF'
let quiet = !fn_c;
filter one = true* fn_a !fn_b* fn_d;
filter two = true* fn_a None(fn_b, fn_c)* fn_d;
filter three = true* fn_a quiet* fn_d;
filter four = true* fn_a !Any(fn_b, fn_d)* fn_d;
filter plain = true* fn_a !!fn_c fn_d;
EOF
check() { echo "$*"; $NFACC -I . --check --overlay none "$@"; }
check --protocol none text.re
check --protocol some text.re
check --protocol some -Wno-missed text.re
check --protocol all -Werror text.re
echo 'filter f = true* fn_a !fn_b* fn_a; filter g = true* fn_a !fn_a* fn_b;' >auto.re
check --protocol auto auto.re
# What is wrong with the statement.
for wrong in 'misses; misses;' 'misses except fn_x;' 'misses except fn_a, fn_a;' 'misses fn_a;'; do
	printf 'protocol wrong;\n%s\n%s\n' "$types" "$wrong" >wrong.proto
	check --protocol wrong text.re
done
# No bit of an image depends on it.
for p in all none; do
	sed 's/ all;/ same;/; s/ none;/ same;/' $p.proto >same.proto
	$NFACC -I . --overlay none --protocol same -Wno-missed text.re -o $p.bin
done
cmp all.bin none.bin && echo 'the same image'
