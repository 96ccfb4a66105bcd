/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * `mismatched MADE FREED BYTES`: functions of one kind make two blocks, and functions of another
 * kind free them. Kinds: 0 malloc and free, 1 new and delete, 2 new[] and delete[], 3 realloc. With
 * REPLACED the program has a new of its own, and takes the delete of the library.
 */
#include <cstdlib>
#include <new>

#ifdef REPLACED
void *operator new(size_t n)
{
	return malloc(n);
}
#endif

static void *make(int kind, size_t n, bool aligned)
{
	if (kind == 1)
		return aligned ? operator new(n, std::align_val_t(64)) : operator new(n);
	if (kind == 2)
		return aligned ? operator new[](n, std::nothrow) : operator new[](n);
	return aligned ? aligned_alloc(64, n) : malloc(n);
}

static void release(int kind, void *p, size_t n, bool aligned)
{
	if (kind == 1)
		aligned ? operator delete(p, std::align_val_t(64)) : operator delete(p);
	else if (kind == 2)
		aligned ? operator delete[](p, std::nothrow) : operator delete[](p);
	else if (kind == 3)
		free(realloc(p, aligned ? n - 1 : 300000));
	else
		free(p);
}

int main(int argc, char **argv)
{
	if (argc != 4)
		return 2;
	const int made = atoi(argv[1]), freed = atoi(argv[2]);
	const size_t n = strtoul(argv[3], NULL, 10);
	for (int aligned = 0; aligned < 2; aligned++)
		release(freed, make(made, n, aligned), n, aligned);
	return 0;
}
