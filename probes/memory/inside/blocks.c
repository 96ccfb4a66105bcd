/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The block functions (memcpy and the like). Each call records one event and works on aliases.
 *
 *     Y (MEM_COPY)   memcpy mempcpy memmove bcopy strcpy stpcpy strncpy strcat, and the fortified
 *                    memcpy, memmove, mempcpy, strcpy, stpcpy, strncpy, strcat
 *     W (MEM_STORE)  memset bzero explicit_bzero, and the fortified memset
 *     G (MEM_FETCH)  memcmp bcmp memchr rawmemchr strlen strnlen strcmp strncmp strchr strchrnul
 *                    strrchr; a function that reads two ranges records two events
 *
 * The size in an event is the number of bytes that were read or written. It includes the 0 at the
 * end of a string. strcat also reads its target up to the end, and records a G for that. A call
 * records nothing if none of its ranges is watched. Calls that libc makes to its own block
 * functions do not come here, and neither does code that a compiler puts in place of a call. Their
 * accesses are recorded one by one.
 */
#include <emmintrin.h>
#include <string.h>
#include <strings.h>

#include "probes/memory/inside/inside.h"
#include "probes/memory/inside/locals.h"
#include "probes/memory/inside/next.h"
#include "probes/memory/inside/raw.h"
#include "probes/memory/inside/stacks.h"

#define CALLER                                                                                     \
	stacks_caller(__builtin_frame_address(0), (uintptr_t)__builtin_return_address(0))

/*
 * Blocks of at least this size are copied by `rep movsb`. For shorter blocks, it would be slower.
 */
enum { REP_BYTES = 512 };

/*
 * Whether the aliases of the range are contiguous too: all of its pages have the same distance to
 * their alias. Only the first and the last page are compared.
 */
static inline bool whole(const void *p, size_t n)
{
	uintptr_t first = (uintptr_t)p >> 12, last = ((uintptr_t)p + n - 1) >> 12;
	return first == last || !mirror_pages || last >> (MEM_ADDRESS_BITS - 12) ||
	       mirror_pages[first] == mirror_pages[last];
}

/*
 * head: bytes from the start of a range to the end of its first page. tail: bytes of a range in its
 * last page.
 */
static size_t head_bytes(const void *p, size_t n)
{
	size_t rest = INSIDE_PAGE - ((uintptr_t)p & (INSIDE_PAGE - 1));
	return rest < n ? rest : n;
}

static size_t tail_bytes(const uint8_t *p, size_t n)
{
	size_t rest = (((uintptr_t)p + n - 1) & (INSIDE_PAGE - 1)) + 1;
	return rest < n ? rest : n;
}

static inline __m128i get16(const uint8_t *p)
{
	return _mm_loadu_si128((const __m128i *)(const void *)p);
}

static inline void put16(uint8_t *p, __m128i x)
{
	_mm_storeu_si128((__m128i *)(void *)p, x);
}

/*
 * Copies fewer than 16 bytes. The ranges may overlap, because all bytes are read before any is
 * written.
 */
static inline void move_short(uint8_t *to, const uint8_t *from, size_t n)
{
#define MOVE(type)                                                                                 \
	do {                                                                                       \
		type a, b;                                                                         \
		__builtin_memcpy(&a, from, sizeof a);                                              \
		__builtin_memcpy(&b, from + n - sizeof b, sizeof b);                               \
		__builtin_memcpy(to, &a, sizeof a);                                                \
		__builtin_memcpy(to + n - sizeof b, &b, sizeof b);                                 \
	} while (0)
	if (n >= 8)
		MOVE(uint64_t);
	else if (n >= 4)
		MOVE(uint32_t);
	else if (n >= 2)
		MOVE(uint16_t);
	else if (n)
		*to = *from;
#undef MOVE
}

/* Copies bytes between ranges that may overlap. Both ranges are contiguous in memory. */
static void move_whole(uint8_t *to, const uint8_t *from, size_t n)
{
	if (n < 16) {
		move_short(to, from, n);
		return;
	}
	if ((uintptr_t)to - (uintptr_t)from >= n) {
		if (n >= REP_BYTES) {
			raw_copy(to, from, n);
			return;
		}
		__m128i last = get16(from + n - 16);
		for (size_t i = 0; i + 16 < n; i += 16)
			put16(to + i, get16(from + i));
		put16(to + n - 16, last);
		return;
	}
	__m128i first = get16(from);
	for (size_t i = n; i > 16; i -= 16)
		put16(to + i - 16, get16(from + i - 16));
	put16(to, first);
}

