# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# shellcheck shell=sh disable=SC2154
# firmware_images.sh: makes the images for firmware_test in the folder $tmp; to be sourced. There is
# an overlay for every decoder, for both widths of the port, with and without shadow, and one with
# fewer rows than a bit map of them has bits. $overlays are those that the script was asked for, or
# else all. $images are the test's arguments, three for each of them. $test_sources are the sources
# of the test without its target.
test_sources=
for f in contract/contract.c contract/crc.c support/error.c contract/image/image.c \
	contract/image/image_decode.c \
	contract/image/image_mapped.c contract/image/image_sparse.c contract/proto/proto.c support/arena.c \
	support/buf.c support/vec.c runtime/device/firmware.c testsuite/rtl/firmware_test.c \
	testsuite/rtl/firmware_wire.c; do
	test_sources="$test_sources $SRCDIR/$f"
done
overlays=${*:-rows32 rows64 ste32 bank64 few32}

# overlay NAME PARAMETERS: writes an overlay description to $tmp/NAME.ov.
protocol=bytes
overlay() {
	printf 'overlay %s;\nprotocol %s;\n%s\n' "$1" "$protocol" "$2" >"$tmp/$1.ov"
}
overlay rows32 'clique 2; length 2; rings 1; reach 0; lines 2; labels 2; window 4;'
overlay rows64 'clique 3; length 3; rings 3; reach 1; lines 3; labels 1; window 8; data 64;
	time yes;'
overlay ste32 'clique 2; length 2; rings 1; reach 0; decoder ste; predecessors mask; lines 1; labels 2; window 4;
	shadow yes;'
overlay bank64 'clique 2; length 3; rings 1; reach 0; decoder bank; bank 3; lines 2; labels 3; window 0;
	data 64; shadow yes;'
printf 'protocol few;\nheader 8;\nopcode 0..2;\ngroups g;\ntypes T { A 1; B 6; }\n' \
	>"$tmp/few.proto"
protocol=few
overlay few32 'clique 2; length 2; rings 1; reach 0; lines 1; labels 1; window 2;'
printf 'protocol bytes;\nfilter first = true* true;\n' >"$tmp/first.re"
printf 'protocol bytes;\nlimit 1000;\nfilter second = true* true;\n' >"$tmp/second.re"

images=
other=bank64
for v in $overlays; do
	for f in first second; do
		tapped=$(sed -n 's/^protocol \(.*\);$/\1/p' "$tmp/$v.ov")
		sed "s/protocol bytes/protocol $tapped/" "$tmp/$f.re" >"$tmp/$v.re"
		# The engine finds the first tick before it can be armed. That tick never comes.
		[ "$v" != rows64 ] || echo "tick 4294967295;" >>"$tmp/$v.re"
		"$NFACC" -I "$tmp" --overlay "$tmp/$v.ov" "$tmp/$v.re" -o "$tmp/$v.$f" || exit 99
		images="$images $tmp/$v.$f"
	done
	images="$images $tmp/$other.first"
	[ -f "$tmp/$other.first" ] || "$NFACC" --overlay "$tmp/$other.ov" "$tmp/first.re" \
		-o "$tmp/$other.first" || exit 99
	other=$v
done
