/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Registers in memory: of a processor beside the engine (mem), of a UIO device, or in a BAR of a
 * device on PCI Express.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/device/device_priv.h"
#include "support/cli.h"

enum { NAME_BYTES = 512 };

/* ---- mem:[FILE@]ADDRESS ---- */

static bool mem_open(struct device *d, const char *where)
{
	const char *at = strrchr(where, '@');
	char name[NAME_BYTES] = "/dev/mem";
	uint64_t address;

	if (!cli_number(at != NULL ? at + 1 : where, 0, &address, NULL))
		return device_fail(d, DEVICE_SYSTEM, "'%s' is no address; a device is written %s",
				   at != NULL ? at + 1 : where, d->transport->form);
	if (at != NULL && (size_t)(at - where) >= sizeof name)
		return device_fail(d, DEVICE_SYSTEM, "the name of the file is too long");
	if (at != NULL)
		snprintf(name, sizeof name, "%.*s", (int)(at - where), where);
	return device_map_open(d, name, address);
}

const struct device_transport transport_mem = {
	.name = "mem",
	.form = "mem:[FILE@]ADDRESS",
	.about = "physical memory, by /dev/mem or another FILE that maps it",
	.open = mem_open,
	.close = device_map_close,
	.lock = device_map_lock,
	.unlock = device_map_unlock,
	.read = device_map_read,
	.write = device_map_write,
};

/* ---- uio:N[/MAP] ---- */

/* Waits until a UIO device tells an interrupt: a read of four bytes gives how many there were. */
static bool uio_wait(struct device *d, int fd, uint32_t *count)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	if (poll(&p, 1, (int)d->o.timeout_ms) <= 0)
		return device_fail(d, DEVICE_HANGS, "no interrupt came within %u ms",
				   (unsigned)d->o.timeout_ms);
	if (read(fd, count, sizeof *count) == (ssize_t)sizeof *count)
		return true;
	return device_fail(d, DEVICE_GONE, "can't read a count of interrupts: %s",
			   strerror(errno));
}

static bool uio_interrupt(struct device *d, uint32_t *count)
{
	uint32_t on = 1;
	int fd = device_map_fd(d);

	/* Drivers that switch interrupts off when one comes take this to switch them on. */
	(void)!write(fd, &on, sizeof on);
	return uio_wait(d, fd, count);
}

/* A file of /sys with a number. False: it can't be read. */
static bool sys_number(const char *path, uint64_t *value)
{
	char text[64];
	FILE *f = fopen(path, "re");
	bool ok = f != NULL && fgets(text, sizeof text, f) != NULL;

	if (f != NULL)
		fclose(f);
	if (!ok)
		return false;
	text[strcspn(text, "\n")] = 0;
	return cli_number(text, 0, value, NULL);
}

static bool uio_open(struct device *d, const char *where)
{
	char path[NAME_BYTES], *end;
	unsigned long n = strtoul(where, &end, 10), map = 0;
	uint64_t size, offset = 0;

	if (isdigit((unsigned char)*where) && *end == '/' && isdigit((unsigned char)end[1]))
		map = strtoul(end + 1, &end, 10);
	if (!isdigit((unsigned char)*where) || *end != 0 || map > 4)
		return device_fail(d, DEVICE_SYSTEM, "'%s' is no UIO device; one is written %s",
				   where, d->transport->form);
	snprintf(path, sizeof path, "/sys/class/uio/uio%lu/maps/map%lu/size", n, map);
	if (!sys_number(path, &size))
		return device_fail(d, DEVICE_SYSTEM, "/dev/uio%lu has no map %lu; with "
				   "uio_pci_generic, map the BAR by pci:", n, map);
	snprintf(path, sizeof path, "/sys/class/uio/uio%lu/maps/map%lu/offset", n, map);
	sys_number(path, &offset);
	if (size < offset + DEVICE_REGISTERS)
		return device_fail(d, DEVICE_SYSTEM, "map %lu of /dev/uio%lu has only %llu bytes",
				   map, n, (unsigned long long)size);
	snprintf(path, sizeof path, "/dev/uio%lu", n);
	return device_map_open(d, path, map * (uint64_t)sysconf(_SC_PAGESIZE) + offset);
}

const struct device_transport transport_uio = {
	.name = "uio",
	.form = "uio:N[/MAP]",
	.about = "memory MAP (0) of /dev/uioN",
	.open = uio_open,
	.close = device_map_close,
	.lock = device_map_lock,
	.unlock = device_map_unlock,
	.read = device_map_read,
	.write = device_map_write,
	.interrupt = uio_interrupt,
};

/* ---- pci:BDF[/BAR][@OFFSET] ---- */

enum {
	CONFIG_COMMAND = 4,    /* offset of the register COMMAND, of two bytes */
	COMMAND_MEMORY = 2,    /* bit of its low byte: memory is switched on */
	COMMAND_NO_INTX = 4,   /* bit of its high byte: interrupts are switched off */
	BDF_BYTES = 32
};

/* Writes the name of the device, "0000:03:00.0", to bdf. False: `where` has none. */
static bool pci_name(const char *where, char *bdf)
{
	size_t n = strcspn(where, "/@");
	unsigned domain, bus, slot, function;
	const char *colon = memchr(where, ':', n);
	int end = 0;

	if (colon == NULL || n + 6 >= BDF_BYTES)
		return false;
	snprintf(bdf, BDF_BYTES, "%s%.*s",
		 memchr(colon + 1, ':', n - (size_t)(colon + 1 - where)) == NULL ? "0000:" : "",
		 (int)n, where);
	return sscanf(bdf, "%4x:%2x:%2x.%1x%n", &domain, &bus, &slot, &function, &end) == 4 &&
	       bdf[end] == 0;
}

