/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * device_priv.h: what device.c and the transports share. A transport is a row of the table in
 * device.c and a file, transport_NAME.c.
 */
#ifndef NFACC_RUNTIME_DEVICE_PRIV_H
#define NFACC_RUNTIME_DEVICE_PRIV_H

#include "runtime/device/device.h"

/* A function that returns false, or -1, has called device_fail(). */
struct device_transport {
	const char *name;  /* what stands before the colon */
	const char *form;  /* how a device is written */
	const char *about; /* what it is */
	/* Opens the device that `where`, the text behind the colon, names. What it puts into
	 * d->state is passed to `close`, also after a failure; `close` frees it. */
	bool (*open)(struct device *d, const char *where);
	void (*close)(struct device *d);
	bool (*lock)(struct device *d, enum device_use use); /* NULL: nobody else can come */
	void (*unlock)(struct device *d); /* as device_unlock(); there is one if there is `lock` */
	bool (*read)(struct device *d, uint32_t offset, uint32_t *value);
	bool (*write)(struct device *d, uint32_t offset, uint32_t value);
	/* As device_stream(). NULL: there is no output. */
	long (*stream)(struct device *d, uint64_t *words, size_t n);
	/* As device_memory_room() and device_memory_read(). NULL: there is no memory. */
	bool (*room)(struct device *d, struct device_room *room);
	bool (*memory)(struct device *d, uint64_t address, void *p, size_t n);
	/* Has the device a tap that `inject` can reach? NULL: yes, if there is `inject`. */
	bool (*has_tap)(const struct device *d);
	/* Puts a batch at the tap; with b NULL lets `cycles` cycles pass. NULL: can't. */
	bool (*inject)(struct device *d, const struct nfart_batch *b, uint32_t cycles);
	/* As device_interrupt(). NULL: no interrupts. */
	bool (*interrupt)(struct device *d, uint32_t *count);
};

struct device {
	const struct device_transport *transport;
	const char *where; /* the text behind the colon */
	struct device_options o;
	void *state; /* the transport's */
	struct device_error error;
	int interrupts; /* a file whose reads count interrupts; -1: there is none */
	struct {
		bool on;             /* the device is there by VFIO */
		bool masked;         /* its line, since an interrupt was counted */
		uint32_t irq, count; /* kind of its interrupts, and how many came */
	} vfio;
	struct {
		const char *what; /* NULL: nothing is waited for */
		enum device_fault fault;
		uint64_t end;     /* as clock_nanoseconds() counts */
	} wait;
	struct device_file *stream; /* options.stream, open; or NULL */
	struct device_file *memory; /* options.memory, open; or NULL */
};

extern const struct device_transport transport_etherbone, transport_mem, transport_pci,
	transport_sim, transport_socket, transport_uio, transport_xdma;

/* Takes a lock on a file that is open for writing: of the byte `at` for the registers, of the one
 * after it for the stream. */
bool device_lock_file(struct device *d, int fd, uint64_t at, enum device_use use);
/* Gives up the lock of the registers. */
void device_unlock_file(struct device *d, int fd, uint64_t at);

/* ---- accesses that may hang (device_worker.c) ---- */

/* A thread that makes accesses for another one, which goes on if they take too long. */
struct device_worker;

struct device_worker *device_worker_new(void);
/* Returns false if the worker hangs: it, and what its job needs, must stay. */
bool device_worker_free(struct device_worker *w);
/* Starts a job; the one before must have ended. */
void device_worker_start(struct device_worker *w, void (*run)(void *job), void *job);
/* Waits for the end of the job. False: it has not ended after `ms`. */
bool device_worker_wait(struct device_worker *w, uint32_t ms);

/* ---- registers in memory (device_map.c) ---- */

/* Maps the 4 KiB at `offset` of a file, which is then closed by device_map_close(). `name` is the
 * file's. The state of the device becomes the map. */
bool device_map_open(struct device *d, const char *name, uint64_t offset);
/* The same with a file that is open; takes fd. */
bool device_map_file(struct device *d, const char *name, int fd, uint64_t offset);
void device_map_close(struct device *d);
bool device_map_lock(struct device *d, enum device_use use);
void device_map_unlock(struct device *d);
bool device_map_read(struct device *d, uint32_t offset, uint32_t *value);
bool device_map_write(struct device *d, uint32_t offset, uint32_t value);
/* The file that is mapped. */
int device_map_fd(const struct device *d);

/* ---- PCI devices by VFIO (device_vfio.c) ---- */

/* Is the device bound to vfio-pci? */
bool device_vfio_bound(const char *bdf);
/* Maps the 4 KiB at `offset` of a BAR, which is then closed by device_map_close(). The kernel
 * lets one process at a time have the device. */
bool device_vfio_open(struct device *d, const char *bdf, unsigned bar, uint64_t offset);
/* As device_interrupt(); counts from device_vfio_open() on. */
bool device_vfio_interrupt(struct device *d, uint32_t *count);

/* ---- words from a file, and memory that is read by one (device_file.c) ---- */

/* A file or a character device that delivers words or has memory in it, and may hang. The flags are
 * open(2)'s, beside those for reading. */
struct device_file *device_file_open(struct device *d, const char *path, int flags);
void device_file_close(struct device_file *f);
bool device_file_lock(struct device *d, struct device_file *f);
long device_file_words(struct device *d, struct device_file *f, uint64_t *words, size_t n);
/* The bytes of a file; UINT64_MAX: it is a device, which does not say. */
uint64_t device_file_size(const struct device_file *f);
/* Reads n bytes, at most DEVICE_MEMORY, at an offset. */
bool device_file_at(struct device *d, struct device_file *f, uint64_t offset, void *p, size_t n);

#endif
