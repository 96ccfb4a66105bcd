/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The whole front end in Verilog next to the one in C: for the same events they must give the same
 * answers. The events are those of systems, and those made by hand in
 * probes/virtual/tests/virt_front.c. parts.test renames main() of that file.
 */
#include "probes/virtual/tests/rtl/rig.h"

static Vfront *front = new Vfront;

static void front_reset();
static void front_cases(uint64_t *random);
static rig_part front_part("front", front_reset, front_cases);

static void front_reset()
{
	rig_reset(&front_part, front);
}

static uint64_t front_register(unsigned offset)
{
	front->read_addr = offset;
	front->eval();
	return front->read_data;
}

extern "C" uint64_t __real_virt_front_read(const struct virt_front *f, unsigned offset);

/* Waits, because a counter may be 17 cycles late. */
static void front_wait()
{
	for (unsigned i = 0; i < 20; i++)
		rig_clock(&front_part, front);
}

/* Takes all records of the log and compares them. */
static void front_same_records(struct virt_front *f)
{
	struct virt_record r;
	unsigned n = 0;

	for (unsigned i = 0; i < 4; i++) /* until the oldest record is at the output */
		rig_clock(&front_part, front);
	while (virt_logger_take(&f->logger, &r)) {
		front_part.same("a record", 1, front->log_valid);
		for (unsigned i = 0; i < 4; i++)
			front_part.same("a record's word", (uint32_t)(r.word[i / 2] >> i % 2 * 32),
					front->log_record[i]);
		front->log_ready = 1;
		rig_clock(&front_part, front);
		front->log_ready = 0;
		n++;
	}
	front_part.same("records", n, front->log_valid ? n + 1 : n);
}

static void front_same_registers(const struct virt_front *f)
{
	front_wait();
	for (unsigned at = 0; at < 0x200; at += 8)
		front_part.same("a register", __real_virt_front_read(f, at), front_register(at));
}

/* Compares everything after each event. */
static void front_same(struct virt_front *f)
{
	front_part.same("status", __real_virt_front_read(f, VIRT_STATUS_AT),
			front_register(VIRT_STATUS_AT));
	if (front_part.steps % 512 == 0)
		front_same_registers(f);
	if (front_part.steps % 16384 == 0) /* only sometimes, so that the log becomes full */
		front_same_records(f);
}

template <class Line> static void front_line(Line &to, const uint64_t line[VIRT_LINE_ENTRIES])
{
	for (unsigned i = 0; i < VIRT_LINE_ENTRIES; i++) {
		to[2 * i] = (uint32_t)line[i];
		to[2 * i + 1] = (uint32_t)(line[i] >> 32);
	}
}

/* Takes a request of the module. Returns false if there is none. */
template <class Ready> static bool front_take(Ready *ready, const Ready *waits, const Ready *valid)
{
	bool got = false;

	*ready = 1;
	for (unsigned i = 0; i < RIG_MOST_CYCLES; i++) {
		rig_clock(&front_part, front);
		got = *valid != 0;
		/* If the search for lines finds none, nothing may wait afterwards. */
		if (got || !*waits)
			break;
	}
	*ready = 0;
	return got;
}

extern "C" {
void __real_virt_front_init(struct virt_front *f, unsigned entries);
void __real_virt_front_write(struct virt_front *f, unsigned offset, uint64_t value);
struct virt_annotated __real_virt_front_snoop(struct virt_front *f, const struct virt_snoop *s,
					      const uint64_t line[VIRT_LINE_ENTRIES]);
void __real_virt_front_dvm(struct virt_front *f, const struct virt_dvm *m);
bool __real_virt_front_request(struct virt_front *f, enum virt_channel channel,
			       struct virt_request *r);
void __real_virt_front_done(struct virt_front *f, enum virt_channel channel,
			    const uint64_t line[VIRT_LINE_ENTRIES]);

void __wrap_virt_front_init(struct virt_front *f, unsigned entries)
{
	__real_virt_front_init(f, entries);
	f->log = true;
	rig_reset_parts();
}

uint64_t __wrap_virt_front_read(const struct virt_front *f, unsigned offset)
{
	uint64_t value = __real_virt_front_read(f, offset);

	front_wait();
	front_part.same("a register that is read", value, front_register(offset));
	return value;
}

void __wrap_virt_front_write(struct virt_front *f, unsigned offset, uint64_t value)
{
	__real_virt_front_write(f, offset, value);
	front->reg_addr = offset;
	front->reg_data = value;
	rig_step(&front_part, front, &front->reg_write, &front->reg_done, "a write");
	front_same(f);
}

struct virt_annotated __wrap_virt_front_snoop(struct virt_front *f, const struct virt_snoop *s,
					      const uint64_t line[VIRT_LINE_ENTRIES])
{
	struct virt_annotated a = __real_virt_front_snoop(f, s, line);

	front->snoop_kind = s->kind;
	front->snoop_pa = s->pa >> VIRT_LINE_BITS;
	front->snoop_time = s->time & ((1 << VIRT_RECORD_TIME_WIDTH) - 1);
	front_line(front->snoop_line, line);
	rig_step(&front_part, front, &front->snoop, &front->snoop_done, "a snoop");
	front_part.same("snoop: hit", a.hit, front->out_hit);
	front_part.same("snoop: shared", a.shared, front->out_shared);
	front_part.same("snoop: observed", a.observed, front->out_observed);
	if (a.hit || a.shared)
		front_part.same("snoop: address", a.va >> VIRT_LINE_BITS, front->out_va);
	front_same(f);
	return a;
}

void __wrap_virt_front_dvm(struct virt_front *f, const struct virt_dvm *m)
{
	__real_virt_front_dvm(f, m);
	front->dvm_kind = m->kind;
	front->dvm_va = virt_va(m->va) >> VIRT_PAGE_BITS;
	front->dvm_asid = m->asid;
	rig_step(&front_part, front, &front->dvm, &front->dvm_done, "a DVM message");
	front_same(f);
}

bool __wrap_virt_front_request(struct virt_front *f, enum virt_channel channel,
			       struct virt_request *r)
{
	bool some = __real_virt_front_request(f, channel, r), got;

	front_part.steps++;
	if (channel == VIRT_CHANNEL_CLEAN) {
		got = front_take(&front->clean_ready, &front->clean_waits, &front->clean_valid);
		front_part.same("a line to clean", some, got);
		if (some)
			front_part.same("the line", r->pa >> VIRT_LINE_BITS, front->clean_pa);
	} else {
		got = front_take(&front->send_ready, &front->send_waits, &front->send_valid);
		front_part.same("a message to send", some, got);
		if (some) {
			front_part.same("its kind", r->message.kind, front->send_kind);
			front_part.same("its address", r->message.va >> VIRT_LINE_BITS,
					front->send_va);
			front_part.same("its address space", r->message.asid, front->send_asid);
		}
	}
	front_same(f);
	return some;
}

void __wrap_virt_front_done(struct virt_front *f, enum virt_channel channel,
			    const uint64_t line[VIRT_LINE_ENTRIES])
{
	__real_virt_front_done(f, channel, line);
	if (channel == VIRT_CHANNEL_CLEAN) {
		front_line(front->cleaned_line, line);
		rig_step(&front_part, front, &front->cleaned, &front->cleaned_done, "cleaned");
	} else {
		rig_step(&front_part, front, &front->sent, &front->sent_done, "sent");
	}
	front_same(f);
}
}

extern "C" int virt_front_cases();

static void front_cases(uint64_t *)
{
	static bool done;

	if (!done)
		front_part.same("cases by hand that fail", 0, (uint64_t)virt_front_cases());
	done = true;
}
