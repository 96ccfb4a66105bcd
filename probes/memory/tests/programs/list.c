/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* list.c: the program at the beginning of probes/memory/memory.md, with three bugs. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
struct node { long number; struct node *next; };
static long sum;
static void *add(void *at)
{
	for (struct node *n = at; n; n = n->next)
		sum += n->number;
	return NULL;
}
int main(void)
{
	struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
	pthread_t t[2];
	*a = (struct node){ 1, b };
	b->next = NULL;
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, add, a);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	free(b);
	printf("%ld\n", sum + a->next->number);
}
