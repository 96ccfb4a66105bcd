/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * deep.c: loads libraries with RTLD_DEEPBIND, as PHP does. The library (-DLIBRARY) frees a block of
 * the program, and the program frees one of the library.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef LIBRARY
char *exchange(char *block)
{
	free(block);
	return strdup("from the library");
}
#else
int main(void)
{
	for (int i = 0; i < 3; i++) {
		void *library = dlopen("deep.so", RTLD_NOW | RTLD_DEEPBIND);
		char *(*exchange)(char *) = library ? dlsym(library, "exchange") : NULL;
		if (!exchange) {
			puts(dlerror());
			return 1;
		}
		char *got = exchange(strdup("from the program"));
		puts(got);
		free(got);
		dlclose(library);
	}
	return 0;
}
#endif
