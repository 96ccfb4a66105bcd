/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Registers in a BAR, and interrupts, of a PCI device that is bound to vfio-pci: whoever may open
 * the node of its group needs no other right (Documentation/driver-api/vfio.rst in the kernel).
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/pci_regs.h>
#include <linux/vfio.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "runtime/device/device_priv.h"

/* Finds where a link of the device leads: its last name. False: there is no such link. */
static bool vfio_link(const char *bdf, const char *what, char name[NAME_MAX + 1])
{
	char path[PATH_MAX], to[PATH_MAX];
	const char *slash;
	ssize_t n;

	snprintf(path, sizeof path, "/sys/bus/pci/devices/%s/%s", bdf, what);
	n = readlink(path, to, sizeof to - 1);
	if (n <= 0)
		return false;
	to[n] = 0;
	slash = strrchr(to, '/');
	snprintf(name, NAME_MAX + 1, "%.*s", NAME_MAX, slash != NULL ? slash + 1 : to);
	return true;
}

bool device_vfio_bound(const char *bdf)
{
	char name[NAME_MAX + 1];

	return vfio_link(bdf, "driver", name) && strcmp(name, "vfio-pci") == 0;
}

/* Opens the group of the device. */
static int vfio_group(struct device *d, const char *bdf)
{
	char name[NAME_MAX + 1], path[NAME_MAX + 16];
	int fd;

	if (!vfio_link(bdf, "iommu_group", name)) {
		device_fail(d, DEVICE_SYSTEM, "PCI device %s has no IOMMU group: is the IOMMU "
			    "switched on?", bdf);
		return -1;
	}
	snprintf(path, sizeof path, "/dev/vfio/%s", name);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0 && errno == EBUSY)
		device_fail(d, DEVICE_BUSY, "another process has PCI device %s, or one of its "
			    "group, by %s", bdf, path);
	else if (fd < 0)
		device_fail(d, DEVICE_SYSTEM, "can't open %s: %s", path, strerror(errno));
	return fd;
}

/* Opens the device, by its group and a container of address spaces, which stay with it. */
static int vfio_device(struct device *d, const char *bdf, int group, int container)
{
	struct vfio_group_status status = { .argsz = sizeof status };
	int fd;

	if (ioctl(container, VFIO_GET_API_VERSION) != VFIO_API_VERSION ||
	    ioctl(container, VFIO_CHECK_EXTENSION, VFIO_TYPE1_IOMMU) <= 0) {
		device_fail(d, DEVICE_SYSTEM, "/dev/vfio/vfio knows no IOMMU of type 1: is the "
			    "module vfio_iommu_type1 loaded?");
		return -1;
	}
	if (ioctl(group, VFIO_GROUP_GET_STATUS, &status) != 0 ||
	    (status.flags & VFIO_GROUP_FLAGS_VIABLE) == 0) {
		device_fail(d, DEVICE_SYSTEM, "not all devices of the IOMMU group of PCI device %s "
			    "are bound to vfio-pci or to no driver", bdf);
		return -1;
	}
	if (ioctl(group, VFIO_GROUP_SET_CONTAINER, &container) != 0 ||
	    ioctl(container, VFIO_SET_IOMMU, VFIO_TYPE1_IOMMU) != 0 ||
	    (fd = ioctl(group, VFIO_GROUP_GET_DEVICE_FD, bdf)) < 0) {
		device_fail(d, DEVICE_SYSTEM, "VFIO does not give PCI device %s: %s", bdf,
			    strerror(errno));
		return -1;
	}
	return fd;
}

/* Lets the device write to the bus, without which its messages do not leave it. The kernel switches
 * that off for each process anew. */
static bool vfio_master(int fd)
{
	struct vfio_region_info info = { .argsz = sizeof info,
					 .index = VFIO_PCI_CONFIG_REGION_INDEX };
	uint16_t command;

	if (ioctl(fd, VFIO_DEVICE_GET_REGION_INFO, &info) != 0 ||
	    pread(fd, &command, 2, (off_t)info.offset + PCI_COMMAND) != 2)
		return false;
	command |= PCI_COMMAND_MASTER;
	return pwrite(fd, &command, 2, (off_t)info.offset + PCI_COMMAND) == 2;
}

/* Lets an eventfd count the interrupts from now on: messages if the device has them, else its
 * line. */
