"""What --memory bounds: all that a worker and what it starts have in memory, however it was come by."""

import unittest

import h5py
from linked_plugin import LinkedPluginCase
from misbehaving import SANITIZED, STATUS
from poslab_case import study_text

TAKES = r"""
#define _GNU_SOURCE
#include <poslab/plugin.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#define MIB ((size_t)1 << 20)
static void take(size_t bytes, int flags) {
  char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) exit(7);
  memset(memory, 1, bytes);
}
static int32_t takes(void) {
  %s
  sleep(120);
  return POSLAB_OK;
}
#define ENCODER_ENCODE(values, call, error) takes()
#define ENCODER_ID "takes"
#include "encoder.h"
"""
TOO_MUCH = ("failed", "not enough memory")
WAYS = {  # what it does, and what becomes of it
    "what it shares": ("take(1200 * MIB, MAP_SHARED);", TOO_MUCH),
    "what its children have": ("for (int i = 0; i < 3; ++i) if (fork() == 0) { take(400 * MIB, MAP_PRIVATE); sleep(120); _exit(0); }", TOO_MUCH),
    "what it has detached": ("if (fork() == 0) { setsid(); if (fork() == 0) { take(1200 * MIB, MAP_SHARED); sleep(120); } _exit(0); }", TOO_MUCH),
    "a limit that it raises": ("struct rlimit most; getrlimit(RLIMIT_DATA, &most); most.rlim_cur = most.rlim_max; "
                               "setrlimit(RLIMIT_DATA, &most); take(1200 * MIB, MAP_PRIVATE);", ("crashed", "exit code 7")),
}


@unittest.skipIf(SANITIZED, "a sanitizer's shadow memory would count, so workers of that build have no limit; the release build has")
class Memory(LinkedPluginCase):
    def test_who_takes_more_than_it_may_has_failed_and_the_others_have_not(self):
        study = self.study(study_text("memory", ["takes", "rope"], [("uniqueness", "[experiment.axes]\nlength = [8]")]))
        for way, (code, (status, words)) in WAYS.items():
            with self.subTest(way):
                self.compile_plugin("takes", TAKES % code)
                said = self.expect(3, "run", study, "-o", "a.h5", "--fresh", "--memory", "10MB", "--cell-time", "60", "--plugins", "own")
                with h5py.File(self.scratch / "a.h5") as file:
                    group = file["uniqueness"]
                    cells = {variant: (STATUS[its_status], message) for variant, its_status, message in zip(
                        group["variant"].asstr()[:], group["status"][:], group["message"].asstr()[:])}
                self.assertEqual(cells["rope"][0], "ok", said)
                self.assertEqual(cells["takes"][0], status, said)
                self.assertIn(words, cells["takes"][1])


if __name__ == "__main__":
    unittest.main()
