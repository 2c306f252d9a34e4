/* SPDX-License-Identifier: Apache-2.0
 * Does to the process that runs it what `mode` says, at contexts of length `only_at` or at all of them. What no worker can
 * contain is left out: killing the parent, removing the user's files.
 * Everything ends by itself, lest a test that fails takes the machine with it. It waits for company where a test wants that. */
#include "company.h"
#include "escapes.h"

#include <fcntl.h>
#include <fenv.h>
#ifdef __SSE__
#include <xmmintrin.h>
#endif
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#define ENCODER_ID "misbehaves"
#define ENCODER_PARAMETERS parameters
#define ENCODER_PARAMETER_COUNT 4
#define ENCODER_CREATE be_made
#define ENCODER_DESTROY be_unmade
#define ENCODER_ENCODE misbehave
#include <poslab/plugin.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum mode {
  BEHAVE, SEGFAULT, ABORT, DIVIDE_BY_ZERO, ILLEGAL, BUS_ERROR, EXIT0, EXIT3, QUICK_EXIT, CLOSE_DESCRIPTORS, WRITE_DESCRIPTOR_3,
  SWALLOW_DESCRIPTOR_3, FILL_DISK, EAT_MEMORY, PRINT_GIGABYTE, LOOP, CORRUPT_HEAP, THROW, FORK_AND_SLEEP, OVERFLOW_STACK,
  CHANGE_ROUNDING, STOP_ITSELF, KILL_ITSELF, CRASH_AT_CREATE, EXIT_AT_CREATE, LOOP_AT_CREATE, REFUSE_WITH_WORDS,
  FAIL_WITH_WORDS, CRASH_LATER, LEAVE_A_THREAD, IGNORE_SIGNALS, CHANGE_DIRECTORY, BLOCK_SIGNALS,
  TAKE_MEMORY, KEEP_COMPANY, FLUSH_DENORMALS, LOWER_LIMITS, ROUND_AT_CREATE, ROUND_AT_DESTROY, TRACED_AND_SPINS,
  TRACED_AND_STOPS, JOIN_PARENTS_GROUP, DETACH_A_CHILD, BEAR_A_SIBLING, TRACED_AT_CREATE, JOIN_PARENTS_GROUP_AT_CREATE, DELETE_JOURNAL
};
static const char *const modes[] = {
  "behaves", "segfault", "abort", "divides_by_zero", "illegal_instruction", "bus_error", "exit0", "exit3", "quick_exit",
  "closes_descriptors", "writes_descriptor_3", "swallows_descriptor_3", "fills_disk", "eats_memory", "prints_gigabyte",
  "loops_for_ever", "corrupts_heap", "throws", "forks_and_sleeps", "overflows_stack", "changes_rounding", "stops_itself",
  "kills_itself", "crashes_at_create", "exits_at_create", "loops_at_create", "refuses_with_words", "fails_with_words",
  "crashes_later", "leaves_a_thread", "ignores_signals", "changes_directory", "blocks_signals",
  "takes_memory", "keeps_company", "flushes_denormals", "lowers_limits", "rounds_up_at_create", "rounds_up_at_destroy",
  "traced_and_spins", "traced_and_stops", "joins_parents_group", "detaches_a_child", "bears_a_sibling", "traced_at_create",
  "joins_parents_group_at_create", "deletes_journal"};

static const poslab_parameter mode = {.size = sizeof mode, .kind = POSLAB_CHOICE, .name = "mode", .unit = "1",
  .sentence = "what goes wrong", .choices = modes, .choice_count = sizeof modes / sizeof *modes};
static const poslab_parameter only_at = {.size = sizeof only_at, .kind = POSLAB_INTEGER, .name = "only_at", .unit = "position",
  .sentence = "the only length at which it goes wrong", .lowest = 1, .highest = INFINITY, .may_be_unset = 1,
  .default_number = NAN};
static const poslab_parameter number = {.size = sizeof number, .kind = POSLAB_INTEGER, .name = "number", .unit = "1",
  .sentence = "makes a variant of its own of each that keeps company", .lowest = 0, .highest = INFINITY};
static const poslab_parameter mib = {.size = sizeof mib, .kind = POSLAB_INTEGER, .name = "mib", .unit = "1",
  .sentence = "memory that one holds while it keeps company", .lowest = 0, .highest = INFINITY};
