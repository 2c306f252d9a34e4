// SPDX-License-Identifier: Apache-2.0
#include "commands/table.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "commands/command.hpp"
#include "commands/exit_code.hpp"
#include "commands/plugins.hpp"
#include "options/completers.hpp"
#include "poslab/base/count.hpp"
#include "poslab/base/printable.hpp"
#include "terminal/terminal.hpp"

namespace poslab::app {
namespace {

Completion scheme_once(const Typed& typed) { return typed.words.empty() ? scheme_names(typed) : Completion{}; }

std::string written_text(const run::SchemeArrays& arrays, const std::string& path) {
  const std::size_t count = arrays.arrays.size();
  if (run::table_format(path) != run::TableFormat::npy)
    return fmt::format("{} in {}\n", base::counted(count, "array"), base::printable(path));
  return fmt::format("{} in {}{}\n", arrays.arrays.front().name, base::printable(path),
                     count > 1 ? fmt::format("; .safetensors and .h5 have all {} arrays", count) : "");
}

int table(const TableOptions& asked) {
  const bool to_file = asked.output.is_given();
  if (to_file) run::require_table_writable(*asked.output);
  const auto plugin = host::Plugin::open(plugin_file(asked.words.given.front(), *asked.plugins));
  const TablePositions at = table_positions(asked.positions, asked.grid);
  host::Model model = asked.variant.model();
  model.train_length = at.train_length();
  const host::Scheme scheme(plugin, asked.variant.parameters(plugin->info()), model);
  const run::SchemeArrays arrays = run::arrays_of(scheme, at.positions, at.placement.axis_names(), *asked.seed);
  print(stdout, table_heading(arrays, scheme, at.text));
  if (isatty(STDOUT_FILENO) != 0 || !to_file) print_as_it_is(stdout, pictures_text(arrays, at.placement));
  if (to_file) {
    run::write_table(*asked.output, arrays);
    print(stdout, written_text(arrays, *asked.output));
  }
  return all_well;
}

}  // namespace

TableOptions::TableOptions() : ContainedOptions("the plugin", 3600) { words = {1, 1, scheme_once}; }

Command table_command() {
  return with_action({.name = "table",
                      .sentence = "the arrays that a scheme produces",
                      .usage = "SCHEME",
                      .what = "Draws what a scheme adds, rotates or takes away at each position.",
                      .shown = {"poslab table sinusoidal --d-model 64 --positions 0:128 -o sinusoidal.h5",
                                "poslab table swin --grid 8x8"}},
                     table);
}

}  // namespace poslab::app
