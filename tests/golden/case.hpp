// SPDX-License-Identifier: Apache-2.0
// One case of a golden file, as it lies there: /<scheme>/<case>/{inputs,outputs,ref64}/<name> with attributes.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace poslab::golden {

using Json = nlohmann::json;
using Index = std::int64_t;

struct Dataset {
  std::vector<Index> shape;
  std::vector<double> numbers;
  bool integer = false;  ///< compared exactly
};
using Datasets = std::map<std::string, Dataset>;

struct Case {
  std::string scheme, name;
  Json parameters;          ///< the attribute `params`
  std::string source;       ///< what produced `outputs`: repository, file, symbol, or "transcription"
  std::string computed_in;  ///< the precision of `outputs`
  Datasets inputs, outputs, ref64;

  std::string path() const { return scheme + "/" + name; }
  /// The input, else the output, of that name; null if there is neither.
  const Dataset* find(const std::string& dataset) const;
};

/// Every case of the file, in its order; throws std::runtime_error naming what cannot be read.
std::vector<Case> read_cases(const std::string& file);

}  // namespace poslab::golden
