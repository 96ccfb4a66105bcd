# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# build.sh SOURCES FOLDER: builds a Linux kernel from Debian's linux-source-6.1, and busybox from
# its source package. Both stay in FOLDER. Also builds an initramfs with them and the programs of
# the tests. The first time takes one core about 230 seconds. With the word noasid on its command
# line, the kernel does not use address-space numbers. Linux has no such option, so this script adds
# it. If something that it needs is not installed, it says so and exits with 77.
set -e
sources=$1 folder=$2
mkdir -p "$folder/kernel"
cd "$folder"
export ARCH=riscv CROSS_COMPILE=riscv64-linux-gnu-
gcc=${CROSS_COMPILE}gcc

missing=
for tool in $gcc gcc make flex bison bc xz cpio; do
	command -v "$tool" >/dev/null 2>&1 || missing="$missing $tool"
done
for file in /usr/src/linux-source-6.1.tar.xz /usr/riscv64-linux-gnu/lib/libc.so.6; do
	[ -e "$file" ] || missing="$missing $file"
done
if [ -n "$missing" ]; then
	echo "not installed:$missing (./setup check-rv installs them)" >&2
	exit 77
fi
if [ ! -s kernel/vmlinux ]; then
	tar xf /usr/src/linux-source-6.1.tar.xz --wildcards --exclude='*/Documentation/*.rst' \
		--exclude='*/drivers/gpu/*.[ch]' --exclude='*/drivers/net/ethernet/*.[ch]' \
		--exclude='*/drivers/net/wireless/*.[ch]' --exclude='*/drivers/media/*.[ch]' \
		--exclude='*/sound/*.[ch]' --exclude='*/tools/testing/*' --exclude='*.dts' --exclude='*.dtsi'
	sed -i -e 's/^#include <linux.slab.h>/#include <linux\/init.h>\n&\n#include <linux\/string.h>/' \
		-e 's/^.*Pre-compute ASID details.*/\tif (strstr(boot_command_line, "noasid"))\n\t\tasid_bits = 0;\n&/' \
		linux-source-6.1/arch/riscv/mm/context.c
	grep -q '"noasid"' linux-source-6.1/arch/riscv/mm/context.c
	grep -v '^#' "$sources/linux/config" >wanted
	make -s -C linux-source-6.1 O="$PWD/kernel" KCONFIG_ALLCONFIG="$PWD/wanted" allnoconfig
	make -s -C kernel Image
	rm -rf linux-source-6.1
fi

# Build busybox, if apt can get its source.
if [ ! -e busybox ] && [ ! -e busybox.missing ]; then
	mkdir -p apt/partial
	echo 'deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bookworm main' >apt.list
	apt="apt-get -qq -o Dir::Etc::sourcelist=$PWD/apt.list -o Dir::Etc::sourceparts=/dev/null -o Dir::State::lists=$PWD/apt"
	if $apt update && $apt source --download-only busybox && tar xf busybox_*.orig.tar.bz2; then
		cd busybox-*/
		make -s allnoconfig
		for option in ASH SH_IS_ASH ECHO MD5SUM SORT SEQ FIND LFS BUSYBOX PIE; do
			sed -i "/CONFIG_$option[= ]/d" .config
			echo "CONFIG_$option=y" >>.config
		done
		sed -i "s/^CONFIG_CROSS_COMPILER_PREFIX=.*/CONFIG_CROSS_COMPILER_PREFIX=\"$CROSS_COMPILE\"/" .config
		yes '' | make -s oldconfig
		make -s busybox
		cp busybox_unstripped ../busybox
		cd ..
	else
		echo 'no source of busybox could be had' >busybox.missing
	fi
fi >busybox.log 2>&1

rm -rf root
mkdir -p root/dev root/proc root/lib
$gcc -g -O2 -o root/init "$sources/linux/init.c"
$gcc -g -O2 -o root/hello "$sources/linux/hello.c"
$gcc -g -O2 -o root/stream "$sources/linux/stream.c"
$gcc -g -O2 -shared -fpic -o root/lib/libcalls.so "$sources/programs/calls_library.c"
$gcc -g -O2 -o root/shared "$sources/programs/calls.c" -Lroot/lib -lcalls
cp /usr/riscv64-linux-gnu/lib/libc.so.6 /usr/riscv64-linux-gnu/lib/ld-linux-riscv64-lp64d.so.1 root/lib
[ ! -e busybox ] || cp busybox root/busybox
(cd root && find . | LC_ALL=C sort | cpio -o -H newc --quiet | gzip -n) >initramfs.gz
