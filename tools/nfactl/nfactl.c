/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * nfactl: drives an engine behind a device (runtime/device/). Commands are carried out in turn. A
 * command that fails is the last.
 */
#include <inttypes.h>
#include <string.h>

#include "contract/image/image.h"
#include "runtime/device/driver.h"
#include "runtime/device/nfacc_registers.h"
#include "support/buf.h"
#include "support/cli.h"
#include "support/interrupt.h"
#include "tools/nfactl/nfactl_options.h"
#include "tools/nfactl/nfactl_stream.h"

struct nfactl {
	const struct nfactl_options *o;
	struct device *d;
	struct driver_ring ring; /* where records are read, if it is on */
	struct nfart_image *im; /* of --image, or of the last load or swap; or NULL */
	uint64_t lost;          /* records that the ring had no room for, at all stops */
	uint64_t labels;        /* of --on */
};

/* ---- what only asks ---- */

static void show_probe(const struct nfactl *x, uint64_t hardware)
{
	uint32_t status = device_read(x->d, NFACC_REG_STATUS);

	if (device_error(x->d)->fault == DEVICE_OK)
		printf("engine of contract %u, hardware %016" PRIx64 "\nit %s\n",
		       NFACC_CONTRACT_VERSION, hardware, driver_state(status));
}

static void show_status(const struct nfactl *x)
{
	static const struct {
		uint32_t bit;
		const char *name;
	} bits[] = {
		{ NFACC_STATUS_ARMED, "armed" },       { NFACC_STATUS_DONE, "done" },
		{ NFACC_STATUS_DRAINING, "draining" }, { NFACC_STATUS_OVERFLOW, "overflow" },
		{ NFACC_STATUS_IDLE, "idle" },         { NFACC_STATUS_LOADING, "loading" },
		{ NFACC_STATUS_LOADED, "loaded" },     { NFACC_STATUS_STAGED, "staged" },
		{ NFACC_STATUS_SWAPPING, "swapping" }, { NFACC_STATUS_REFUSED, "refused" },
		{ NFACC_STATUS_BUSY, "busy" },         { NFACC_STATUS_LATE, "late" },
		{ NFACC_STATUS_MISSED, "missed" },
	};
	uint32_t status = device_read(x->d, NFACC_REG_STATUS);

	if (device_error(x->d)->fault != DEVICE_OK)
		return;
	for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++)
		printf("%-9s%s\n", bits[i].name, (status & bits[i].bit) != 0 ? "yes" : "no");
	printf("%-9s%u\n", "load",
	       (unsigned)((status & NFACC_STATUS_LOAD) >> NFACC_STATUS_LOAD_LSB));
}

/* Finds the field of --by in the image. *field is NULL: it is for labels. */
static int nfactl_by(const struct nfactl *x, struct field_bins *bins,
		     const struct field_bins **field)
{
	const char *by = x->o->by, *why;

	*field = NULL;
	if (x->im == NULL)
		return cli_wrong_use("nfactl", "--by needs the image that the engine runs: --image",
				     NULL);
	if (x->im->overlay.histogram == 0)
		return cli_wrong_use("nfactl", "--by needs an image for an overlay with a "
				     "histogram", NULL);
	if (strcmp(by, "label") == 0)
		return NFART_OK;
	if (strncmp(by, "field=", 6) != 0)
		return cli_wrong_use("nfactl", "--by takes label or field=NAME[/BITS], not", by);
	why = field_bins_open(bins, x->im->proto, by + 6, x->im->overlay.histogram);
	*field = bins;
	return why == NULL ? NFART_OK : cli_wrong_use("nfactl", why, by + 6);
}

/* Prints the histogram as `nfarun --count --by` does. */
static int show_bins(const struct nfactl *x)
{
	const char *const *labels = nfart_image_labels(x->im);
	struct field_bins bins;
	const struct field_bins *field;
	struct buf b = { 0 };
	int code = nfactl_by(x, &bins, &field);
	uint64_t n;

	if (code != NFART_OK || !driver_fits(x->d, x->im) || !driver_counts_by(x->d, field))
		return code;
	for (uint32_t i = 0; field == NULL && i < nfart_image_nlabels(x->im); i++)
		if (driver_read_bin(x->d, i, &n))
			printf("%s: %" PRIu64 "\n", labels[i], n);
	for (uint32_t i = 0; field != NULL && i < 1u << field->bits; i++)
		if (driver_read_bin(x->d, i, &n) && n != 0)
			field_bins_print(&b, field, i, n);
	if (b.n != 0)
		fwrite(b.at, 1, b.n, stdout);
	code = b.failed ? NFART_SYSTEM : NFART_OK;
	buf_free(&b);
	return code;
}

/* Prints how often each label of the image accepted. */
static void show_accepted(const struct nfactl *x)
{
	const char *const *labels = nfart_image_labels(x->im);
	uint64_t n;

	for (uint32_t l = 0; l < nfart_image_nlabels(x->im); l++)
		if (driver_read_accepted(x->d, l, &n))
			printf("accepted %s: %" PRIu64 "\n", labels[l], n);
}