/*
 * Copies bytes between ranges that may overlap. Goes page by page if a range is only partly
 * watched.
 */
static void move_range(uint8_t *to, const uint8_t *from, size_t n)
{
	if (n == 0)
		return;
	if (whole(to, n) && whole(from, n)) {
		move_whole(mirror_alias(to), mirror_alias(from), n);
		return;
	}
	bool backward = (uintptr_t)to - (uintptr_t)from < n;
	while (n) {
		size_t part = backward ? tail_bytes(to, n) : head_bytes(to, n);
		size_t other = backward ? tail_bytes(from, n) : head_bytes(from, n);
		part = part < other ? part : other;
		size_t at = backward ? n - part : 0;
		move_whole(mirror_alias(to + at), mirror_alias(from + at), part);
		n -= part;
		if (!backward) {
			to += part;
			from += part;
		}
	}
}

static void fill_range(uint8_t *to, int byte, size_t n)
{
	while (n) {
		size_t part = whole(to, n) ? n : head_bytes(to, n);
		raw_fill(mirror_alias(to), byte, part);
		to += part;
		n -= part;
	}
}

static void copied(const void *to, const void *from, size_t n, uintptr_t pc)
{
	locals_range(to, n, MEM_STORE);
	locals_range(from, n, MEM_FETCH);
	if (!inside_watching() || !n ||
	    (!mirror_covers((uintptr_t)to) && !mirror_covers((uintptr_t)from)))
		return;
	stacks_copy((uintptr_t)to, (uintptr_t)from, n);
	RECORD(MEM_COPY, (uintptr_t)to, (uintptr_t)from, n, pc);
}

static void stored(uintptr_t to, size_t n, uintptr_t pc)
{
	locals_range((const void *)to, n, MEM_STORE);
	if (!inside_watching() || !n || !mirror_covers(to))
		return;
	stacks_range(to, n, MEM_SAVE);
	RECORD(MEM_STORE, to, n, pc);
}

static void fetched(const void *from, size_t n, uintptr_t pc)
{
	locals_range(from, n, MEM_FETCH);
	if (!inside_watching() || !n || !mirror_covers((uintptr_t)from))
		return;
	stacks_range((uintptr_t)from, n, MEM_LOAD);
	RECORD(MEM_FETCH, (uintptr_t)from, n, pc);
}

static void copy_range(void *to, const void *from, size_t n, uintptr_t pc)
{
	copied(to, from, n, pc);
	move_range(to, from, n);
}

/*
 * Index of the first byte below n that equals a or b; n if there is none. Reads whole aligned
 * groups of 16 bytes.
 */
static size_t find_byte(const uint8_t *p, uint8_t a, uint8_t b, size_t n)
{
	const __m128i as = _mm_set1_epi8((char)a), bs = _mm_set1_epi8((char)b);
	size_t skip = (uintptr_t)p & 15;
	const uint8_t *q = p - skip;
	for (size_t at = 0; at < n; at += 16 - skip, skip = 0, q += 16) {
		__m128i x = _mm_load_si128((const __m128i *)mirror_alias(q));
		uint32_t found = (uint32_t)_mm_movemask_epi8(
			_mm_or_si128(_mm_cmpeq_epi8(x, as), _mm_cmpeq_epi8(x, bs)));
		found >>= skip;
		if (found) {
			at += (uint32_t)__builtin_ctz(found);
			return at < n ? at : n;
		}
	}
	return n;
}

static size_t length(const char *s, size_t most)
{
	return find_byte((const uint8_t *)s, 0, 0, most);
}

/*
 * Compares two ranges of n bytes. Returns how many bytes were read: up to the first difference, and
 * if `text` also up to a common 0; else n. Sets *order to the difference of the last two bytes, 0
 * if the ranges are equal.
 */
static size_t compare_ranges(const uint8_t *a, const uint8_t *b, size_t n, bool text, int *order)
{
	const uint8_t *x = a, *y = b;
	*order = 0;
	for (size_t i = 0; i < n; i++, x++, y++) {
		if (i == 0 || ((uintptr_t)(a + i) & (INSIDE_PAGE - 1)) == 0)
			x = mirror_alias(a + i);
		if (i == 0 || ((uintptr_t)(b + i) & (INSIDE_PAGE - 1)) == 0)
			y = mirror_alias(b + i);
		if (*x != *y || (text && !*x)) {
			*order = *x - *y;
			return i + 1;
		}
	}
	return n;
}

