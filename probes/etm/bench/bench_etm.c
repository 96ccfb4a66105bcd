/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * bench_etm: bandwidth regulation by a trace macrocell, on the model: what it predicts beside what
 * the paper on ETM2 says. probes/etm/tests/experiment.h says what is taken from the paper, what is
 * calibrated, and what is assumed.
 *
 *	bench_etm [FOLDER]      also write the data of figures 6 to 8 to FOLDER
 */
#include <inttypes.h>
#include <stdio.h>

#include "probes/etm/tests/experiment.h"
#include "probes/etm/tests/slowdown.h"

enum { MOST = 45, LONG = 40 }; /* budgets tried; periods, where a bucket must fill first */

static void print_row(const char *what, const char *paper, bool agrees, const char *format,
		      double a, double b)
{
	char model[64];

	snprintf(model, sizeof model, format, a, b);
	printf("  %-42s %-14s %-18s %s\n", what, paper, model, agrees ? "yes" : "NO");
}

/* The greatest of the least budgets of all kinds of access. */
static uint32_t least(const struct experiment *x, enum regulator regulator)
{
	uint32_t most = 0;

	for (unsigned k = 0; k < ACCESS_KINDS; k++) {
		uint32_t b = experiment_least_budget(x, regulator, (enum access)k, MOST);

		most = b > most ? b : most;
	}
	return most;
}

/* The least bandwidth of a regulator beside PR's, where the budget is at least what the core can
 * use. Budgets go up to twice that. */
static double at_peak(const struct experiment *x, enum regulator regulator)
{
	struct experiment y = *x;
	uint32_t peak = PERIOD / x->gap;
	double worst = 1;

	y.warm_up = y.periods = LONG;
	for (uint32_t budget = peak; budget <= 2 * peak; budget += peak / 10) {
		double share = experiment_run(&y, regulator, ACCESS_READ, budget, PERIOD).lines /
			       experiment_run(&y, PR, ACCESS_READ, budget, PERIOD).lines;

		worst = share < worst ? share : worst;
	}
	return worst;
}

/* The most lines over budget at large budgets below the peak. */
static double large_error(const struct experiment *x, enum regulator regulator)
{
	struct experiment y = *x;
	uint32_t peak = PERIOD / x->gap;
	double worst = -1000;

	y.warm_up = 6 * LONG;
	y.periods = LONG;
	for (uint32_t budget = peak / 2; budget < peak - 10; budget += peak / 10) {
		double error = experiment_run(&y, regulator, ACCESS_READ, budget, PERIOD).lines -
			       budget;

		worst = error > worst ? error : worst;
	}
	return worst;
}

/* The greatest difference of the lines over budget between budgets. */
static double error_spread(const struct experiment *x, enum access kind)
{
	double least_error = 1000, most_error = 0;

	for (uint32_t budget = 20; budget <= 120; budget += 20) {
		double error = experiment_run(x, PR_STOP, kind, budget, PERIOD).lines - budget;

		least_error = error < least_error ? error : least_error;
		most_error = error > most_error ? error : most_error;
	}
	return most_error - least_error;
}

static void print_claims(const struct experiment *x)
{
	uint32_t pr = least(x, PR), tb31 = least(x, TB31), tb22 = least(x, TB22);
	uint32_t tb13 = least(x, TB13), pr13 = least(x, PR13);
	double stop = error_spread(x, ACCESS_READ), large31 = large_error(x, TB31);
	double large22 = large_error(x, TB22), peak_tb13 = at_peak(x, TB13);
	double peak_pr13 = at_peak(x, PR13);

	printf("\n  %-42s %-14s %-18s %s\n", "at 5 us, 1,200 MHz", "paper", "model", "agree");
	print_row("PR on target from (MB/s)", "350",
		  experiment_bandwidth(pr) > 315 && experiment_bandwidth(pr) < 385,
		  "%.0f (%.0f lines)", experiment_bandwidth(pr), pr);
	print_row("PR-stop's error is constant (lines)", "yes", stop < 1, "within %.1f", stop, 0);
	print_row("PR-user errs on modify only (assumed)", "yes",
		  experiment_least_budget(x, PR_USER, ACCESS_MODIFY, MOST) > MOST &&
			  experiment_least_budget(x, PR_USER, ACCESS_WRITE, MOST) < MOST,
		  "yes", 0, 0);
	print_row("TB 3:1 on target from (MB/s)", "as PR", tb31 == pr, "%.0f (%.0f lines)",
		  experiment_bandwidth(tb31), tb31);
	print_row("TB 2:2 on target from (MB/s)", "much earlier", tb22 * 10 < pr * 7,
		  "%.0f (%.0f lines)", experiment_bandwidth(tb22), tb22);
	print_row("TB 1:3 on target from (MB/s)", "earlier still", tb13 < tb22, "%.0f (%.0f lines)",
		  experiment_bandwidth(tb13), tb13);
	print_row("PR 1:3 on target from (MB/s)", "(not in it)", pr13 == tb13, "%.0f (%.0f lines)",
		  experiment_bandwidth(pr13), pr13);
	print_row("TB 3:1 at large budgets: lines over", "right", large31 < 1.5, "%.1f", large31,
		  0);
	print_row("TB 2:2 at large budgets: lines over", "right", large22 < 1.5, "%.1f", large22,
		  0);
	print_row("TB 1:3 at the peak, below PR", ">= 10 %", peak_tb13 <= 0.9, "%.0f %%",
		  100 * (1 - peak_tb13), 0);
	print_row("PR 1:3 at the peak, below PR", "(< 2 %)", peak_pr13 > 0.98, "%.1f %%",
		  100 * (1 - peak_pr13), 0);
}