static const poslab_parameter *const parameters[] = {&mode, &only_at, &number, &mib};

extern void throw_length_error(const char *what) __asm__("_ZSt20__throw_length_errorPKc"); /* of the C++ library */

static int32_t say(poslab_error *error, int32_t code, const char *text) {
  error->code = code;
  snprintf(error->text, sizeof error->text, "%s", text);
  return code;
}

static void write_all(int descriptor, const char *block, size_t size, int64_t times) {
  for (int64_t i = 0; i < times; ++i)
    if (write(descriptor, block, size) <= 0) return;
}

static void fill_disk(void) { /* of the working directory, 256 MiB of it at most */
  char *block = calloc(1, 1 << 20);
  const int file = open("filled-by-misbehaves", O_WRONLY | O_CREAT, 0666);
  write_all(file, block, 1 << 20, 256);
  for (int size = 4096; size; size /= 2) write_all(file, block, (size_t)size, 1 << 10);
  close(file);
  free(block);
}

static void eat_memory(void) { /* 8 GiB of it at most */
  for (int i = 0; i < 128; ++i) {
    char *block = malloc(64 << 20);
    if (!block) fprintf(stderr, "misbehaves: no more memory after %d MiB\n", i * 64);
    memset(block, i + 1, 64 << 20); /* without looking whether there is a block */
  }
}

static int32_t take_memory(void) { /* of which one alone has enough */
  void *volatile block = malloc(400 << 20);
  if (!block) return POSLAB_OUT_OF_MEMORY;
  free(block);
  return POSLAB_OK;
}

static int32_t stay_with_memory(int64_t mebibytes) {
  void *volatile block = malloc((size_t)mebibytes << 20); /* asked for, never touched */
  if (!block) return POSLAB_OUT_OF_MEMORY;
  keep_company();
  free(block);
  return POSLAB_OK;
}

static void lower_limits(void) {
  const struct rlimit little = {4, 4}, small = {1 << 20, 1 << 20};
  setrlimit(RLIMIT_NOFILE, &little);
  setrlimit(RLIMIT_AS, &small);
}

static void flush_denormals(void) {
#ifdef __SSE__
  _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
}

static void print_gigabyte(void) {
  static char block[1 << 16];
  memset(block, 'x', sizeof block);
  block[sizeof block - 1] = '\n';
  write_all(STDOUT_FILENO, block, sizeof block, 1 << 13);
  write_all(STDERR_FILENO, block, sizeof block, 1 << 13);
}

/* What the neighbours of a block do with their loss is luck; that its own size is broken, too, malloc notices. */
static void corrupt_heap(void) {
  volatile char *volatile block = malloc(24);
  for (int i = -8; i < 4096; ++i) block[i] = 'x';
  free((void *)block);
}

static volatile int depth_reached;
static int overflow_stack(int depth) {
  volatile char page[4096];
  page[0] = (char)depth;
  if (depth_reached < 0) return 0; /* never */
  depth_reached = depth;
  return overflow_stack(depth + 1) + page[0];
}

static void *crash_later(void *nothing) {
  (void)nothing;
  usleep(300000); /* long after its cell, and long before the run is over */
  abort();
}
static void *go_on_for_ever(void *nothing) {
  (void)nothing;
  for (int i = 0; i < 60000; ++i) usleep(1000); /* a minute */
  return NULL;
}
static void start(void *(*body)(void *)) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, body, NULL) == 0) pthread_detach(thread);
}

static void loop(void) {
  for (volatile uint64_t i = 0; i < UINT64_C(1) << 42; ++i) { /* an hour or so */
  }
}

static void send_to_itself(int number) { /* with the default action: a sanitizer's own handler would report something else */
  signal(number, SIG_DFL);
  kill(getpid(), number);
  pause();
}

static void close_descriptors(void) {
  for (int i = 0; i < 256; ++i) close(i);
}

static void fork_and_sleep(void) { /* a grandchild that holds every descriptor, for a minute */
  if (fork() == 0) {
    sleep(60);
    _exit(0);
  }
}

static void ignore_signals(int how) {
  sigset_t all;
  sigfillset(&all);
  if (how == IGNORE_SIGNALS)
    for (int i = 1; i < 32; ++i) signal(i, SIG_IGN);
  else
    pthread_sigmask(SIG_BLOCK, &all, NULL);
  loop();
}