static void show_counts(const struct nfactl *x)
{
	struct driver_counts c;
	bool timed = x->im != NULL && x->im->overlay.time == OVERLAY_TIME_YES;

	if (!driver_read_counts(x->d, timed, &c))
		return;
	printf("%-9s%" PRIu64 "\n%-9s%" PRIu64 "\n%-9s%" PRIu64 "\n%-9s%" PRIu64 "\n",
	       "packets", c.packets, "dropped", c.dropped, "unseen", c.unseen, "batches",
	       c.batches);
	if (timed)
		printf("ticks lost %" PRIu64 "\n", c.ticks_lost);
	if (x->im != NULL && x->im->overlay.counts == OVERLAY_COUNTS_YES)
		show_accepted(x);
}

static void say_passed(void *ctx, const char *passed)
{
	const struct nfactl *x = ctx;

	if (!x->o->quiet)
		printf("passed: %s\n", passed);
}

/* ---- images ---- */

/* Opens the image at `path` in place of the one that is open. */
static int nfactl_image(struct nfactl *x, const char *path)
{
	struct nfart_error e;
	struct nfart_image *im = nfart_image_open(path, &e);

	if (im == NULL)
		return cli_report("nfactl", &e);
	nfart_image_free(x->im);
	x->im = im;
	if (!im->overlay.none)
		return NFART_OK;
	nfart_fail(&e, NFART_INPUT, "%s is an image for software alone", path);
	return cli_report("nfactl", &e);
}

static int nfactl_needs_image(const struct nfactl *x)
{
	if (x->im == NULL)
		return cli_wrong_use("nfactl", "stream and inject need the image that the engine "
				     "holds: --image", NULL);
	return driver_fits(x->d, x->im) ? NFART_OK : (int)device_error(x->d)->fault;
}

/* Returns the number of the label whose name is the first n characters of `name`, or UINT32_MAX. */
static uint32_t find_label(const struct nfart_image *im, const char *name, size_t n)
{
	const char *const *labels = nfart_image_labels(im);

	for (uint32_t l = 0; l < nfart_image_nlabels(im); l++)
		if (strlen(labels[l]) == n && memcmp(labels[l], name, n) == 0)
			return l;
	return UINT32_MAX;
}

/* Finds the labels of --on in the image that runs. */
static int nfactl_labels(const struct nfactl *x, uint64_t *labels)
{
	*labels = 0;
	if (x->im == NULL)
		return cli_wrong_use("nfactl", "--on needs the image that the engine runs: --image",
				     NULL);
	if (x->im->overlay.label_swap != OVERLAY_LABEL_SWAP_YES)
		return cli_wrong_use("nfactl", "--on needs an image for an overlay with label_swap "
				     "yes", NULL);
	for (const char *at = x->o->on;; at++) {
		size_t n = strcspn(at, ",");
		uint32_t l = find_label(x->im, at, n);
		if (l == UINT32_MAX)
			return cli_wrong_use("nfactl", "the image that runs has no label", at);
		*labels |= 1ull << l;
		at += n;
		if (*at == 0)
			return NFART_OK;
	}
}

/* ---- commands ---- */

/* Ends the stream. Nobody else reads the ring of this process meanwhile. */
static void nfactl_stop(struct nfactl *x)
{
	uint64_t lost = 0;

	if (!x->ring.on)
		driver_stop(x->d);
	else if (driver_ring_stop(x->d, &x->ring, &lost) && lost != 0)
		fprintf(stderr, "nfactl: the ring of %" PRIu64 " bytes is full: its last %" PRIu64
			" records were lost (--ring-size)\n", x->ring.beats * 64, lost);
	x->lost += lost;
}

/* Carries out a command that only gives the device something to do. */
static void nfactl_do(struct nfactl *x, enum nfactl_what what)
{
	if (what == NFACTL_LOAD || what == NFACTL_SWAP)
		(void)(driver_load(x->d, x->im) && what == NFACTL_SWAP &&
		       (x->o->on != NULL ? driver_swap_on(x->d, x->labels) : driver_swap(x->d)));
	else if (what == NFACTL_RING)
		driver_ring_start(x->d, &x->ring, x->o->ring.at, x->o->ring.bytes);
	else if (what == NFACTL_ARM)
		(void)(driver_ring_arm(x->d, &x->ring) && driver_arm(x->d));
	else if (what == NFACTL_STOP)
		nfactl_stop(x);
	else if (what == NFACTL_RESET)
		driver_reset(x->d);
	else if (what == NFACTL_STATUS)
		show_status(x);
	else if (what == NFACTL_COUNTS)
		show_counts(x);
	else if (what == NFACTL_SELFTEST)
		driver_selftest(x->d, x->im, x->o->batches, say_passed, x);
}

static void nfactl_interrupt(const struct nfactl *x)
{
	uint32_t n = device_interrupt(x->d);

	if (device_error(x->d)->fault == DEVICE_OK)
		printf("interrupts %u\n", (unsigned)n);
}

