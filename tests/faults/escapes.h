/* SPDX-License-Identifier: Apache-2.0
 * Ways to get away from whoever waits for one, or kills one. */
#ifndef POSLAB_TESTS_ESCAPES_H
#define POSLAB_TESTS_ESCAPES_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Every stop of this thread is reported to the parent, who has not asked; and its end waits until the parent has seen it. */
static inline void let_itself_be_traced(void) { (void)!ptrace(PTRACE_TRACEME, 0, NULL, NULL); }

static inline void join_parents_group(void) { (void)!setpgid(0, getpgid(getppid())); }

static inline void live_on(void) { /* for two minutes: longer than a test waits */
  sleep(120);
  _exit(0);
}

/* A grandchild in a session of its own, where no signal to a group finds it. */
static inline void detach_a_child(void) {
  if (fork() != 0) return;
  setsid();
  if (fork() == 0) live_on();
  _exit(0);
}

/* A child of its parent: nobody's orphan. */
static inline void bear_a_sibling(void) {
  if (syscall(SYS_clone, CLONE_PARENT, NULL, NULL, NULL, NULL) != 0) return;
  setsid();
  live_on();
}
#endif
