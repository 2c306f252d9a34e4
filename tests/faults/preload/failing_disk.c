/* SPDX-License-Identifier: Apache-2.0
 * Preloaded into a program, it makes its disk fail, for files in the directory FAILING_DISK_UNDER and below only:
 * call number FAILING_DISK_AT (from 1) of the kinds FAILING_DISK_CALL (of open, write, fsync, rename, unlink, truncate, lock) ends
 * with the error FAILING_DISK_AS (EIO, ENOSPC, EINTR, ENOLCK; `short`: half of what was to be written is), and with
 * FAILING_DISK_ON=1 so does every later one. FAILING_DISK_LOG names a file that gets a line for every such call. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static atomic_long calls;

static int lies_under(const char *path) {
  const char *under = getenv("FAILING_DISK_UNDER");
  char absolute[4096];
  if (!under || !path) return 0;
  if (path[0] != '/') { /* as the program's working directory has it */
    if (!getcwd(absolute, sizeof absolute)) return 0;
    return strncmp(absolute, under, strlen(under)) == 0;
  }
  return strncmp(path, under, strlen(under)) == 0;
}

static const char *path_of(int file, char *path, size_t size) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t length = readlink(link, path, size - 1);
  if (length < 0) return NULL;
  path[length] = 0;
  return path;
}

static void log_call(const char *kind, long number, const char *path, int fails) {
  const char *log = getenv("FAILING_DISK_LOG");
  if (!log) return;
  char line[4300];
  const int size = snprintf(line, sizeof line, "%s %ld %s%s\n", kind, number, path, fails ? " FAILS" : "");
  const long file = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) return;
  syscall(SYS_write, (int)file, line, (size_t)size);
  syscall(SYS_close, (int)file);
}

/* The error that this call shall end with, 0 for none, -1 for half the work. */
static int fault_of(const char *kind, const char *path) {
  const char *call = getenv("FAILING_DISK_CALL"), *at = getenv("FAILING_DISK_AT"), *as = getenv("FAILING_DISK_AS");
  const int before = errno;
  if (!call || !strstr(call, kind) || !lies_under(path)) return errno = before, 0;
  const long number = atomic_fetch_add(&calls, 1) + 1, first = at ? atol(at) : 0;
  const int fails = first > 0 && (number == first || (getenv("FAILING_DISK_ON") && number > first));
  log_call(kind, number, path, fails);
  errno = before;
  if (!fails || !as) return 0;
  return !strcmp(as, "short") ? -1 : !strcmp(as, "ENOSPC") ? ENOSPC : !strcmp(as, "EINTR") ? EINTR : !strcmp(as, "ENOLCK") ? ENOLCK : EIO;
}

static int fault_of_file(const char *kind, int file) {
  char path[4096];
  const char *call = getenv("FAILING_DISK_CALL");
  const int before = errno;
  const char *where = call && strstr(call, kind) ? path_of(file, path, sizeof path) : NULL;
  const int fault = where && where[0] == '/' ? fault_of(kind, where) : 0; /* "socket:[4711]" is no file */
  if (fault == 0) errno = before;
  return fault;
}

#define FAIL_IF(fault)                     \
  const int fault_ = (fault);              \
  if (fault_ > 0) return errno = fault_, -1
#define SIZE(size) (fault_ < 0 && (size) > 1 ? (size) / 2 : (size))

ssize_t write(int file, const void *bytes, size_t size) {
  FAIL_IF(fault_of_file("write", file));
  return REAL(write)(file, bytes, SIZE(size));
}
ssize_t pwrite(int file, const void *bytes, size_t size, off_t at) {
  FAIL_IF(fault_of_file("write", file));
  return REAL(pwrite)(file, bytes, SIZE(size), at);
}
ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t at) {
  FAIL_IF(fault_of_file("write", file));
  return REAL(pwrite64)(file, bytes, SIZE(size), at);
}
int fsync(int file) {
  FAIL_IF(fault_of_file("fsync", file));
  return REAL(fsync)(file);
}
int fdatasync(int file) {
  FAIL_IF(fault_of_file("fsync", file));
  return REAL(fdatasync)(file);
}
int ftruncate(int file, off_t size) {
  FAIL_IF(fault_of_file("truncate", file));
  return REAL(ftruncate)(file, size);
}
int ftruncate64(int file, off64_t size) {
  FAIL_IF(fault_of_file("truncate", file));
  return REAL(ftruncate64)(file, size);
}
int rename(const char *from, const char *to) {
  FAIL_IF(fault_of("rename", from));
  return REAL(rename)(from, to);
}
int unlink(const char *path) {
  FAIL_IF(fault_of("unlink", path));
  return REAL(unlink)(path);
}

/* Its third argument is a number or a pointer: on this machine both pass as they are. */
#define FCNTL(name)                                                                     \
  int name(int file, int command, ...) {                                                \
    FAIL_IF(command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK ||      \
            command == F_OFD_SETLKW ? fault_of_file("lock", file) : 0);                 \
    va_list rest;                                                                       \
    va_start(rest, command);                                                            \
    void *const argument = va_arg(rest, void *);                                        \
    va_end(rest);                                                                       \
    return REAL(name)(file, command, argument);                                         \
  }
FCNTL(fcntl)
FCNTL(fcntl64)

#define OPEN(name)                                                            \
  int name(const char *path, int flags, ...) {                                \
    FAIL_IF(flags &O_CREAT ? fault_of("open", path) : 0);                     \
    va_list rest;                                                             \
    va_start(rest, flags);                                                    \
    const int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, int) : 0;   \
    va_end(rest);                                                             \
    return REAL(name)(path, flags, mode);                                     \
  }
OPEN(open)
OPEN(open64)