static int nfactl_command(struct nfactl *x, const struct nfactl_command *c)
{
	struct field_bins bins;
	const struct field_bins *field = NULL;
	int code = NFART_OK;
	uint64_t hardware;

	if (c->what == NFACTL_SERVE)
		return device_serve(x->d, c->operand) ? NFART_OK : (int)device_error(x->d)->fault;
	if (c->what == NFACTL_SWAP && x->o->on != NULL)
		code = nfactl_labels(x, &x->labels);
	if (c->what == NFACTL_ARM && x->o->by != NULL)
		code = nfactl_by(x, &bins, &field);
	if (code == NFART_OK && (c->what == NFACTL_LOAD || c->what == NFACTL_SWAP))
		code = nfactl_image(x, c->operand);
	if (code != NFART_OK || !driver_identify(x->d, &hardware))
		return code;
	if (c->what == NFACTL_PROBE)
		show_probe(x, hardware);
	else if (c->what == NFACTL_INTERRUPT)
		nfactl_interrupt(x);
	else if (c->what == NFACTL_ARM && x->o->by != NULL)
		(void)(driver_fits(x->d, x->im) && driver_ring_arm(x->d, &x->ring) &&
		       driver_histogram(x->d, x->im, field) && driver_arm(x->d));
	else if (c->what != NFACTL_STREAM && c->what != NFACTL_INJECT)
		nfactl_do(x, c->what);
	else if ((code = nfactl_needs_image(x)) == NFART_OK)
		code = c->what == NFACTL_STREAM ?
			       nfactl_stream(x->o, x->d, x->im, &x->ring) :
			       nfactl_inject(x->o, x->d, x->im, c->operand);
	if (c->what == NFACTL_COUNTS && x->o->by != NULL)
		code = show_bins(x);
	return code;
}

static bool nfactl_drives(enum nfactl_what what)
{
	return what != NFACTL_STREAM && what != NFACTL_PROBE && what != NFACTL_STATUS &&
	       what != NFACTL_COUNTS && what != NFACTL_INTERRUPT;
}

/* Returns how many commands there are up to the last that drives the engine. */
static size_t nfactl_driving(const struct nfactl_options *o)
{
	size_t n = o->n;

	while (n > 0 && !nfactl_drives(o->commands[n - 1].what))
		n--;
	return n;
}

/* Takes the locks that the commands need. Whoever only asks needs none. */
static bool nfactl_lock(const struct nfactl *x)
{
	bool streams = false, drives = false, ring = false;

	for (size_t i = 0; i < x->o->n; i++) {
		enum nfactl_what what = x->o->commands[i].what;
		streams |= what == NFACTL_STREAM || what == NFACTL_SERVE || what == NFACTL_SELFTEST;
		ring |= what == NFACTL_RING;
		drives |= nfactl_drives(what);
	}
	return (!drives || device_lock(x->d, DEVICE_USE_REGISTERS)) &&
	       (!(ring || (streams && device_has_stream(x->d))) ||
		device_lock(x->d, DEVICE_USE_STREAM));
}

/* Carries out the commands up to the first that fails. */
static int nfactl_commands(struct nfactl *x)
{
	size_t driving = nfactl_driving(x->o), i;
	int code = NFART_OK;

	for (i = 0; i < x->o->n && code == NFART_OK && !interrupt_came() &&
		    device_error(x->d)->fault == DEVICE_OK; i++) {
		code = nfactl_command(x, &x->o->commands[i]);
		/* What comes only reads: others may drive the engine meanwhile. */
		if (i + 1 == driving)
			device_unlock(x->d);
	}
	if (code != NFART_OK || device_error(x->d)->fault != DEVICE_OK)
		return code;
	if (i == x->o->n)
		return x->lost != 0 ? NFART_PARTIAL : code;
	fprintf(stderr, "nfactl: interrupted: the last %zu commands were not carried out\n",
		x->o->n - i);
	return NFART_PARTIAL;
}

static int nfactl_run(struct nfactl *x)
{
	int code = x->o->image != NULL ? nfactl_image(x, x->o->image) : NFART_OK;

	if (code == NFART_OK && nfactl_lock(x))
		code = nfactl_commands(x);
	if (device_error(x->d)->fault == DEVICE_OK)
		return code;
	fflush(stdout);
	fprintf(stderr, "nfactl: error: %s: %s\n", x->o->device, device_error(x->d)->what);
	return (int)device_error(x->d)->fault;
}

int main(int argc, char **argv)
{
	struct nfactl_options o;
	struct nfactl x = { .o = &o };
	struct device_error e;
	int code = nfactl_options_parse(&o, argc, argv);

	if (code != OPTION_GO_ON)
		return cli_finish("nfactl", code);
	interrupt_catch();
	x.d = device_open(o.device, &o.open, &e);
	if (x.d == NULL) {
		fprintf(stderr, "nfactl: error: %s: %s\n", o.device, e.what);
		return e.fault;
	}
	code = nfactl_run(&x);
	nfart_image_free(x.im);
	device_close(x.d);
	return cli_finish("nfactl", code);
}
