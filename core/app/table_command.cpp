// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <filesystem>
#include <numeric>

#include "poslab/app/commands.hpp"
#include "poslab/app/options.hpp"
#include "poslab/app/plugins.hpp"
#include "poslab/app/scheme_arrays.hpp"
#include "poslab/app/scheme_parameters.hpp"
#include "poslab/app/text_table.hpp"
#include "poslab/base/text.hpp"

namespace po = boost::program_options;

namespace poslab::app {
namespace {

base::Index whole(const std::string& option, const std::string& text) {
  base::Index number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size())
    throw UsageError(fmt::format("{} wants whole numbers, not \"{}\"", option, text));
  return number;
}

// "0:64" is 0 .. 63; "0:64:4" every fourth of them.
std::vector<double> positions_of(const std::string& text) {
  std::vector<base::Index> parts;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t colon = std::min(text.find(':', start), text.size());
    parts.push_back(whole("--positions", text.substr(start, colon - start)));
    start = colon + 1;
  }
  const base::Index step = parts.size() == 3 ? parts[2] : 1;
  if (parts.size() < 2 || parts.size() > 3 || step < 1 || parts[1] <= parts[0])
    throw UsageError(fmt::format("--positions wants FIRST:END or FIRST:END:STEP with FIRST < END, not \"{}\"", text));
  if ((parts[1] - parts[0]) / step > 65536)
    throw UsageError(fmt::format("--positions {} are more than 65536 positions", text));
  std::vector<double> positions;
  for (base::Index p = parts[0]; p < parts[1]; p += step) positions.push_back(static_cast<double>(p));
  return positions;
}

void show(const SchemeArrays& arrays) {
  for (const results::NamedArray& array : arrays.arrays) {
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

}  // namespace

int table_command(const std::vector<std::string>& arguments) {
  Options options("table");
  options.add()("output,o", po::value<std::string>()->value_name("FILE"), "write the arrays as HDF5")(
      "positions", po::value<std::string>()->default_value("0:64")->value_name("A:B[:S]"),
      "positions A .. B-1, every S-th")("seed", po::value<std::uint64_t>()->default_value(0)->value_name("N"),
                                        "for untrained weights");
  add_variant_options(options, 64, 4);
  add_plugin_option(options);
  options.positional("SCHEME", 1, 1);
  const auto values = options.parse(arguments);
  const host::Library library = open_library(values);
  const auto plugin = library.at(values["SCHEME"].as<std::vector<std::string>>().front());
  const std::vector<double> positions = positions_of(values["positions"].as<std::string>());
  host::Model model = model_of(values);
  model.train_length = static_cast<base::Index>(positions.back()) + 1;
  const host::Scheme scheme(plugin, parameters_of(values, plugin->info()), model);
  const SchemeArrays arrays = arrays_of(scheme, positions, values["seed"].as<std::uint64_t>());
  std::fputs(fmt::format("{}: D = {}, {} heads, {} positions from {}{}\n", arrays.title, model.model_width, model.heads,
                         positions.size(), base::shortest(positions.front()),
                         scheme.draws_weights() ? "; untrained weights" : "")
                 .c_str(),
             stdout);
  if (arrays.arrays.empty()) std::fputs("this scheme adds nothing and turns nothing\n", stdout);
  if (isatty(STDOUT_FILENO) != 0 || values.count("output") == 0) show(arrays);
  if (values.count("output") > 0) {
    const std::string output = values["output"].as<std::string>();
    results::write_table(output, arrays.title, arrays.attributes, arrays.coordinates, arrays.arrays);
    std::fputs(fmt::format("{} arrays in {}\n", arrays.arrays.size(), output).c_str(), stdout);
  }
  return all_well;
}

}  // namespace poslab::app
