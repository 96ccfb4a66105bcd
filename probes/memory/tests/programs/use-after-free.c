/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * use-after-free.c: finds the largest number in a list and frees the list. BUG: it reads the number
 * of a node after it has freed the node.
 */
#include <stdio.h>
#include <stdlib.h>

struct node {
	long number;
	struct node *next;
};

static struct node *push(struct node *list, long number)
{
	struct node *n = malloc(sizeof *n);

	if (!n)
		exit(1);
	n->number = number;
	n->next = list;
	return n;
}

static void look(const struct node *n, long *largest)
{
	if (n->number > *largest)
		*largest = n->number;
}

static long pop_all(struct node *list)
{
	long largest = 0;

	while (list) {
		struct node *next = list->next, *volatile old = list;

#ifdef BUG
		free(list);
		look(old, &largest);
#else
		look(old, &largest);
		free(list);
#endif
		list = next;
	}
	return largest;
}

int main(void)
{
	struct node *list = NULL;

	for (long i = 1; i <= 10; i++)
		list = push(list, i * 7 % 11);
	/* The content of a freed node is not known, so it is not printed. */
	printf("%s\n", pop_all(list) < 0 ? "below" : "done");
	return 0;
}