/* ---- events that are ORed ---- */

/* How many of n signals' events are lost if each is active in `per_mille` of the cycles. */
static double lost(unsigned signals, uint32_t per_mille)
{
	struct etm_regs r = { .rsctl = { [2] = (1u << signals) - 1 } };
	struct macrocell m;
	uint64_t seed = 1, events = 0, counted = 0;

	r.cntctl[0] = 2;
	r.cntv[0] = 0xffff;
	macrocell_init(&m, &r, (struct etm_reading){ false });
	for (unsigned i = 0; i < 60000; i++) {
		struct macrocell_inputs in = { .group = { 0 } };

		for (unsigned s = 0; s < signals; s++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			if ((seed >> 33) % 1000 < per_mille) {
				in.group[ETM_GROUP_EXTIN] |= (uint16_t)(1u << s);
				events++;
			}
		}
		macrocell_step(&m, &in);
	}
	counted = 0xffff - m.regs.cntv[0];
	return 1 - (double)counted / (double)events;
}

static void print_losses(void)
{
	printf("\nEvents that ORing loses, by how many of 1,000 cycles each signal is active in\n"
	       "(table II: A72 1 to 2 %%, A76 up to 7 %%)\n  %-10s", "signals");
	for (uint32_t rate = 10; rate <= 160; rate *= 2)
		printf(" %6" PRIu32, rate);
	for (unsigned signals = 1; signals <= 4; signals++) {
		printf("\n  %-10u", signals);
		for (uint32_t rate = 10; rate <= 160; rate *= 2)
			printf(" %5.1f%%", 100 * lost(signals, rate));
	}
	printf("\n");
}

/* ---- beside other regulators ---- */

static void order(const char *what, double slower, double faster)
{
	printf("  %-64s %.2f > %.2f  %s\n", what, slower, faster, slower > faster ? "holds" : "NO");
}