static void vfio_count_interrupts(struct device *d, int fd)
{
	static const uint32_t kinds[] = { VFIO_PCI_MSI_IRQ_INDEX, VFIO_PCI_MSIX_IRQ_INDEX,
					  VFIO_PCI_INTX_IRQ_INDEX };
	union {
		struct vfio_irq_set set;
		char bytes[sizeof(struct vfio_irq_set) + sizeof(int)];
	} u = { .set = { .argsz = sizeof u, .count = 1,
			 .flags = VFIO_IRQ_SET_DATA_EVENTFD | VFIO_IRQ_SET_ACTION_TRIGGER } };
	int event = eventfd(0, EFD_CLOEXEC);

	memcpy(u.set.data, &event, sizeof event);
	for (size_t i = 0; i < 3 && event >= 0; i++) {
		struct vfio_irq_info info = { .argsz = sizeof info, .index = kinds[i] };
		u.set.index = kinds[i];
		if (ioctl(fd, VFIO_DEVICE_GET_IRQ_INFO, &info) == 0 && info.count != 0 &&
		    ioctl(fd, VFIO_DEVICE_SET_IRQS, &u.set) == 0 &&
		    (kinds[i] == VFIO_PCI_INTX_IRQ_INDEX || vfio_master(fd))) {
			d->vfio.irq = kinds[i];
			d->interrupts = event;
			return;
		}
	}
	if (event >= 0)
		close(event);
}

/* Maps the registers; takes fd. */
static bool vfio_map(struct device *d, const char *bdf, int fd, unsigned bar, uint64_t offset)
{
	struct vfio_region_info info = { .argsz = sizeof info,
					 .index = VFIO_PCI_BAR0_REGION_INDEX + bar };

	if (ioctl(fd, VFIO_DEVICE_GET_REGION_INFO, &info) == 0 && info.size != 0 &&
	    (info.flags & VFIO_REGION_INFO_FLAG_MMAP) != 0) {
		if (offset <= info.size && info.size - offset >= DEVICE_REGISTERS)
			return device_map_file(d, bdf, fd, info.offset + offset);
		device_fail(d, DEVICE_SYSTEM, "BAR %u of PCI device %s has only %llu bytes", bar,
			    bdf, (unsigned long long)info.size);
	} else {
		device_fail(d, DEVICE_SYSTEM, "PCI device %s has no BAR %u that can be mapped",
			    bdf, bar);
	}
	close(fd);
	return false;
}

bool device_vfio_open(struct device *d, const char *bdf, unsigned bar, uint64_t offset)
{
	int container, fd = -1, group = vfio_group(d, bdf);

	if (group < 0)
		return false;
	container = open("/dev/vfio/vfio", O_RDWR | O_CLOEXEC);
	if (container < 0)
		device_fail(d, DEVICE_SYSTEM, "can't open /dev/vfio/vfio: %s", strerror(errno));
	else
		fd = vfio_device(d, bdf, group, container);
	/* The device holds both. */
	close(group);
	if (container >= 0)
		close(container);
	if (fd < 0)
		return false;
	d->vfio.on = true;
	vfio_count_interrupts(d, fd);
	return vfio_map(d, bdf, fd, bar, offset);
}

bool device_vfio_interrupt(struct device *d, uint32_t *count)
{
	struct vfio_irq_set unmask = { .argsz = sizeof unmask, .count = 1,
				       .flags = VFIO_IRQ_SET_DATA_NONE |
						VFIO_IRQ_SET_ACTION_UNMASK };
	struct pollfd p = { .fd = d->interrupts, .events = POLLIN };
	uint64_t more;

	if (d->interrupts < 0)
		return device_fail(d, DEVICE_SYSTEM, "the device has no interrupts");
	/* The kernel masks a line when it is raised. It is unmasked only when that was counted: the
	 * device's register was acknowledged since. Before that the same interrupt would come
	 * twice. */
	unmask.index = d->vfio.irq;
	if (d->vfio.irq == VFIO_PCI_INTX_IRQ_INDEX && d->vfio.masked &&
	    ioctl(device_map_fd(d), VFIO_DEVICE_SET_IRQS, &unmask) != 0)
		return device_fail(d, DEVICE_SYSTEM, "can't switch on the device's interrupts: %s",
				   strerror(errno));
	d->vfio.masked = false;
	if (poll(&p, 1, (int)d->o.timeout_ms) <= 0)
		return device_fail(d, DEVICE_HANGS, "no interrupt came within %u ms",
				   (unsigned)d->o.timeout_ms);
	if (read(d->interrupts, &more, sizeof more) != (ssize_t)sizeof more)
		return device_fail(d, DEVICE_GONE, "can't read a count of interrupts: %s",
				   strerror(errno));
	d->vfio.masked = true;
	d->vfio.count += (uint32_t)more;
	*count = d->vfio.count;
	return true;
}
