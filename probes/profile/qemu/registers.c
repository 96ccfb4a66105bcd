/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/qemu/registers.h"

#include <dlfcn.h>
#include <string.h>

/* GArray and GByteArray of GLib. */
struct array {
	char *data;
	unsigned length;
};

/* struct qemu_plugin_reg_descriptor */
struct description {
	void *handle;
	const char *name, *feature;
};

/* Looked up once for the whole process. */
static struct {
	struct array *(*all)(void);
	int (*read)(void *handle, struct array *value);
	bool (*memory)(uint64_t address, struct array *value, size_t size); /* NULL: before 9.2 */
	struct array *(*bytes_new)(void);
	struct array *(*bytes_size)(struct array *bytes, unsigned size);
	char *(*array_free)(struct array *array, int free_data);
} qemu;

static const char *const names[REGISTERS] = { "priv",   "satp", "scause",   "sepc",
					      "mcause", "mepc", "sscratch", "tp" };

bool registers_there(void)
{
	*(void **)&qemu.all = dlsym(RTLD_DEFAULT, "qemu_plugin_get_registers");
	*(void **)&qemu.read = dlsym(RTLD_DEFAULT, "qemu_plugin_read_register");
	*(void **)&qemu.memory = dlsym(RTLD_DEFAULT, "qemu_plugin_read_memory_vaddr");
	*(void **)&qemu.bytes_new = dlsym(RTLD_DEFAULT, "g_byte_array_new");
	*(void **)&qemu.bytes_size = dlsym(RTLD_DEFAULT, "g_byte_array_set_size");
	*(void **)&qemu.array_free = dlsym(RTLD_DEFAULT, "g_array_free");
	return qemu.all && qemu.read && qemu.bytes_new && qemu.bytes_size && qemu.array_free;
}

bool registers_find(struct registers *r)
{
	struct array *all = qemu.all();
	const struct description *at = (const struct description *)(void *)all->data;
	bool found = true;

	for (unsigned name = 0; name < REGISTERS; name++) {
		r->handle[name] = NULL;
		for (unsigned i = 0; i < all->length && !r->handle[name]; i++)
			if (strcmp(at[i].name, names[name]) == 0)
				r->handle[name] = at[i].handle;
		found = found && r->handle[name];
	}
	qemu.array_free(all, 1);
	r->bytes = qemu.bytes_new();
	return found && r->bytes;
}

uint64_t registers_read(const struct registers *r, enum register_name name)
{
	struct array *bytes = r->bytes;
	uint64_t value = 0;

	qemu.bytes_size(bytes, 0);
	if (qemu.read(r->handle[name], bytes) > 0)
		memcpy(&value, bytes->data,
		       bytes->length < sizeof(value) ? bytes->length : sizeof(value));
	return value;
}

bool registers_memory(const struct registers *r, uint64_t address, void *data, size_t size)
{
	struct array *bytes = r->bytes;

	qemu.bytes_size(bytes, 0);
	if (!qemu.memory || !qemu.memory(address, bytes, size) || bytes->length != size)
		return false;
	memcpy(data, bytes->data, size);
	return true;
}
