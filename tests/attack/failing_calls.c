// SPDX-License-Identifier: BSD-3-Clause
// Preloaded into the program: the N-th allocation, or the N-th call that makes, writes, closes or renames a file, fails
// once. FAIL=malloc:N or write:N; N = 0 fails none. Counts from the beginning of main to its end, and leaves the count
// in the file that FAIL_COUNT names. Allocations of one call stack (its eight innermost frames) count once. They are
// those by operator new in the program; with FAIL_CALLERS=all every one but the C library's own, for commands that load
// no driver.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef enum { None, Allocations, Writes } Kind;
typedef struct {
  uintptr_t begin, end;
} Range;

static Kind kind;
static long failing;
static atomic_long calls;
static atomic_int on;
static int all;
static Range program, library, c_library;  // code of the program, the C++ library and the C library
static _Thread_local uintptr_t caller_of_new;
static _Thread_local int looking;

static int within(Range range, uintptr_t at) { return at >= range.begin && at < range.end; }

static int note_range(struct dl_phdr_info* info, size_t size, void* first) {
  (void)size;
  Range* range = *(int*)first                               ? &program
                 : strstr(info->dlpi_name, "/libstdc++.so") ? &library
                 : strstr(info->dlpi_name, "/libc.so")      ? &c_library
                                                            : NULL;
  *(int*)first = 0;
  for (int i = 0; range && i < info->dlpi_phnum; ++i)
    if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X)) {
      range->begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
      range->end = range->begin + info->dlpi_phdr[i].p_memsz;
    }
  return 0;
}

/// Whether this call stack has not been here before.
static int is_new_stack(void) {
  enum { Own = 3, Frames = 8, Places = 1 << 18 };
  static atomic_ulong seen[Places];
  void* frames[Own + Frames];
  ++looking;
  const int count = backtrace(frames, Own + Frames);
  --looking;
  unsigned long hash = 1469598103934665603u;
  for (int i = Own; i < count; ++i) hash = (hash ^ (unsigned long)frames[i]) * 1099511628211u;
  for (unsigned long at = hash % Places;; at = (at + 1) % Places) {
    unsigned long there = 0;
    if (atomic_compare_exchange_strong(&seen[at], &there, hash)) return 1;
    if (there == hash) return 0;
  }
}

/// Whether this call is the one.
static int fails(Kind of, int counts) {
  if (kind != of || !counts || looking || !atomic_load_explicit(&on, memory_order_relaxed)) return 0;
  return (of == Writes || is_new_stack()) && atomic_fetch_add(&calls, 1) + 1 == failing;
}

static void* next(const char* name) { return dlsym(RTLD_NEXT, name); }

// ---- Begin and end

static int (*real_main)(int, char**, char**);

static int counted_main(int argc, char** argv, char** environment) {
  const char* what = getenv("FAIL");
  int first = 1;
  dl_iterate_phdr(note_range, &first);
  all = getenv("FAIL_CALLERS") != NULL;
  if (what && strchr(what, ':')) {
    kind = what[0] == 'm' ? Allocations : Writes;
    failing = atol(strchr(what, ':') + 1);
  }
  unsetenv("LD_PRELOAD");  // not in what the program starts
  void* frames[1];
  backtrace(frames, 1);  // loads what it needs
  atomic_store(&on, 1);
  const int code = real_main(argc, argv, environment);
  atomic_store(&on, 0);
  FILE* out = getenv("FAIL_COUNT") ? fopen(getenv("FAIL_COUNT"), "w") : NULL;
  if (out) fprintf(out, "%ld\n", atomic_load(&calls)), fclose(out);
  return code;
}

int __libc_start_main(int (*main_of)(int, char**, char**), int argc, char** argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void* stack_end) {
  real_main = main_of;
  int (*start)(int (*)(int, char**, char**), int, char**, void (*)(void), void (*)(void), void (*)(void), void*) =
      next("__libc_start_main");
  return start(counted_main, argc, argv, init, fini, rtld_fini, stack_end);
}

// ---- Allocations

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void*, size_t),
    *__libc_memalign(size_t, size_t);

static int allocation_fails(void* caller) {
  const uintptr_t at = caller_of_new;
  caller_of_new = 0;
  if (!fails(Allocations, all ? !within(c_library, (uintptr_t)caller) : within(program, at))) return 0;
  errno = ENOMEM;
  return 1;
}

