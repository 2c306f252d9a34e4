// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/arguments/scheme_parameters.hpp"

#include <fmt/format.h>

#include "poslab/data/value.hpp"
#include "poslab/study/study.hpp"

namespace po = boost::program_options;

namespace poslab::app {

void add_variant_options(Options& options, base::Index model_width, base::Index heads) {
  options.add()("set", po::value<std::vector<std::string>>()->value_name("NAME=VALUE"),
                "a parameter of the scheme (may be repeated)")(
      "d-model", po::value<base::Index>()->default_value(model_width)->value_name("D"), "model width")(
      "heads", po::value<base::Index>()->default_value(heads)->value_name("H"), "heads");
}

host::Model model_of(const po::variables_map& values) {
  host::Model model;
  model.model_width = values["d-model"].as<base::Index>();
  model.heads = values["heads"].as<base::Index>();
  if (model.model_width < 1 || model.heads < 1 || model.model_width % model.heads != 0)
    throw UsageError(fmt::format("{} heads do not divide a model width of {}", model.heads, model.model_width));
  return model;
}

data::Values parameters_of(const po::variables_map& values, const data::SchemeInfo& scheme) {
  data::Values parameters;
  if (values.count("set") == 0) return parameters;
  for (const std::string& text : values["set"].as<std::vector<std::string>>()) {
    const auto [name, word] = split_assignment("--set", text);
    const data::Quantity* parameter = scheme.parameter(name);
    if (!parameter) throw UsageError("--set: " + study::no_such_parameter(scheme, name));
    const data::Value value = parameter->kind == data::Kind::choice ? data::Value{word} : data::parse_value(word);
    if (const std::string mistake = data::why_not(*parameter, value); !mistake.empty())
      throw UsageError("--set: " + mistake);
    parameters.set(name, data::coerce(*parameter, value));
  }
  return parameters;
}

}  // namespace poslab::app
