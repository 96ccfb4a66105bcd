/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "contract/module.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "support/beside.h"

static void *open_module(void)
{
	char path[PATH_MAX];

	beside_find(MODULE_FILE, PKGLIBDIR, path);
	return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

/* Finds the module's function. NULL: *e says why. */
static module_compile *find_compile(void *module, struct nfart_error *e)
{
	const char *version = dlsym(module, MODULE_VERSION);
	/* POSIX lets a pointer to an object hold one to a function, ISO C does not. */
	union {
		void *object;
		module_compile *function;
	} compile = { dlsym(module, MODULE_COMPILE) };

	if (version == NULL || compile.object == NULL) {
		nfart_fail(e, NFART_SYSTEM, "%s is no compiler of this version", MODULE_FILE);
		return NULL;
	}
	if (strcmp(version, PACKAGE_VERSION) != 0) {
		nfart_fail(e, NFART_SYSTEM,
			   "the compiler is of version %.40s, this program of version %s", version,
			   PACKAGE_VERSION);
		return NULL;
	}
	return compile.function;
}

enum nfart_status module_call(const struct module_request *r, char **image, size_t *n,
			      struct nfart_error *e)
{
	void *module = open_module();
	module_compile *compile = NULL;

	*e = (struct nfart_error){ 0 };
	if (module == NULL)
		nfart_fail(e, NFART_SYSTEM, "%.200s: the compiler is not installed: %.200s",
			   r->name, dlerror());
	else
		compile = find_compile(module, e);
	if (compile != NULL)
		e->status = compile(r, image, n);
	if (module != NULL)
		dlclose(module);
	return e->status;
}
