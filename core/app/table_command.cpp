// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "poslab/app/commands.hpp"
#include "poslab/app/options.hpp"
#include "poslab/app/output.hpp"
#include "poslab/app/plugins.hpp"
#include "poslab/app/scheme_arrays.hpp"
#include "poslab/app/scheme_parameters.hpp"
#include "poslab/app/table_positions.hpp"
#include "poslab/app/text_table.hpp"
#include "poslab/base/text.hpp"

namespace po = boost::program_options;

namespace poslab::app {
namespace {

// On a grid, what one query, the one in the middle, adds to the keys of every cell.
void show_grid(const results::NamedArray& array, const base::Placement& placement) {
  const auto& extents = placement.extents;
  const base::Index rows = extents[extents.size() - 2], columns = extents.back(), N = *placement.count();
  base::Index middle = 0;
  for (const base::Index extent : extents) middle = middle * extent + extent / 2;
  const base::Index frame = middle / (rows * columns) * rows * columns;
  const std::string title = fmt::format("{} of the query in row {}, column {}, on the grid of keys, the first head: {}",
                                        array.name, rows / 2, columns / 2, array.sentence);
  std::fputs(picture(title, base::View<const double>(array.values.data() + middle * N + frame, {rows, columns}), 24, 72)
                 .c_str(),
             stdout);
}

void show(const SchemeArrays& arrays, const base::Placement& placement) {
  for (const results::NamedArray& array : arrays.arrays) {
    if (placement.is_grid() && array.shape.size() == 1) continue;  // rows and columns of the positions
    if (placement.is_grid() && !array.dimensions.empty() && array.dimensions.back() == "key_position") {
      show_grid(array, placement);
      continue;
    }
    // The last two dimensions of the first of the others: a matrix.
    const std::size_t rank = array.shape.size();
    if (rank == 0 || array.values.empty()) continue;
    const auto columns = static_cast<base::Index>(array.shape[rank - 1]),
               rows = rank > 1 ? static_cast<base::Index>(array.shape[rank - 2]) : 1;
    const std::string title = fmt::format("{} [{}]{}: {}", array.name, base::enumerate(array.dimensions),
                                          rank > 2 ? ", the first head" : "", array.sentence);
    std::fputs(picture(title, base::View<const double>(array.values.data(), {rows, columns}), 24, 72).c_str(), stdout);
  }
}

// A table may follow a table: whatever else is there is somebody's work.
void require_replaceable(const std::string& output) {
  const char* what_to_do = "choose another file with -o";
  if (look_at(output, what_to_do).kind == results::Found::Kind::run)
    throw base::FileError(output, "holds the results of a study", what_to_do);
}

}  // namespace

int table_command(const std::vector<std::string>& arguments) {
  Options options("table");
  options.add()("output,o", po::value<std::string>()->value_name("FILE"),
                "write the arrays as HDF5; replaces a table, and nothing else");
  add_position_options(options);
  options.add()("seed", po::value<std::uint64_t>()->default_value(0)->value_name("N"), "for untrained weights");
  add_variant_options(options, 64, 4);
  add_plugin_option(options);
  options.positional("SCHEME", 1, 1);
  const auto values = options.parse(arguments);
  if (values.count("output") > 0) require_replaceable(output_of(values));
  const host::Library library = open_library(values);
  const auto plugin = host::Plugin::open(library.at(values["SCHEME"].as<std::vector<std::string>>().front()).file);
  const TablePositions asked = table_positions_of(values);
  const base::Index N = asked.positions.extent(0);
  host::Model model = model_of(values);
  model.train_length = asked.placement.is_grid() ? N : static_cast<base::Index>(asked.positions(N - 1, 0)) + 1;
  const host::Scheme scheme(plugin, parameters_of(values, plugin->info()), model);
  const SchemeArrays arrays =
      arrays_of(scheme, asked.positions, asked.placement.axis_names(), values["seed"].as<std::uint64_t>());
  std::fputs(fmt::format("{}: D = {}, {} heads, {}{}\n", arrays.title, model.model_width, model.heads, asked.text,
                         scheme.is_untrained() ? "; untrained weights" : "")
                 .c_str(),
             stdout);
  if (arrays.arrays.empty()) std::fputs("this scheme adds nothing and turns nothing\n", stdout);
  if (isatty(STDOUT_FILENO) != 0 || values.count("output") == 0) show(arrays, asked.placement);
  if (values.count("output") > 0) {
    const std::string output = output_of(values);
    results::write_table(output, arrays.title, arrays.attributes, arrays.coordinates, arrays.arrays);
    std::fputs(fmt::format("{} arrays in {}\n", arrays.arrays.size(), output).c_str(), stdout);
  }
  return all_well;
}

}  // namespace poslab::app
