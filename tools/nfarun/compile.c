/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfarun/compile.h"

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

struct nfart_image *compile_filter(const struct module_request *r, struct nfart_error *e)
{
	struct nfart_image *im = NULL;
	module_compile *compile = NULL;
	void *module = open_module();
	enum nfart_status status;
	char *bytes = NULL;
	size_t n = 0;

	memset(e, 0, sizeof *e);
	if (module == NULL)
		nfart_fail(e, NFART_SYSTEM, "%.200s: the compiler is not installed: %.200s",
			   r->name, dlerror());
	else
		compile = find_compile(module, e);
	if (compile != NULL) {
		status = compile(r, &bytes, &n);
		if (status == NFART_OK)
			im = nfart_image_load(bytes, n, r->name, e);
		else
			e->status = status;
		free(bytes);
	}
	if (module != NULL)
		dlclose(module);
	return im;
}
