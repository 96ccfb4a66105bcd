# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# A trace, or an image, that is given to nfacc in place of a filter.
exec 2>&1
echo 'filter f = true* R12;' >x.re
$NFACC --overlay none x.re -o x.bin
for format in text records compact dense; do
	$NFAGEN -q -n 2 --format $format -o x.$format
done
$NFAGEN -q -n 2 -o x.bt.gz
$NFAGEN -q -n 2 -o x.bt.zst
printf '\n 12 !lost 3\n' >loss
printf '12 mem=0x3011\n' >raw
tell() {
	echo "nfacc $*"
	$NFACC "$@"
	echo "exit code $?"
}
for file in x.text x.records x.compact x.dense x.bt.gz x.bt.zst loss raw x.bin; do
	tell --check $file
done
tell --overlay none -o y.bin - <x.compact
tell --check x.re x.text
tell --equal x.re x.text
tell --diagnostics=json --check x.text
ls
# These are filters with mistakes.
for text in '12 filter f = R12;' '12' '12 R12'; do
	echo "$text" >y.re
	tell --check y.re
done
