// SPDX-License-Identifier: Apache-2.0
#include "commands/identify.hpp"

#include "commands/command.hpp"
#include "commands/exit_code.hpp"
#include "commands/plugins.hpp"
#include "commands/table.hpp"
#include "options/shared_options.hpp"
#include "poslab/base/text.hpp"
#include "poslab/identify/identify.hpp"

namespace poslab::app {
namespace {

struct IdentifyOptions final : ContainedOptions {
  IdentifyOptions() : ContainedOptions("the dump or a plugin", 600) { words = {1, 1, nullptr}; }
  identify::Request request() const;

  Texts as{this, option("as", "[NAME=]KIND",
                        "what an array is: table, cosines, sines, frequencies, before, after, bias, slopes, logits, "
                        "outputs, positions")};
  Text expect{this, option("expect", "VARIANT", "exit code 1 unless it is this: 'rope(base=500000)'")};
  Text positions{this, option("positions", "A:B[:S]", "positions A .. B-1, every S-th; else from 0")};
  Text grid{this, option("grid", "RxC", "cells of a grid of R rows and C columns, or FxRxC")};
  Option<std::int64_t> length{this,
                              option("length", "N", "of the sequence, where that is not the number of positions")};
  Flag json{this, flag("json", "as JSON")};
  PluginsOption plugins{this};
};

identify::Request IdentifyOptions::request() const {
  identify::Request request;
  for (const std::string& text : *as) {
    if (const std::size_t equals = text.find('='); equals != std::string::npos)
      request.as[text.substr(0, equals)] = text.substr(equals + 1);
    else if (const auto kind = identify::kind_of(text))
      request.kind = kind;
    else
      throw UsageError("--as wants a kind, " + base::enumerate(identify::kind_words()) + ", or NAME=KIND, not " +
                       base::excerpt(text));
  }
  if (positions.is_given() || grid.is_given()) request.positions = table_positions(positions, grid).positions;
  if (length.is_given()) {
    if (*length < 1) throw UsageError("--length wants a number of positions");
    request.length = *length;
  }
  return request;
}

int run_identify(const IdentifyOptions& asked) {
  const std::string& file = asked.words.given.front();
  const identify::Request request = asked.request();
  const identify::Dump dump = identify::read_dump(file);
  const host::Library library = open_library(*asked.plugins);
  std::optional<identify::Named> expected;
  if (asked.expect.is_given()) expected = expected_variant(*asked.expect, library);
  identify::Plugins plugins;
  for (const data::SchemeInfo& scheme : library.schemes()) plugins.push_back(host::Plugin::open(scheme.file));
  const identify::Verdict verdict = identify::identify(dump, request, plugins, expected);
  print(identify_document(verdict, file), *asked.json);
  return verdict.succeeds() ? all_well : expectation_failed;
}

}  // namespace

Command identify_command() {
  return with_action(
      {.name = "identify",
       .sentence = "which scheme another program's arrays are",
       .usage = "DUMP",
       .what = "DUMP: a .npy, .npz, .safetensors or HDF5 file with what the program in question computes: a table, "
               "cosines and sines, inverse frequencies, a query before and after it is rotated, a bias, logits or "
               "outputs of attention. Says which scheme it is, with which parameters and in which precision.",
       .shown = {"poslab identify rotary.npz",
                 "poslab identify rotary.npz --expect 'rope(base=500000, style=half-split)'"},
       .exit_codes = "0 named (or as expected), 1 nothing fits (or it is another), 2 the dump cannot be read.",
       .json = "file, verdict, arrays, layout, named, others, nearest, slip, equals, causal, difference, "
               "says_nothing_of, expected, candidates"},
      run_identify);
}

}  // namespace poslab::app
