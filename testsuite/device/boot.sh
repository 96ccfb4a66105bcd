# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# boot.sh: Debian's kernel in QEMU, for tests that source it. The kernel's package is downloaded once,
# and unpacked in the build folder, not installed.

# give_up REASON: skips all of $what.
give_up() {
	skip "$what" "$1"
	plan
	exit 0
}

# debian_kernel [PACKAGE]: sets $kernel to a folder with boot/vmlinuz-VERSION and lib/modules/VERSION.
# Without PACKAGE it is the newest one of Debian's.
debian_kernel() {
	[ "$(uname -m)" = x86_64 ] || give_up 'this is no x86_64'
	command -v qemu-system-x86_64 >/dev/null || give_up 'qemu-system-x86_64 is not installed'
	kernel=$BUILDDIR/debian-kernel${1:+-$1}
	[ -z "$(ls "$kernel"/boot/vmlinuz-* 2>/dev/null)" ] || return 0
	mkdir -p "$kernel"
	package=${1:-$(apt-cache depends linux-image-amd64 2>/dev/null |
		sed -n 's/.*Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1)}
	[ -n "$package" ] || give_up 'there is no package of a kernel'
	(cd "$kernel" && apt-get download "$package") >"$tmp/log" 2>&1 ||
		give_up "the package $package can't be downloaded"
	dpkg-deb -x "$kernel/$package"_*.deb "$kernel" && rm -f "$kernel/$package"_*.deb
}

# boot INITRD CASES OPTION...: runs a machine, whose first process prints TAP. CASES is how many cases
# it has.
boot() {
	initrd=$1 cases=$2
	shift 2
	timeout 600 qemu-system-x86_64 -accel tcg -smp 2 -m 256 -nographic -no-reboot \
		-nodefaults -serial stdio -kernel "$(ls "$kernel"/boot/vmlinuz-* | head -n 1)" \
		-initrd "$initrd" "$@" </dev/null >"$tmp/serial" 2>"$tmp/qemu"
	tr -d '\r' <"$tmp/serial" | grep -a '^ok \|^not ok \|^1\.\.' >"$tmp/tap"
	while read -r result; do
		case $result in
		ok*) ok "${result#*- }" ;;
		not*) not_ok "${result#*- }" "$tmp/serial" ;;
		esac
	done <"$tmp/tap"
	grep -q "^1\.\.$cases\$" "$tmp/tap" && ok 'all tests came to their end' ||
		not_ok 'all tests came to their end' "$tmp/serial"
}
