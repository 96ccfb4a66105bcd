/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* The histogram of an engine. */
#include "contract/image/image.h"
#include "runtime/device/driver.h"
#include "runtime/device/nfacc_registers.h"
#include "support/bits.h"

enum { TABLE = 32 }; /* entries of a table, and words of a group of as many tables */

/* Sends which codes have the field, in the words of tables (contract.h, Note [configuration
 * words]). */
static void send_tables(struct device *d, const struct nfart_proto *p, const uint64_t *codes)
{
	uint32_t each = ((1u << p->header.op_bits) + TABLE - 1) / TABLE, tables = p->nslots * each;

	for (uint32_t g = 0; g < tables; g += TABLE)
		for (uint32_t k = 0; k < TABLE; k++) {
			uint32_t word = 0;
			for (uint32_t i = 0; i < TABLE && g + i < tables; i++) {
				uint32_t slot = (g + i) / each;
				uint32_t op = (g + i) % each * TABLE + TABLE - 1 - k;
				uint32_t code = slot << p->header.op_bits | op;
				if (op < 1u << p->header.op_bits &&
				    (codes == NULL || bits_get(codes, code)))
					word |= 1u << i;
			}
			device_write(d, NFACC_REG_HISTOGRAM_TABLE, word);
		}
}

/* Finds what HISTOGRAM has for the field, or for labels if it is NULL, and which codes have it. */
static bool bins_value(struct device *d, const struct field_bins *field, uint32_t *value,
		       const uint64_t **codes)
{
	uint32_t lsb;

	*value = NFACC_HISTOGRAM_LABEL;
	*codes = NULL;
	if (field == NULL)
		return true;
	if (!field_bins_place(field, &lsb, codes))
		return device_fail(d, DEVICE_REFUSED, "the engine can't count by %s: it is not at "
				   "one place in all headers, or these are not bits of a header",
				   field->name);
	*value = NFACC_HISTOGRAM_FIELD | lsb << NFACC_HISTOGRAM_LSB_LSB |
		 field->bits << NFACC_HISTOGRAM_BITS_LSB;
	return true;
}

bool driver_histogram(struct device *d, const struct nfart_image *im,
		      const struct field_bins *field)
{
	const uint32_t runs = NFACC_STATUS_ARMED | NFACC_STATUS_DRAINING | NFACC_STATUS_SWAPPING |
			      NFACC_STATUS_BUSY;
	uint32_t status = device_read(d, NFACC_REG_STATUS), value;
	const uint64_t *codes;

	if (device_error(d)->fault != DEVICE_OK || !bins_value(d, field, &value, &codes))
		return false;
	if ((status & NFACC_STATUS_LOADED) == 0 || (status & runs) != 0)
		return device_fail(d, DEVICE_REFUSED, "the engine refuses to count anew: it %s",
				   (status & runs) == NFACC_STATUS_BUSY ?
					   "has records that wait for a reader" :
					   driver_state(status));
	if (field != NULL)
		send_tables(d, im->proto, codes);
	device_write(d, NFACC_REG_HISTOGRAM, value);
	return device_error(d)->fault == DEVICE_OK;
}

bool driver_counts_by(struct device *d, const struct field_bins *field)
{
	uint32_t is = device_read(d, NFACC_REG_HISTOGRAM), value;
	const uint64_t *codes;

	if (device_error(d)->fault != DEVICE_OK || !bins_value(d, field, &value, &codes))
		return false;
	return is == value ||
	       device_fail(d, DEVICE_REFUSED, "the engine does not count by %s with these bits: "
			   "--by was another at arm, or was not given",
			   field != NULL ? field->name : "label");
}

bool driver_read_bin(struct device *d, uint32_t bin, uint64_t *n)
{
	device_write(d, NFACC_REG_BIN, bin);
	*n = device_read(d, NFACC_REG_BINNED_LO);
	*n |= (uint64_t)device_read(d, NFACC_REG_BINNED_HI) << 32;
	return device_error(d)->fault == DEVICE_OK;
}
