/* SPDX-License-Identifier: Apache-2.0
 * So that a cell misbehaves while others are in flight beside it. $POSLAB_TEST_COMPANY is a folder with a file `gate` that holds
 * a number. Whoever keeps company leaves a sign there and stays for as long as the gate does. Whoever wants company waits
 * until so many are in its own process; then it gives the gate the name `held-PID`, and those in this process stay until that goes,
 * or the process. Who comes later, say alone for a second time, finds no gate and waits for nobody. */
#ifndef POSLAB_TESTS_COMPANY_H
#define POSLAB_TESTS_COMPANY_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { COMPANY_PATH = 512, COMPANY_PATIENCE = 30000 /* milliseconds or so: a test that fails shall not hang */ };

static inline void company_path(char *path, const char *name, long number) {
  const char *folder = getenv("POSLAB_TEST_COMPANY");
  path[0] = 0; /* which is the name of nothing */
  if (folder) snprintf(path, COMPANY_PATH, number ? "%s/%s-%ld" : "%s/%s", folder, name, number);
}

static inline void company_nap(void) { nanosleep(&(struct timespec){0, 1000000}, NULL); }

static inline void keep_company(void) {
  char gate[COMPANY_PATH], held[COMPANY_PATH], name[64], sign[COMPANY_PATH];
  company_path(gate, "gate", 0);
  company_path(held, "held", getpid());
  if (access(gate, F_OK) != 0) return;
  snprintf(name, sizeof name, "inside-%ld", (long)getpid());
  company_path(sign, name, syscall(SYS_gettid));
  const int file = open(sign, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (file >= 0) close(file);
  for (int i = 0; i < COMPANY_PATIENCE && (access(gate, F_OK) == 0 || access(held, F_OK) == 0); ++i) company_nap();
  unlink(sign);
}

static inline int company_inside(void) { /* how many of this process */
  char name[64];
  snprintf(name, sizeof name, "inside-%ld-", (long)getpid());
  DIR *folder = opendir(getenv("POSLAB_TEST_COMPANY"));
  int count = 0;
  for (struct dirent *entry; folder && (entry = readdir(folder));) count += strncmp(entry->d_name, name, strlen(name)) == 0;
  if (folder) closedir(folder);
  return count;
}

/* 0: it was wanted and did not come */
static inline int await_company(void) {
  char gate[COMPANY_PATH], held[COMPANY_PATH];
  int wanted = 0;
  company_path(gate, "gate", 0);
  company_path(held, "held", getpid());
  FILE *file = gate[0] ? fopen(gate, "r") : NULL;
  if (!file) return 1;
  if (fscanf(file, "%d", &wanted) != 1) wanted = 0;
  fclose(file);
  for (int i = 0; i < COMPANY_PATIENCE; ++i) {
    if (company_inside() >= wanted) return rename(gate, held) == 0;
    company_nap();
  }
  return 0;
}

static inline void dismiss_company(void) {
  char held[COMPANY_PATH];
  company_path(held, "held", getpid());
  unlink(held);
}
#endif
