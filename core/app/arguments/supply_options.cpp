// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/arguments/supply_options.hpp"

#include <filesystem>

#include "poslab/run/weights_source.hpp"

namespace po = boost::program_options;
namespace fs = std::filesystem;

namespace poslab::app {
namespace {

std::string path_from_root(const std::string& path) { return fs::absolute(path).lexically_normal().string(); }

}  // namespace

void add_supply_options(Options& options) {
  const auto texts = [](const char* name) { return po::value<std::vector<std::string>>()->value_name(name); };
  options.add()("data", texts("NAME=FILE"), "a file that an experiment needs, like text=FILE (may be repeated)")(
      "weights", texts("FILE"),
      "trained weights: results that keep them (of several trainings FILE:EXPERIMENT), or SCHEME.WEIGHT=FILE[:ARRAY]");
}

run::SupplyRequest supply_of(const po::variables_map& values) {
  run::SupplyRequest supply;
  if (values.count("data") > 0)
    for (const std::string& text : values["data"].as<std::vector<std::string>>())
      supply.files.push_back(split_assignment("--data", text));
  if (values.count("weights") > 0) supply.weights = values["weights"].as<std::vector<std::string>>();
  return supply;
}

run::SupplyRequest with_absolute_paths(run::SupplyRequest supply) {
  for (auto& file : supply.files) file.second = path_from_root(file.second);
  for (std::string& text : supply.weights) {
    run::WeightsSource source = run::weights_source(text);
    source.file = path_from_root(source.file);
    text = source.text();
  }
  return supply;
}

}  // namespace poslab::app
