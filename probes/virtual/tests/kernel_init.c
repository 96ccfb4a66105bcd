/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * kernel_init.c: the first process of a Linux in QEMU. It loads the driver of the front end, whose
 * registers are memory of QEMU's device ivshmem, and traces a child of its own. It prints TAP, and
 * switches the machine off.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probes/virtual/contract/virtual.h"

/* The traced range: its first pages are written, the next ones only read; these are zero pages. */
enum { PAGE = 4096, WRITTEN = 5, READ = 2, PAGES = 10 };
#define START UINT64_C(0x10000000)

static int tests;
static volatile uint64_t *regs;

static void check(bool ok, const char *what)
{
	printf("%s %d - %s\n", ok ? "ok" : "not ok", ++tests, what);
	fflush(stdout);
}

/* Finds the memory of the device, maps it, and returns its physical address; 0: there is none. */
static uint64_t find_registers(void)
{
	DIR *dir = opendir("/sys/bus/pci/devices");
	struct dirent *e;
	uint64_t base = 0;

	while (base == 0 && dir != NULL && (e = readdir(dir)) != NULL) {
		char path[512];
		unsigned vendor = 0;
		FILE *f;
		int fd;

		snprintf(path, sizeof path, "/sys/bus/pci/devices/%s/vendor", e->d_name);
		f = fopen(path, "r");
		if (f == NULL || fscanf(f, "%x", &vendor) != 1 || vendor != 0x1af4) {
			if (f != NULL)
				fclose(f);
			continue;
		}
		fclose(f);
		snprintf(path, sizeof path, "/sys/bus/pci/devices/%s/enable", e->d_name);
		fd = open(path, O_WRONLY);
		if (fd < 0 || write(fd, "1", 1) != 1)
			printf("# can't enable the device\n");
		close(fd);
		snprintf(path, sizeof path, "/sys/bus/pci/devices/%s/resource", e->d_name);
		f = fopen(path, "r");
		if (f != NULL && fscanf(f, "%*x %*x %*x %*x %*x %*x %" SCNx64, &base) != 1)
			base = 0;
		if (f != NULL)
			fclose(f);
		snprintf(path, sizeof path, "/sys/bus/pci/devices/%s/resource2", e->d_name);
		fd = open(path, O_RDWR);
		regs = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		if (regs == MAP_FAILED)
			base = 0;
		close(fd);
	}
	return base;
}

static uint64_t reg(unsigned offset)
{
	return regs[offset / 8];
}

/* Returns 0, or else errno. */
static int load(const char *options)
{
	int fd = open("/nfavirt.ko", O_RDONLY), error;

	error = syscall(SYS_finit_module, fd, options, 0) == 0 ? 0 : errno;
	close(fd);
	return error;
}

static int command(const char *text)
{
	int fd = open("/dev/nfavirt", O_WRONLY), error;

	error = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text) ? 0 : errno;
	if (fd >= 0)
		close(fd);
	return error;
}

/* Reads the device. Returns the number behind a name; -1: there is none. */
static long long shown(const char *name)
{
	static char text[8192];
	int fd = open("/dev/nfavirt", O_RDONLY);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
	const char *at;

	if (fd >= 0)
		close(fd);
	if (n < 0)
		return -1;
	text[n] = 0;
	at = strstr(text, name);
	return at == NULL ? -1 : strtoll(at + strlen(name), NULL, 0);
}