static int32_t be_made(const poslab_value *values, poslab_error *error) {
  if (values[0].choice == CRASH_AT_CREATE) send_to_itself(SIGSEGV);
  if (values[0].choice == EXIT_AT_CREATE) exit(0);
  if (values[0].choice == ROUND_AT_CREATE) fesetround(FE_UPWARD);
  if (values[0].choice == LOOP_AT_CREATE && await_company()) loop();
  if (values[0].choice == TRACED_AT_CREATE) let_itself_be_traced(), loop();
  if (values[0].choice == JOIN_PARENTS_GROUP_AT_CREATE) join_parents_group(), loop();
  return values[0].choice == REFUSE_WITH_WORDS ? say(error, POSLAB_REFUSED, "I do not feel like it today") : POSLAB_OK;
}

static void be_unmade(const poslab_value *values) {
  if (values[0].choice == ROUND_AT_DESTROY) fesetround(FE_UPWARD);
}

static int32_t misbehave(const poslab_value *values, const poslab_call *call, poslab_error *error) {
  static char garbage[4096];
  static volatile int zero;
  int32_t status = POSLAB_OK;
  if (values[1].is_set && values[1].integer != call->length) return POSLAB_OK;
  if (values[0].choice == KEEP_COMPANY) return stay_with_memory(values[3].integer);
  if (!await_company()) return say(error, POSLAB_FAILED, "nobody came");
  switch (values[0].choice) {
    case SEGFAULT: fputs("misbehaves: about to fall\n", stderr); *(volatile int *volatile)(intptr_t)zero = 1; break;
    case ABORT: fputs("misbehaves: giving up\n", stderr); abort();
    case DIVIDE_BY_ZERO: depth_reached = 7 / zero; break;
    case ILLEGAL: send_to_itself(SIGILL); break;
    case BUS_ERROR: send_to_itself(SIGBUS); break;
    case EXIT0: exit(0);
    case EXIT3: exit(3);
    case QUICK_EXIT: _exit(0);
    case CLOSE_DESCRIPTORS: close_descriptors(); break;
    case WRITE_DESCRIPTOR_3: memset(garbage, 0xA5, sizeof garbage); write_all(3, garbage, sizeof garbage, 4); break;
    case SWALLOW_DESCRIPTOR_3: (void)!read(3, garbage, sizeof garbage); break;
    case FILL_DISK: fill_disk(); break;
    case EAT_MEMORY: eat_memory(); break;
    case PRINT_GIGABYTE: print_gigabyte(); break;
    case LOOP: loop(); break;
    case CORRUPT_HEAP: corrupt_heap(); break;
    case THROW: throw_length_error("thrown across"); break;
    case FORK_AND_SLEEP: fork_and_sleep(); break;
    case OVERFLOW_STACK: overflow_stack(0); break;
    case CHANGE_ROUNDING: fesetround(FE_UPWARD); break;
    case STOP_ITSELF: raise(SIGSTOP); break;
    case KILL_ITSELF: send_to_itself(SIGKILL); break;
    case FAIL_WITH_WORDS: return say(error, POSLAB_FAILED, "my table of secrets is gone");
    case CRASH_LATER: start(crash_later); break;
    case LEAVE_A_THREAD: start(go_on_for_ever); break;
    case IGNORE_SIGNALS: case BLOCK_SIGNALS: ignore_signals(values[0].choice); break;
    case CHANGE_DIRECTORY: (void)!chdir("/"); break;
    case TAKE_MEMORY: status = take_memory(); break;
    case FLUSH_DENORMALS: flush_denormals(); break;
    case DELETE_JOURNAL: unlink("a.h5.journal"); break;
    case LOWER_LIMITS: lower_limits(); break;
    case TRACED_AND_SPINS: let_itself_be_traced(); loop(); break;
    case TRACED_AND_STOPS: let_itself_be_traced(); raise(SIGSTOP); loop(); break;
    case JOIN_PARENTS_GROUP: join_parents_group(); loop(); break;
    case DETACH_A_CHILD: detach_a_child(); break;
    case BEAR_A_SIBLING: bear_a_sibling(); break;
    default: break;
  }
  dismiss_company();
  return status;
}

#include "encoder.h"
