/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Threads of OpenMP add to a number. */
static volatile long sum;
int main(void)
{
#pragma omp parallel for num_threads(3) schedule(static)
	for (int i = 0; i < 300; i++)
		sum += i;
	return 0;
}