static void print_orders(const struct experiment *x)
{
	static double t[POLICIES][WORKLOADS];
	double slowest = 1, least_of = 1000;
	const enum workload m = WORKLOAD_MEMORY, c = WORKLOAD_COMPUTE;

	printf("\nSlowdown at 200 MB/s\n  %-18s", "");
	for (unsigned w = 0; w < WORKLOADS; w++)
		printf(" %8s", workload_names[w]);
	for (unsigned p = 0; p < POLICIES; p++) {
		printf("\n  %-18s", policy_names[p]);
		for (unsigned w = 0; w < WORKLOADS; w++) {
			t[p][w] = slowdown(x, (enum policy)p, (enum workload)w, 200);
			printf(" %8.2f", t[p][w]);
		}
		if (p != POLICY_MEMGUARD_50 && p != POLICY_MEMGUARD_20) {
			slowest = t[p][c] > slowest ? t[p][c] : slowest;
			least_of = t[p][c] < least_of ? t[p][c] : least_of;
		}
	}
	printf("\n\nOrders of figures 15 and 22\n");
	order("MemGuard, 20 us slower than 50 us (memory)", t[POLICY_MEMGUARD_20][m],
	      t[POLICY_MEMGUARD_50][m]);
	order("MemGuard, 20 us slower than 50 us (compute)", t[POLICY_MEMGUARD_20][c],
	      t[POLICY_MEMGUARD_50][c]);
	order("MemGuard, 50 us slower than 1000 us (memory)", t[POLICY_MEMGUARD_50][m],
	      t[POLICY_MEMGUARD_1000][m]);
	order("MemGuard 20 us slower than PR 20 us (memory)", t[POLICY_MEMGUARD_20][m],
	      t[POLICY_PR_20][m]);
	order("MemGuard 20 us slower than PR 20 us (compute)", t[POLICY_MEMGUARD_20][c],
	      t[POLICY_PR_20][c]);
	order("MemGuard 20 us slower than MemPol (memory)", t[POLICY_MEMGUARD_20][m],
	      t[POLICY_MEMPOL_50][m]);
	order("PR 50 us slower than MemGuard 1000 us (memory)", t[POLICY_PR_50][m],
	      t[POLICY_MEMGUARD_1000][m]);
	order("MemPol slower than MemGuard 1000 us (memory)", t[POLICY_MEMPOL_50][m],
	      t[POLICY_MEMGUARD_1000][m]);
	order("PR 50 us slower than MemPol (memory)", t[POLICY_PR_50][m], t[POLICY_MEMPOL_50][m]);
	order("PR 50 us slower than TB 3:1 50 us (memory)", t[POLICY_PR_50][m],
	      t[POLICY_TB31_50][m]);
	order("all but MemGuard's short periods within 2 % (compute)", least_of * 1.02, slowest);
	for (unsigned w = 0; w < WORKLOADS - 1; w++)
		order(w == 0 ? "PR 50 us slower at 200 than at 300 MB/s (memory)"
			     : "PR 50 us slower at 200 than at 300 MB/s (bursts)",
		      t[POLICY_PR_50][w], slowdown(x, POLICY_PR_50, (enum workload)w, 300));
}

/* ---- figures ---- */

/* A row for each target: lines a period of each regulator and kind, as MB/s. Of modified lines half
 * of that is what the program sees. */
static bool write_figure(const struct experiment *x, const char *folder, const char *name,
			 const enum regulator *regulators, uint32_t step, uint32_t most)
{
	char path[512];
	FILE *f;

	snprintf(path, sizeof path, "%s/bench-etm-%s.dat", folder, name);
	f = fopen(path, "w");
	if (f == NULL)
		return false;
	fprintf(f, "# target");
	for (unsigned r = 0; r < 3; r++)
		for (unsigned k = 0; k < ACCESS_KINDS; k++)
			fprintf(f, "\t%s %s", regulator_names[regulators[r]], access_names[k]);
	fprintf(f, "\n");
	for (uint32_t budget = step; budget <= most; budget += step) {
		fprintf(f, "%.1f", experiment_bandwidth(budget));
		for (unsigned r = 0; r < 3; r++)
			for (unsigned k = 0; k < ACCESS_KINDS; k++)
				fprintf(f, "\t%.1f", experiment_bandwidth(
					experiment_run(x, regulators[r], (enum access)k, budget,
						       PERIOD).lines));
		fprintf(f, "\n");
	}
	return fclose(f) == 0;
}

static bool write_figures(const struct experiment *x, const char *folder)
{
	static const enum regulator first[] = { PR, PR_STOP, PR_USER };
	static const enum regulator second[] = { TB31, TB22, TB13 };
	struct experiment y = *x;

	y.warm_up = y.periods = LONG;
	return write_figure(x, folder, "6", first, 2, 80) &&
	       write_figure(x, folder, "7", second, 2, 80) &&
	       write_figure(&y, folder, "8", second, 10, 300);
}

int main(int argc, char **argv)
{
	struct experiment x;

	printf("Lines that a core leaves behind when it stops, from PR-stop's error of 8 and 20\n"
	       "  %-24s %8s %8s %8s %8s\n", "cycles a line (assumed)", access_names[0],
	       access_names[1], access_names[2], access_names[3]);
	for (uint32_t gap = GAP / 2; gap <= 2 * GAP; gap *= 2) {
		if (!experiment_init(&x, gap)) {
			printf("  %-24" PRIu32 " not calibrated\n", gap);
			continue;
		}
		printf("  %-24" PRIu32, gap);
		for (unsigned k = 0; k < ACCESS_KINDS; k++)
			printf(" %8" PRIu32, x.depth[k]);
		printf("\n");
	}
	if (!experiment_init(&x, GAP))
		return 1;
	print_claims(&x);
	print_losses();
	print_orders(&x);
	return argc > 1 && !write_figures(&x, argv[1]);
}
