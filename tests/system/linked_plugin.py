"""Plugins that bring libraries of their own, compiled while a test runs."""

import subprocess

from poslab_case import SOURCE, PoslabCase

# Its code is that of the encoder of tests/faults, times the number that its library gives.
PLUGIN = r"""
#include <poslab/plugin.h>
extern double factor(void);
static int32_t scale(const poslab_call *call) {
  for (int64_t i = 0; i < call->output->shape[0] * call->output->shape[1]; ++i)
    if (call->scalar == POSLAB_F32) ((float *)call->output->data)[i] *= (float)factor();
    else ((double *)call->output->data)[i] *= factor();
  return POSLAB_OK;
}
#define ENCODER_ENCODE(values, call, error) scale(call)
#include "encoder.h"
"""


class LinkedPluginCase(PoslabCase):
    def compile(self, text, output, *options):
        (self.scratch / output).parent.mkdir(exist_ok=True)
        done = subprocess.run(["cc", "-shared", "-fPIC", "-fvisibility=hidden", "-x", "c", "-", "-o", output, *map(str, options)], input=text,
                              text=True, capture_output=True, cwd=self.scratch)
        self.assertEqual(done.returncode, 0, done.stderr)

    def library(self, value, path="lib/libtables.so", *options):
        """One whose factor is `value`."""
        self.compile(f'__attribute__((visibility("default"))) double factor(void) {{ return {value}; }}', path,
                     f"-Wl,-soname,{path.rsplit('/', 1)[1]}", *options)

    def compile_plugin(self, name, text, *options):
        """own/NAME.so, of C that includes the encoder of tests/faults."""
        self.compile(text, f"own/{name}.so", f"-I{SOURCE / 'core/sdk/include'}", f"-I{SOURCE / 'tests/faults'}", *options, "-lm")

    def plugin(self, runpath="$ORIGIN/../lib", name="linked", text="", libraries="lib", library="tables"):
        """own/NAME.so, which asks for the library of `libraries`, and looks for it along `runpath`."""
        self.compile_plugin(name, f'#define ENCODER_ID "{name}"\n' + text + PLUGIN, f"-L{libraries}", "-x", "none", f"-l{library}",
                            f"-Wl,-rpath,{runpath},--enable-new-dtags")
        return ["--plugins", "own"]