/* Does the device answer, and at its memory? /sys lets everybody read its first 64 bytes. */
static bool pci_answers(struct device *d, const char *bdf)
{
	char path[NAME_BYTES];
	unsigned char config[CONFIG_COMMAND + 2] = { 0 };
	ssize_t n;
	int fd;

	snprintf(path, sizeof path, "/sys/bus/pci/devices/%s/config", bdf);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return device_fail(d, DEVICE_SYSTEM, "there is no PCI device %s: %s", bdf,
				   strerror(errno));
	n = read(fd, config, sizeof config);
	close(fd);
	if (n != (ssize_t)sizeof config)
		return device_fail(d, DEVICE_SYSTEM, "can't read %s", path);
	if (config[0] == 0xff && config[1] == 0xff)
		return device_fail(d, DEVICE_DEAD, "PCI device %s answers all ones: it is off, or "
				   "has left the bus", bdf);
	if ((config[CONFIG_COMMAND] & COMMAND_MEMORY) == 0)
		return device_fail(d, DEVICE_SYSTEM, "the memory of PCI device %s is switched off; "
				   "write 1 to /sys/bus/pci/devices/%s/enable", bdf, bdf);
	return true;
}

/* Interrupts come through uio_pci_generic, if the device is bound to it. They count from now on. */
static void pci_open_interrupts(struct device *d, const char *bdf)
{
	char path[NAME_BYTES];
	glob_t found;

	snprintf(path, sizeof path, "/sys/bus/pci/devices/%s/uio/uio*", bdf);
	if (glob(path, 0, NULL, &found) != 0)
		return;
	snprintf(path, sizeof path, "/dev/%s", strrchr(found.gl_pathv[0], '/') + 1);
	d->interrupts = open(path, O_RDWR | O_CLOEXEC);
	globfree(&found);
}

static bool pci_open(struct device *d, const char *where)
{
	char path[NAME_BYTES], bdf[BDF_BYTES];
	const char *rest = where + strcspn(where, "/@");
	uint64_t bar = 0, offset = 0;
	bool ok = pci_name(where, bdf);
	struct stat st;

	if (ok && *rest == '/') {
		ok = rest[1] >= '0' && rest[1] <= '5' && (rest[2] == 0 || rest[2] == '@');
		bar = ok ? (uint64_t)(rest[1] - '0') : 0;
		rest = ok ? rest + 2 : rest;
	}
	if (!ok || (*rest != 0 && !cli_number(rest + 1, 0, &offset, NULL)))
		return device_fail(d, DEVICE_SYSTEM, "'%s' is no PCI device; one is written %s",
				   where, d->transport->form);
	if (device_vfio_bound(bdf))
		return device_vfio_open(d, bdf, (unsigned)bar, offset);
	if (!pci_answers(d, bdf))
		return false;
	snprintf(path, sizeof path, "/sys/bus/pci/devices/%s/resource%u", bdf, (unsigned)bar);
	pci_open_interrupts(d, bdf);
	if (stat(path, &st) != 0)
		return device_fail(d, DEVICE_SYSTEM, "PCI device %s has no BAR %u: %s", bdf,
				   (unsigned)bar, strerror(errno));
	if (offset > INT64_MAX - DEVICE_REGISTERS ||
	    (uint64_t)st.st_size < offset + DEVICE_REGISTERS)
		return device_fail(d, DEVICE_SYSTEM, "BAR %u of PCI device %s has only %lld bytes",
				   (unsigned)bar, bdf, (long long)st.st_size);
	return device_map_open(d, path, offset);
}

/* By VFIO the device is this process's alone. */
static bool pci_lock(struct device *d, enum device_use use)
{
	return d->vfio.on || device_map_lock(d, use);
}

static void pci_unlock(struct device *d)
{
	if (!d->vfio.on)
		device_map_unlock(d);
}

/* The driver switches interrupts off in the device's COMMAND when one comes. */
static bool pci_interrupt(struct device *d, uint32_t *count)
{
	char path[NAME_BYTES], bdf[BDF_BYTES];
	unsigned char command;
	bool ok;
	int config;

	if (d->vfio.on)
		return device_vfio_interrupt(d, count);
	pci_name(d->where, bdf);
	if (d->interrupts < 0)
		return device_fail(d, DEVICE_SYSTEM, "PCI device %s brings no interrupts: it is not "
				   "bound to uio_pci_generic, or that may not be opened", bdf);
	snprintf(path, sizeof path, "/sys/bus/pci/devices/%s/config", bdf);
	config = open(path, O_RDWR | O_CLOEXEC);
	ok = config >= 0 && pread(config, &command, 1, CONFIG_COMMAND + 1) == 1;
	command = (unsigned char)(ok ? command & ~COMMAND_NO_INTX : 0);
	ok = ok && pwrite(config, &command, 1, CONFIG_COMMAND + 1) == 1;
	if (config >= 0)
		close(config);
	return ok ? uio_wait(d, d->interrupts, count) :
		    device_fail(d, DEVICE_SYSTEM, "can't switch on the interrupts of PCI device %s: "
				"%s", bdf, strerror(errno));
}

const struct device_transport transport_pci = {
	.name = "pci",
	.form = "pci:BDF[/BAR][@OFFSET]",
	.about = "BAR (0) of a device on PCI Express, by /sys, or by VFIO if it is bound to that",
	.open = pci_open,
	.close = device_map_close,
	.lock = pci_lock,
	.unlock = pci_unlock,
	.read = device_map_read,
	.write = device_map_write,
	.interrupt = pci_interrupt,
};
