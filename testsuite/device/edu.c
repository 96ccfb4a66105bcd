/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * edu NFACTL: the first process of a Linux in QEMU, whose machine has QEMU's teaching device `edu`.
 * It binds the device to uio_pci_generic, to vfio-pci, to a driver of UIO with a map and to none,
 * and drives it as nfactl drives an engine: by its BAR, in accesses of 32 bits, with interrupts
 * that are counted. It prints TAP, and switches the machine off.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/device/device.h"

/* Registers of the device, and the bits of its ID that don't tell a version. */
enum { EDU_ID = 0, EDU_ALIVE = 4, EDU_FACTORIAL = 8, EDU_STATUS = 0x20, EDU_RAISE = 0x60,
       EDU_ACKNOWLEDGE = 0x64, ID_MASK = 0xffff, ID = 0xed, COMPUTES = 1 };

static const char *const vfio_modules[] = {
	"/irqbypass.ko", "/vfio.ko", "/vfio_iommu_type1.ko", "/vfio_virqfd.ko", "/vfio-pci-core.ko",
	"/vfio-pci.ko",
};

static int tests;

static void check(bool ok, const char *what)
{
	printf("%s %d - %s\n", ok ? "ok" : "not ok", ++tests, what);
	fflush(stdout);
}

static void write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		printf("# can't write %s: %s\n", path, strerror(errno));
	if (fd >= 0)
		close(fd);
}

static void load_module(const char *path)
{
	int fd = open(path, O_RDONLY);

	if (fd < 0 || syscall(SYS_finit_module, fd, "", 0) != 0)
		printf("# can't load %s: %s\n", path, strerror(errno));
	close(fd);
}

/* Finds the device by its numbers, and writes "pci:" and its name to out. */
static bool find_edu(char *out, size_t n)
{
	DIR *dir = opendir("/sys/bus/pci/devices");
	struct dirent *e;
	bool found = false;

	while (!found && dir != NULL && (e = readdir(dir)) != NULL) {
		char path[512], text[16] = "";
		int fd;
		snprintf(path, sizeof path, "/sys/bus/pci/devices/%s/device", e->d_name);
		fd = open(path, O_RDONLY);
		if (fd < 0)
			continue;
		found = read(fd, text, sizeof text - 1) > 0 && strncmp(text, "0x11e8", 6) == 0;
		close(fd);
		snprintf(out, n, "pci:%s", e->d_name);
	}
	if (dir != NULL)
		closedir(dir);
	return found;
}

