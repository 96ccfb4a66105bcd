/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * edu NFACTL: the first process of a Linux in QEMU, whose machine has two processors and QEMU's
 * teaching device `edu`. It binds the device to uio_pci_generic, to vfio-pci, to a driver of UIO
 * with a map and to none, and drives it as nfactl drives an engine: by its BAR, in accesses of 32
 * bits, with interrupts that are counted. The devices `e1000`, which has nothing but a line, and
 * `rocker`, which has nothing but MSI-X, show the other interrupts of VFIO, and `i82557b` those of
 * UIO with a map. It prints TAP, and switches the machine off.
 */
#define _GNU_SOURCE /* sched_setaffinity */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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

/* Of Intel's 82540EM: a read of its causes takes them back. Of rocker: a vector to be sent. */
enum { E1000_CAUSES = 0xc0, E1000_RAISE = 0xc8, E1000_ALLOW = 0xd0, ROCKER_SEND = 0x20 };

/* Of Intel's 82557, in bytes: causes, which a 1 takes back; a wish for an interrupt; a byte of
 * memory where the driver uio_cif looks for its device's interrupts, and what it takes for one. */
enum { I82557_CAUSES = 1, I82557_RAISE = 3, I82557_WISH = 2, CIF_INTERRUPTS = 0x4c,
       CIF_RAISED = 5 };

/* Vendor and device, as files of /sys have them. */
#define EDU "0x1234 0x11e8"
#define E1000 "0x8086 0x100e"
#define ROCKER "0x1b36 0x0006"
#define I82557 "0x8086 0x1229"

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

/* Reads the first word of a file of a PCI device. False: there is none. */
static bool pci_word(const char *bdf, const char *what, char word[32])
{
	char path[512];
	FILE *f;
	bool ok;

	snprintf(path, sizeof path, "/sys/bus/pci/devices/%s/%s", bdf, what);
	f = fopen(path, "r");
	ok = f != NULL && fscanf(f, "%31s", word) == 1;
	if (f != NULL)
		fclose(f);
	return ok;
}

/* Finds a device by its numbers, and writes "pci:" and its name to out. */
static bool find_device(const char *numbers, char *out, size_t n)
{
	DIR *dir = opendir("/sys/bus/pci/devices");
	struct dirent *e;
	bool found = false;

	while (!found && dir != NULL && (e = readdir(dir)) != NULL) {
		char vendor[32], device[32], both[80];
		if (!pci_word(e->d_name, "vendor", vendor) ||
		    !pci_word(e->d_name, "device", device))
			continue;
		snprintf(both, sizeof both, "%s %s", vendor, device);
		found = strcmp(both, numbers) == 0;
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

/* from: NULL for a device without a driver. */
static void give_to_driver(const char *bdf, const char *from, const char *to)
{
	char path[400];

	if (from != NULL) {
		snprintf(path, sizeof path, "/sys/bus/pci/drivers/%s/unbind", from);
		write_file(path, bdf);
	}
	snprintf(path, sizeof path, "/sys/bus/pci/devices/%s/driver_override", bdf);
	write_file(path, to);
	snprintf(path, sizeof path, "/sys/bus/pci/drivers/%s/bind", to);
	write_file(path, bdf);
}

/*
 * Interrupts of UIO with a map, of a device whose memory can be made to look to the driver as its
 * own device's after an interrupt. The driver switches off what it takes for the interrupts, not
 * the line: that is raised again, and taken for nobody's, until it is acknowledged here, while the
 * other processor asks.
 */
static void uio_interrupts(const struct device_options *o)
{
	struct device_error e = { .what = "there is none" };
	volatile unsigned char *bytes = MAP_FAILED;
	struct device *d = NULL;
	char name[300];
	int fd;

	if (find_device(I82557, name, sizeof name)) {
		give_to_driver(name + 4, NULL, "hilscher");
		fd = open("/dev/uio1", O_RDWR);
		bytes = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		close(fd);
		d = device_open("uio:1", o, &e);
	}
	check(d != NULL && bytes != MAP_FAILED, "UIO: a device with interrupts is opened");
	if (d == NULL || bytes == MAP_FAILED) {
		printf("# %s\n", e.what);
		return;
	}
	for (uint32_t i = 1; i <= 3; i++) {
		uint32_t count;
		bytes[CIF_INTERRUPTS] = CIF_RAISED;
		bytes[I82557_RAISE] = I82557_WISH;
		count = device_interrupt(d);
		bytes[I82557_CAUSES] = 0xff;
		check(count == i, "UIO: an interrupt is counted");
	}
	device_interrupt(d);
	check(device_error(d)->fault == DEVICE_HANGS, "UIO: an interrupt that does not come");
	device_close(d);
}

/* By UIO with a map: a driver for other devices maps the BAR. */
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
	uio_interrupts(o);
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

/* Three interrupts that a write of `value` to `raise` brings, and a read of `causes` takes back, of
 * a device without a driver, by VFIO. */
static void vfio_interrupts(const char *numbers, const char *what, const struct device_options *o,
			    unsigned raise, uint32_t value, unsigned causes)
{
	struct device_error e = { .what = "there is none" };
	struct device *d = NULL;
	char name[300], text[100];

	if (find_device(numbers, name, sizeof name)) {
		give_to_driver(name + 4, NULL, "vfio-pci");
		d = device_open(name, o, &e);
	}
	snprintf(text, sizeof text, "VFIO, %s: the device is opened", what);
	check(d != NULL, text);
	if (d == NULL) {
		printf("# %s\n", e.what);
		return;
	}
	if (raise == E1000_RAISE)
		device_write(d, E1000_ALLOW, 1);
	for (uint32_t i = 1; i <= 3; i++) {
		uint32_t count;
		device_write(d, raise, value);
		count = device_interrupt(d);
		device_read(d, causes);
		snprintf(text, sizeof text, "VFIO, %s: an interrupt is counted", what);
		check(count == i, text);
	}
	device_interrupt(d);
	snprintf(text, sizeof text, "VFIO, %s: an interrupt that does not come", what);
	check(device_error(d)->fault == DEVICE_HANGS, text);
	device_close(d);
}

/* This process runs on the second processor, and all interrupts from now on go to the first. */
static void part_processors(void)
{
	cpu_set_t second;

	CPU_ZERO(&second);
	CPU_SET(1, &second);
	if (sched_setaffinity(0, sizeof second, &second) != 0)
		printf("# there is no second processor: %s\n", strerror(errno));
	mount("proc", "/proc", "proc", 0, NULL);
	write_file("/proc/irq/default_smp_affinity", "1");
}

int main(int argc, char **argv)
{
	struct device_options o = { .timeout_ms = 1000 };
	struct device_error e = { .what = "there is none" };
	struct device *d = NULL;
	char name[300], path[400];

	mount("sys", "/sys", "sysfs", 0, NULL);
	mount("dev", "/dev", "devtmpfs", 0, NULL);
	part_processors();
	load_module("/uio.ko");
	load_module("/uio_pci_generic.ko");
	write_file("/sys/bus/pci/drivers/uio_pci_generic/new_id", "1234 11e8");
	if (find_device(EDU, name, sizeof name)) {
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
		vfio_interrupts(E1000, "line", &o, E1000_RAISE, 1, E1000_CAUSES);
		vfio_interrupts(ROCKER, "MSI-X", &o, ROCKER_SEND, 0, ROCKER_SEND);
		by_uio(name, &o);
		by_memory(name, &o);
	}
	printf("1..%d\n", tests);
	fflush(stdout);
	sync();
	reboot(RB_POWER_OFF);
	return 0;
}