static int compared(const void *a, const void *b, size_t n, bool text, uintptr_t pc)
{
	int order;
	size_t read = compare_ranges(a, b, n, text, &order);
	fetched(a, read, pc);
	fetched(b, read, pc);
	return order;
}

INSIDE_FOR(memcpy);
void *inside_memcpy(void *restrict to, const void *restrict from, size_t n)
{
	copy_range(to, from, n, CALLER);
	return to;
}

INSIDE_FOR(memmove);
void *inside_memmove(void *to, const void *from, size_t n)
{
	copy_range(to, from, n, CALLER);
	return to;
}

INSIDE_FOR(mempcpy);
void *inside_mempcpy(void *restrict to, const void *restrict from, size_t n)
{
	copy_range(to, from, n, CALLER);
	return (uint8_t *)to + n;
}

INSIDE_FOR(bcopy);
void inside_bcopy(const void *from, void *to, size_t n)
{
	copy_range(to, from, n, CALLER);
}

INSIDE_FOR(memset);
void *inside_memset(void *to, int byte, size_t n)
{
	stored((uintptr_t)to, n, CALLER);
	fill_range(to, byte, n);
	return to;
}

INSIDE_FOR(bzero);
void inside_bzero(void *to, size_t n)
{
	stored((uintptr_t)to, n, CALLER);
	fill_range(to, 0, n);
}

INSIDE_FOR(explicit_bzero);
void inside_explicit_bzero(void *to, size_t n)
{
	stored((uintptr_t)to, n, CALLER);
	fill_range(to, 0, n);
}

INSIDE_FOR(memcmp);
int inside_memcmp(const void *a, const void *b, size_t n)
{
	return compared(a, b, n, false, CALLER);
}

INSIDE_FOR(bcmp);
int inside_bcmp(const void *a, const void *b, size_t n)
{
	return compared(a, b, n, false, CALLER);
}

INSIDE_FOR(strcmp);
int inside_strcmp(const char *a, const char *b)
{
	return compared(a, b, SIZE_MAX, true, CALLER);
}

INSIDE_FOR(strncmp);
int inside_strncmp(const char *a, const char *b, size_t n)
{
	return compared(a, b, n, true, CALLER);
}

INSIDE_FOR(strlen);
size_t inside_strlen(const char *s)
{
	size_t n = length(s, SIZE_MAX / 2);
	fetched(s, n + 1, CALLER);
	return n;
}

INSIDE_FOR(strnlen);
size_t inside_strnlen(const char *s, size_t most)
{
	size_t n = length(s, most);
	fetched(s, n < most ? n + 1 : n, CALLER);
	return n;
}

INSIDE_FOR(memchr);
void *inside_memchr(const void *p, int byte, size_t n)
{
	size_t most = n < SIZE_MAX / 2 ? n : SIZE_MAX / 2;
	size_t at = find_byte(p, (uint8_t)byte, (uint8_t)byte, most);
	fetched(p, at < most ? at + 1 : at, CALLER);
	return at < most ? (uint8_t *)(uintptr_t)p + at : NULL;
}

INSIDE_FOR(rawmemchr);
void *inside_rawmemchr(const void *p, int byte)
{
	size_t at = find_byte(p, (uint8_t)byte, (uint8_t)byte, SIZE_MAX / 2);
	fetched(p, at + 1, CALLER);
	return (uint8_t *)(uintptr_t)p + at;
}

static char *find_char(const char *s, int byte, uintptr_t pc)
{
	size_t at = find_byte((const uint8_t *)s, (uint8_t)byte, 0, SIZE_MAX / 2);
	fetched(s, at + 1, pc);
	return (char *)(uintptr_t)s + at;
}

INSIDE_FOR(strchr);
char *inside_strchr(const char *s, int byte)
{
	char *p = find_char(s, byte, CALLER);
	return *(char *)mirror_alias(p) == (char)byte ? p : NULL;
}

INSIDE_FOR(strchrnul);
char *inside_strchrnul(const char *s, int byte)
{
	return find_char(s, byte, CALLER);
}

