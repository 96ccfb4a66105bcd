/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* A spin lock of its own: an atomic exchange takes it, and a plain store gives it back. */
#include <pthread.h>
#include <stdatomic.h>
static atomic_flag lock = ATOMIC_FLAG_INIT;
static volatile long sum;
static void *add(void *arg)
{
	for (int i = 0; i < 50; i++) {
		while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
			;
		sum++;
		atomic_flag_clear_explicit(&lock, memory_order_release);
	}
	return arg;
}
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, add, NULL);
	pthread_create(&b, NULL, add, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