/* A process that does a step for each byte that it reads, and answers it. */
static pid_t start_child(int to[2], int from[2])
{
	pid_t pid = -1, grandchild = 0;
	volatile char *page;
	char step;

	if (pipe(to) != 0 || pipe(from) != 0 || (pid = fork()) != 0)
		return pid;
	close(to[1]);
	page = mmap((void *)(uintptr_t)START, PAGES * PAGE, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	for (int i = 0; i < WRITTEN; i++)
		page[i * PAGE] = 1;
	for (int i = WRITTEN; i < WRITTEN + READ; i++)
		(void)page[i * PAGE];
	while (write(from[1], "", 1) == 1 && read(to[0], &step, 1) == 1) {
		if (step == 'f' && (grandchild = fork()) == 0) {
			pause();
			_exit(0);
		}
		if (step == 'x') {
			kill(grandchild, 9);
			waitpid(grandchild, NULL, 0);
			_exit(0);
		}
	}
	_exit(1);
}

static void step(int to[2], int from[2], char what)
{
	char c;

	if (what != 0 && write(to[1], &what, 1) != 1)
		printf("# the child is gone\n");
	if (read(from[0], &c, 1) != 1)
		printf("# the child does not answer\n");
}

static void commands(void)
{
	check(command("trace 1 2") == EINVAL && shown("error: trace needs PID START EN") >= 0,
	      "a wrong command, and what is wrong with it");
	check(command("trace 999999 0 4096") == ESRCH &&
		      shown("error: there is no such proces") >= 0,
	      "no such process");
	check(command("stop") == 0 && shown("error") == -1, "to stop what does not run");
}

static void process(void)
{
	int to[2], from[2];
	char text[100];
	pid_t pid = start_child(to, from);
	uint64_t pgd;

	step(to, from, 0);
	snprintf(text, sizeof text, "trace %d 0x%" PRIx64 " 0x%" PRIx64 "\n", (int)pid, START,
		 START + PAGES * PAGE);
	check(command("point 0x10001040") == 0 && command("watch 0x10002000") == 0, "two points");
	check(command(text) == 0 && shown("process ") == pid, "a process is traced");
	pgd = reg(VIRT_PGD_AT);
	check(pgd != 0 && pgd % PAGE == 0 && pgd >> 28 == 0, "the root of its tables is in memory");
	check(reg(VIRT_START_AT) == START && reg(VIRT_END_AT) == START + PAGES * PAGE &&
		      reg(VIRT_ASID_AT) == 1 &&
		      reg(VIRT_CTRL_AT) == (VIRT_PUT(CTRL, ENABLE, 1) | VIRT_PUT(CTRL, LEVELS, 4)),
	      "the registers");
	check(reg(VIRT_POINT_AT) ==
		      (0x10001040 | VIRT_PUT(POINT, ENABLE, 1) | VIRT_PUT(POINT, CODE, 1)) &&
		      reg(VIRT_POINT_AT + 8) == (0x10002000 | VIRT_PUT(POINT, ENABLE, 1)) &&
		      reg(VIRT_POINT_AT + 16) == 0,
	      "the points");
	check(shown("marked ") == READ,
	      "the zero page has other entries, the process's own pages not");
	step(to, from, 'f');
	check(shown("marked ") == READ + WRITTEN + READ, "before a fork each page is marked");
	check(reg(VIRT_CTRL_AT) != 0, "a fork does not end the tracing");
	if (write(to[1], "x", 1) != 1)
		printf("# the child is gone\n");
	waitpid(pid, NULL, 0);
	check(reg(VIRT_CTRL_AT) == 0, "the end of the process does");
	check(reg(VIRT_PGD_AT) == pgd && command(text) == ESRCH, "it is not found any more");
	check(command("forget") == 0 && reg(VIRT_POINT_AT) == 0, "the points are forgotten");
}

/* A process that is traced when another one begins, or the module ends. */
static void change(void)
{
	int to[2], from[2];
	char text[100];
	pid_t pid;

	snprintf(text, sizeof text, "trace %d 0 0x800000000000", (int)getpid());
	check(command(text) == 0 && shown("process ") == getpid() && reg(VIRT_CTRL_AT) != 0,
	      "all addresses of a process");
	check(shown("marked ") > 0, "its libraries have other entries, or zero pages");
	pid = start_child(to, from);
	step(to, from, 0);
	snprintf(text, sizeof text, "trace %d 0x10000000 0x10001000", (int)pid);
	check(command(text) == 0 && shown("process ") == pid && reg(VIRT_START_AT) == START,
	      "another process instead");
	check(syscall(SYS_delete_module, "nfavirt", 0) == 0 && reg(VIRT_CTRL_AT) == 0,
	      "the module ends, and the tracing with it");
	if (write(to[1], "x", 1) != 1)
		printf("# the child is gone\n");
	waitpid(pid, NULL, 0);
}

int main(void)
{
	char options[100];
	uint64_t base;

	mount("sys", "/sys", "sysfs", 0, NULL);
	mount("dev", "/dev", "devtmpfs", 0, NULL);
	printf("\n"); /* behind what the BIOS has written */
	base = find_registers();
	check(base != 0, "there is memory for registers");
	check(load("") == EINVAL && load("base=0x1001") == EINVAL, "no base, and a wrong one");
	snprintf(options, sizeof options, "base=%" PRIu64, base);
	check(load(options) == 0, "the module is loaded");
	check(shown("process ") == 0 && shown("PERHAPS ") == 0, "the device shows the counters");
	commands();
	process();
	change();
	regs[VIRT_CTRL_AT / 8] = regs[VIRT_POINT_AT / 8 + VIRT_POINTS - 1] = 1;
	check(load(options) == 0 && reg(VIRT_CTRL_AT) == 0 &&
		      reg(VIRT_POINT_AT + (VIRT_POINTS - 1) * 8) == 0 &&
		      syscall(SYS_delete_module, "nfavirt", 0) == 0,
	      "it is loaded again, and clears what another driver has left");
	printf("1..%d\n", tests);
	fflush(stdout);
	sync();
	reboot(RB_POWER_OFF);
	return 0;
}