static int run_nfactl(const char *nfactl, const char *name)
{
	int status = -1;
	pid_t pid = fork();

	if (pid == 0) {
		execl(nfactl, nfactl, name, "probe", (char *)NULL);
		_exit(99);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void registers(struct device *d)
{
	uint32_t factorial = 1;

	check((device_read(d, EDU_ID) & ID_MASK) == ID, "the BAR is mapped: ID");
	device_write(d, EDU_ALIVE, 0x12345678);
	check(device_read(d, EDU_ALIVE) == ~0x12345678u, "a write of 32 bits and a read of them");
	device_write(d, EDU_FACTORIAL, 10);
	while ((device_read(d, EDU_STATUS) & COMPUTES) != 0 &&
	       device_error(d)->fault == DEVICE_OK)
		;
	for (uint32_t i = 2; i <= 10; i++)
		factorial *= i;
	check(device_read(d, EDU_FACTORIAL) == factorial, "accesses in their order: 10!");
}

static void interrupts(struct device *d)
{
	uint32_t count;

	device_write(d, EDU_RAISE, 1);
	count = device_interrupt(d);
	device_write(d, EDU_ACKNOWLEDGE, 1);
	check(count == 1, "an interrupt is counted");
	device_interrupt(d);
	check(device_error(d)->fault == DEVICE_HANGS, "an interrupt that does not come");
}

static void give_to_driver(const char *bdf, const char *from, const char *to)
{
	char path[400];

	snprintf(path, sizeof path, "/sys/bus/pci/drivers/%s/unbind", from);
	write_file(path, bdf);
	snprintf(path, sizeof path, "/sys/bus/pci/devices/%s/driver_override", bdf);
	write_file(path, to);
	snprintf(path, sizeof path, "/sys/bus/pci/drivers/%s/bind", to);
	write_file(path, bdf);
}

/* By UIO with a map: a driver for other devices maps the BAR. Its handler of interrupts is not for
 * this one. */
static void by_uio(const char *name, const struct device_options *o)
{
	struct device_error e;
	struct device *d;

	load_module("/uio_cif.ko");
	give_to_driver(name + 4, "vfio-pci", "hilscher");
	check(run_nfactl("/nfactl", "uio:0") == 12, "UIO, nfactl: a device that is no engine");
	check(run_nfactl("/nfactl", "uio:0/1") == 5, "UIO, nfactl: no map");
	d = device_open("uio:0", o, &e);
	check(d != NULL, "UIO: the device is opened");
	if (d == NULL) {
		printf("# %s\n", e.what);
		return;
	}
	check(device_lock(d, DEVICE_USE_REGISTERS), "UIO: it is locked");
	registers(d);
	device_close(d);
}

/* By /dev/mem: no driver has the device, and the BAR is found as a user finds it. */
static void by_memory(const char *name, const struct device_options *o)
{
	struct device_error e;
	struct device *d = NULL;
	char path[400], text[64] = "", memory[80];
	int fd;

	write_file("/sys/bus/pci/drivers/hilscher/unbind", name + 4);
	snprintf(path, sizeof path, "/sys/bus/pci/devices/%s/enable", name + 4);
	write_file(path, "1");
	snprintf(path, sizeof path, "/sys/bus/pci/devices/%s/resource", name + 4);
	fd = open(path, O_RDONLY);
	if (fd >= 0 && read(fd, text, sizeof text - 1) > 0) {
		text[strcspn(text, " ")] = 0;
		snprintf(memory, sizeof memory, "mem:%s", text);
		d = device_open(memory, o, &e);
	}
	close(fd);
	check(d != NULL, "memory: the device is opened");
	if (d == NULL)
		return;
	check(device_lock(d, DEVICE_USE_REGISTERS), "memory: it is locked");
	check(run_nfactl("/nfactl", memory) == 12, "memory, nfactl: a device that is no engine");
	registers(d);
	device_close(d);
}

/* By VFIO: a process alone has the device, and no interrupt is lost. */
static void by_vfio(const char *name, const struct device_options *o)
{
	struct device_error e;
	struct device *d;

	for (size_t i = 0; i < sizeof vfio_modules / sizeof vfio_modules[0]; i++)
		load_module(vfio_modules[i]);
	give_to_driver(name + 4, "uio_pci_generic", "vfio-pci");
	check(run_nfactl("/nfactl", name) == 12, "VFIO, nfactl: a device that is no engine");
	d = device_open(name, o, &e);
	check(d != NULL, "VFIO: the device is opened");
	if (d == NULL) {
		printf("# %s\n", e.what);
		return;
	}
	check(device_lock(d, DEVICE_USE_REGISTERS), "VFIO: it is locked");
	check(run_nfactl("/nfactl", name) == 16, "VFIO, nfactl: another process has it");
	registers(d);
	for (uint32_t i = 1; i <= 3; i++) {
		uint32_t count;
		device_write(d, EDU_RAISE, 1);
		count = device_interrupt(d);
		device_write(d, EDU_ACKNOWLEDGE, 1);
		check(count == i, "VFIO: an interrupt is counted");
	}
	device_interrupt(d);
	check(device_error(d)->fault == DEVICE_HANGS, "VFIO: an interrupt that does not come");
	device_close(d);
}

int main(int argc, char **argv)
{
	struct device_options o = { .timeout_ms = 1000 };
	struct device_error e = { .what = "there is none" };
	struct device *d = NULL;
	char name[300], path[400];

	mount("sys", "/sys", "sysfs", 0, NULL);
	mount("dev", "/dev", "devtmpfs", 0, NULL);
	load_module("/uio.ko");
	load_module("/uio_pci_generic.ko");
	write_file("/sys/bus/pci/drivers/uio_pci_generic/new_id", "1234 11e8");
	if (find_edu(name, sizeof name)) {
		snprintf(path, sizeof path, "/sys/bus/pci/devices/%s/enable", name + 4);
		write_file(path, "1");
		check(run_nfactl(argc > 1 ? argv[1] : "/nfactl", name) == 12,
		      "nfactl: a device that is no engine");
		check(run_nfactl("/nfactl", "pci:0000:00:1f.7") == 5, "nfactl: no device");
		d = device_open(name, &o, &e);
	}
	check(d != NULL, "the device is opened");
	if (d == NULL)
		printf("# %s\n", e.what);
	if (d != NULL) {
		check(device_lock(d, DEVICE_USE_REGISTERS), "it is locked");
		registers(d);
		interrupts(d);
		device_close(d);
		by_vfio(name, &o);
		by_uio(name, &o);
		by_memory(name, &o);
	}
	printf("1..%d\n", tests);
	fflush(stdout);
	sync();
	reboot(RB_POWER_OFF);
	return 0;
}