INSIDE_FOR(strrchr);
char *inside_strrchr(const char *s, int byte)
{
	size_t n = length(s, SIZE_MAX / 2);
	fetched(s, n + 1, CALLER);
	for (size_t i = n + 1; i-- > 0;)
		if (*(const char *)mirror_alias(s + i) == (char)byte)
			return (char *)(uintptr_t)s + i;
	return NULL;
}

INSIDE_FOR(strcpy);
char *inside_strcpy(char *restrict to, const char *restrict from)
{
	copy_range(to, from, length(from, SIZE_MAX / 2) + 1, CALLER);
	return to;
}

INSIDE_FOR(stpcpy);
char *inside_stpcpy(char *restrict to, const char *restrict from)
{
	size_t n = length(from, SIZE_MAX / 2);
	copy_range(to, from, n + 1, CALLER);
	return to + n;
}

static char *copy_padded(char *to, const char *from, size_t n, uintptr_t pc)
{
	size_t text = length(from, n);
	size_t read = text < n ? text + 1 : n;
	copy_range(to, from, read, pc);
	stored((uintptr_t)to + read, n - read, pc);
	fill_range((uint8_t *)to + read, 0, n - read);
	return to;
}

INSIDE_FOR(strncpy);
char *inside_strncpy(char *restrict to, const char *restrict from, size_t n)
{
	return copy_padded(to, from, n, CALLER);
}

static char *append_string(char *to, const char *from, uintptr_t pc)
{
	size_t n = length(to, SIZE_MAX / 2);
	fetched(to, n + 1, pc);
	copy_range(to + n, from, length(from, SIZE_MAX / 2) + 1, pc);
	return to;
}

INSIDE_FOR(strcat);
char *inside_strcat(char *restrict to, const char *restrict from)
{
	return append_string(to, from, CALLER);
}

/*
 * The fortified functions. A compiler calls them if it knows the size of the target. If the data
 * does not fit, they end the program with libc's message.
 */
static void check_room(size_t n, size_t room)
{
	if (n > room)
		((void (*)(void))next_find("__chk_fail"))();
}

#define CHECKED3(name, more)                                                                       \
	void *inside_##name(void *to, const void *from, size_t n, size_t room)                     \
		INSIDE_NAMED("__" #name);                                                          \
	void *inside_##name(void *to, const void *from, size_t n, size_t room)                     \
	{                                                                                          \
		check_room(n, room);                                                               \
		copy_range(to, from, n, CALLER);                                                   \
		return (uint8_t *)to + (more);                                                     \
	}

CHECKED3(memcpy_chk, 0)
CHECKED3(memmove_chk, 0)
CHECKED3(mempcpy_chk, n)

void *inside_memset_chk(void *to, int byte, size_t n, size_t room) INSIDE_NAMED("__memset_chk");
void *inside_memset_chk(void *to, int byte, size_t n, size_t room)
{
	check_room(n, room);
	stored((uintptr_t)to, n, CALLER);
	fill_range(to, byte, n);
	return to;
}

char *inside_strcpy_chk(char *to, const char *from, size_t room) INSIDE_NAMED("__strcpy_chk");
char *inside_strcpy_chk(char *to, const char *from, size_t room)
{
	size_t n = length(from, SIZE_MAX / 2) + 1;
	check_room(n, room);
	copy_range(to, from, n, CALLER);
	return to;
}

char *inside_stpcpy_chk(char *to, const char *from, size_t room) INSIDE_NAMED("__stpcpy_chk");
char *inside_stpcpy_chk(char *to, const char *from, size_t room)
{
	size_t n = length(from, SIZE_MAX / 2) + 1;
	check_room(n, room);
	copy_range(to, from, n, CALLER);
	return to + n - 1;
}

char *inside_strncpy_chk(char *to, const char *from, size_t n, size_t room)
	INSIDE_NAMED("__strncpy_chk");
char *inside_strncpy_chk(char *to, const char *from, size_t n, size_t room)
{
	check_room(n, room);
	return copy_padded(to, from, n, CALLER);
}

char *inside_strcat_chk(char *to, const char *from, size_t room) INSIDE_NAMED("__strcat_chk");
char *inside_strcat_chk(char *to, const char *from, size_t room)
{
	check_room(length(to, SIZE_MAX / 2) + length(from, SIZE_MAX / 2) + 1, room);
	return append_string(to, from, CALLER);
}
