/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * main.c: firmware that watches the CPU's own data bus. It loads the image, arms the engine, writes
 * and reads the shared memory at random, and prints each record of the engine's output, by its
 * words. The simulation writes its waveform from before the engine is armed until it is disabled.
 */
#include <generated/csr.h>
#include <generated/mem.h>

#include "firmware.h"
#include "nfacc_image.h"

enum { ACCESSES = 250 };

static void put_char(char c)
{
	while (uart_txfull_read())
		;
	uart_rxtx_write((uint8_t)c);
}

static void put_text(const char *s)
{
	while (*s != '\0')
		put_char(*s++);
}

static void put_word(uint64_t word)
{
	for (int k = 60; k >= 0; k -= 4)
		put_char("0123456789abcdef"[word >> k & 15]);
}

/* Prints the words that are at the engine's output, a record a line. */
static uint32_t put_records(void)
{
	uint32_t n = 0;

	while (nfacc_valid_read()) {
		uint32_t last = nfacc_last_read();

		put_text(n == 0 ? "record " : " ");
		put_word(nfacc_record_read());
		nfacc_take_write(1);
		n = last ? 0 : n + 1;
		if (last)
			put_char('\n');
	}
	return n;
}

/* Writes data and flag, and reads data, in an order that random numbers say. */
static void use_memory(void)
{
	volatile uint32_t *data = (uint32_t *)SHARED_BASE, *flag = data + 16, *other = data + 32;
	uint32_t x = 1;

	for (uint32_t i = 0; i < ACCESSES; i++) {
		x ^= x << 13;
		x ^= x >> 17;
		x ^= x << 5;
		switch (x & 7) {
		case 0:
		case 1:
			*data = i;
			break;
		case 2:
		case 3:
			*flag = i;
			break;
		case 4:
		case 5:
			(void)*data;
			break;
		case 6:
			(void)*flag;
			break;
		default:
			*other = i;
		}
	}
}

static void put_result(const char *what, enum nfacc_result r)
{
	put_text(what);
	put_text(": ");
	put_text(nfacc_result_text(r));
	put_char('\n');
}

int main(void)
{
	struct nfacc_dev dev = { (void *)NFACC_BASE, NFACC_POLLS };
	struct nfacc_counts counts;
	enum nfacc_result r = nfacc_load(&dev, nfacc_image_words, nfacc_image_nhalves,
					 nfacc_image_data);

	put_result("load", r);
	sim_trace_enable_write(1);
	r = nfacc_arm(&dev);
	use_memory();
	nfacc_enable(&dev, false);
	sim_trace_enable_write(0);
	put_result("arm", r);
	put_records();
	put_result("stop", nfacc_stop(&dev));
	nfacc_read_counts(&dev, &counts);
	put_text("dropped ");
	put_word(counts.dropped);
	put_text("\nend\n");
	sim_finish_finish_write(1);
	return 0;
}
