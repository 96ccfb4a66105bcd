// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// The trigger of a logic analyser, with four states and two counters, on the bus of trigger.proto (nfacc
// -I examples). The pin arms it. After eight reads it waits for three more requests without an answer
// to a write between them, and stops the capture until the pin falls.
protocol trigger;
machine trigger {
	counter reads at 8 roll;
	counter waits at 3 roll;
	state idle start;
	state armed;
	state counted;
	state fired accept(fired) output(stop);
	count reads : Any(REQ_READ) when armed;
	reset reads : Any(PIN_RISE);
	count waits : Any(REQ_READ, REQ_WRITE) when counted;
	reset waits : Any(ANS_DONE);
	idle -> armed : Any(PIN_RISE);
	armed -> counted : @reads;
	counted -> idle : Any(ANS_DONE);
	counted -> fired : @waits;
	fired -> idle : Any(PIN_FALL);
}
