/* SPDX-License-Identifier: Apache-2.0
 * Its constructor changes of the process what $POSLAB_TEST_ON_LOAD names; otherwise right. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define ENCODER_ID "changes-on-load"
#include <poslab/plugin.h>

#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xmmintrin.h>

static void lower(int resource, rlim_t most) {
  struct rlimit limit;
  getrlimit((__rlimit_resource_t)resource, &limit);
  limit.rlim_cur = most;
  setrlimit((__rlimit_resource_t)resource, &limit);
}

static void block(int number) {
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, number);
  pthread_sigmask(SIG_BLOCK, &one, NULL);
}

__attribute__((constructor)) static void change(void) {
  const char *wanted = getenv("POSLAB_TEST_ON_LOAD");
  if (!wanted) return;
  if (strcmp(wanted, "rounding") == 0) fesetround(FE_UPWARD);
  if (strcmp(wanted, "denormals") == 0) _mm_setcsr(_mm_getcsr() | 0x8040); /* as -Ofast's start-up code does */
  if (strcmp(wanted, "traps") == 0) feenableexcept(FE_INEXACT);
  if (strcmp(wanted, "address_space") == 0) lower(RLIMIT_AS, 1 << 20);
  if (strcmp(wanted, "descriptors") == 0) lower(RLIMIT_NOFILE, 5);
  if (strcmp(wanted, "mask") == 0) block(SIGTERM);
  if (strcmp(wanted, "handler") == 0) signal(SIGSEGV, SIG_IGN);
  if (strcmp(wanted, "locale") == 0) setlocale(LC_ALL, "C.UTF-8");
  if (strcmp(wanted, "directory") == 0 && chdir("/") != 0) return;
  if (strcmp(wanted, "umask") == 0) umask(0777);
  if (strcmp(wanted, "environment") == 0) setenv("TBB_NUM_THREADS", "1", 1);
}

#include "encoder.h"