#define CALLER __builtin_return_address(0)

void* malloc(size_t size) { return allocation_fails(CALLER) ? NULL : __libc_malloc(size); }
void* calloc(size_t count, size_t size) { return allocation_fails(CALLER) ? NULL : __libc_calloc(count, size); }
void* realloc(void* old, size_t size) { return allocation_fails(CALLER) ? NULL : __libc_realloc(old, size); }
void* memalign(size_t to, size_t size) { return allocation_fails(CALLER) ? NULL : __libc_memalign(to, size); }
void* aligned_alloc(size_t to, size_t size) { return allocation_fails(CALLER) ? NULL : __libc_memalign(to, size); }
int posix_memalign(void** at, size_t to, size_t size) {
  if (allocation_fails(CALLER)) return ENOMEM;
  *at = __libc_memalign(to, size);
  return *at ? 0 : ENOMEM;
}

// operator new calls malloc from within the C++ library: whose call it was is kept for it.
#define OPERATOR_NEW(name)                                  \
  void* name(size_t size) {                                 \
    static void* (*real)(size_t);                           \
    if (!real) real = next(#name);                          \
    if (!caller_of_new) caller_of_new = (uintptr_t)CALLER;  \
    void* made = real(size);                                \
    caller_of_new = 0;                                      \
    return made;                                            \
  }
OPERATOR_NEW(_Znwm)
OPERATOR_NEW(_Znam)

// What a library does as it is loaded is its own: an exception from there would leave the loader locked.
void* dlopen(const char* file, int flags) {
  static void* (*real)(const char*, int);
  if (!real) real = next("dlopen");
  ++looking;
  void* const made = real(file, flags);
  --looking;
  return made;
}

// ---- Files

static int write_fails(void* caller, int error) {
  const uintptr_t at = (uintptr_t)caller;
  if (!fails(Writes, within(program, at) || within(library, at))) return 0;
  errno = error;
  return 1;
}
static int is_file(int descriptor) {
  struct stat about;
  return descriptor > 2 && fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode) &&
         (fcntl(descriptor, F_GETFL) & O_ACCMODE) != O_RDONLY;
}

#define REAL(result, name, ...)         \
  static result (*real)(__VA_ARGS__);   \
  if (!real) real = next(name)

ssize_t write(int to, const void* bytes, size_t count) {
  REAL(ssize_t, "write", int, const void*, size_t);
  return is_file(to) && write_fails(CALLER, ENOSPC) ? -1 : real(to, bytes, count);
}
ssize_t pwrite64(int to, const void* bytes, size_t count, off64_t at) {
  REAL(ssize_t, "pwrite64", int, const void*, size_t, off64_t);
  return is_file(to) && write_fails(CALLER, ENOSPC) ? -1 : real(to, bytes, count, at);
}
ssize_t pwrite(int to, const void* bytes, size_t count, off_t at) {
  REAL(ssize_t, "pwrite", int, const void*, size_t, off_t);
  return is_file(to) && write_fails(CALLER, ENOSPC) ? -1 : real(to, bytes, count, at);
}
int close(int descriptor) {
  REAL(int, "close", int);
  const int failed = is_file(descriptor) && write_fails(CALLER, EIO);
  const int result = real(descriptor);
  return failed ? (errno = EIO, -1) : result;
}
int rename(const char* from, const char* to) {
  REAL(int, "rename", const char*, const char*);
  return write_fails(CALLER, EIO) ? -1 : real(from, to);
}
int fchmodat(int folder, const char* path, mode_t mode, int flags) {
  REAL(int, "fchmodat", int, const char*, mode_t, int);
  return write_fails(CALLER, EPERM) ? -1 : real(folder, path, mode, flags);
}
#define OPEN(name)                                                                 \
  int name(const char* path, int flags, ...) {                                     \
    REAL(int, #name, const char*, int, ...);                                       \
    va_list more;                                                                  \
    va_start(more, flags);                                                         \
    const mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;                \
    va_end(more);                                                                  \
    return (flags & O_CREAT) && write_fails(CALLER, EMFILE) ? -1 : real(path, flags, mode); \
  }
OPEN(open)
OPEN(open64)
