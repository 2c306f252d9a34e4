// SPDX-License-Identifier: Apache-2.0
#include "options/shared_options.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "options/completers.hpp"
#include "poslab/base/machine.hpp"
#include "poslab/data/description.hpp"
#include "poslab/data/value.hpp"
#include "poslab/run/weights_source.hpp"

namespace fs = std::filesystem;

namespace poslab::app {
namespace {

constexpr double file_seconds = 120, file_seconds_a_megabyte = 10;

// NAME=FILE
std::string with_absolute_file(const std::string& assignment) {
  const std::size_t behind = assignment.find('=') + 1;
  return assignment.substr(0, behind) + absolute_path(assignment.substr(behind));
}

std::string with_absolute_source(const std::string& text) {
  run::WeightsSource source = run::weights_source(text);
  source.file = absolute_path(source.file);
  return source.text();
}

Declaration time_limit_declaration(const std::string& sentence) { return option("time-limit", "SECONDS", sentence); }

}  // namespace

std::string as_typed(const std::string& value) { return value; }
std::string absolute_path(const std::string& path) { return fs::absolute(path).lexically_normal().string(); }

PluginsOption::PluginsOption(Options* of)
    : Texts(of, option("plugins", "DIR", "look for schemes here first (may be repeated)", folders, absolute_path)) {}

ThreadsOption::ThreadsOption(Options* of)
    : Option(of, option("threads", "N", "threads to use; all processors if absent"), accepted<int>(between(1, 1024))) {}

int ThreadsOption::count() const { return is_given() ? **this : base::processors(); }

MemoryOption::MemoryOption(Options* of)
    : Option(of, option("memory", "SIZE", "memory for cells, like 8GiB; most of the free if absent")) {}

double MemoryOption::bytes() const { return is_given() ? (**this).count : 0.8 * base::available_memory(); }

CellTimeOption::CellTimeOption(Options* of)
    : Option(of, option("cell-time", "SECONDS", "give a cell up after this long without progress", nullptr, as_typed),
             usual(3600.0, above_0_seconds())) {}

SupplyOptions::SupplyOptions(Options* of)
    : data(of, option("data", "NAME=FILE", "a file that is needed, like text=FILE (may be repeated)", data_names,
                      with_absolute_file)),
      weights(of, option("weights", "FILE",
                         "trained weights: results that keep them (of several trainings FILE:EXPERIMENT), a "
                         "published model's folder, or SCHEME.WEIGHT=FILE[:ARRAY]",
                         results_files, with_absolute_source)),
      network(of, option("network", "FILE", "whole networks that a run kept", results_files, with_absolute_source)) {}

VariantOptions::VariantOptions(Options* of, base::Index usual_width, base::Index usual_heads)
    : set(of, option("set", "NAME=VALUE", "a parameter of the scheme (may be repeated)", parameter_names)),
      d_model(of, option("d-model", "D", "model width"), usual(usual_width)),
      heads(of, option("heads", "H", "heads"), usual(usual_heads)) {}

host::Model VariantOptions::model() const {
  host::Model model;
  model.model_width = *d_model;
  model.heads = *heads;
  if (model.model_width < 1 || model.heads < 1 || model.model_width % model.heads != 0)
    throw UsageError(fmt::format("{} heads do not divide a model width of {}", model.heads, model.model_width));
  return model;
}

data::Values VariantOptions::parameters(const data::SchemeInfo& scheme) const {
  data::Values parameters;
  for (const auto& [name, word] : *set) {
    const data::Quantity* parameter = scheme.parameter(name);
    if (!parameter) throw UsageError("--set: " + data::no_such_parameter(scheme, name));
    const data::Value value = parameter->kind == data::Kind::choice ? data::Value{word} : data::parse_value(word);
    if (const auto refusal = data::why_not(*parameter, value)) throw UsageError("--set: " + refusal->reason);
    parameters.set(name, data::coerce(*parameter, value));
  }
  return parameters;
}

ContainedOptions::ContainedOptions(const char* suspect_)
    : suspect(suspect_),
      seconds(file_seconds),
      seconds_a_megabyte(file_seconds_a_megabyte),
      time_limit(this,
                 time_limit_declaration(fmt::format("abort the command after this long; if absent: {:g}, and {:g} for "
                                                    "each MB",
                                                    file_seconds, file_seconds_a_megabyte)),
                 accepted(above_0_seconds())) {}

ContainedOptions::ContainedOptions(const char* suspect_, double seconds_)
    : suspect(suspect_),
      seconds(seconds_),
      time_limit(this, time_limit_declaration("abort the command after this long"),
                 usual(seconds_, above_0_seconds())) {}

double ContainedOptions::limit() const {
  if (time_limit.is_given()) return *time_limit;
  double bytes = 0;
  for (const std::string& file : arguments()) {
    std::error_code none;
    const std::uintmax_t size = fs::file_size(file, none);
    if (!none) bytes += static_cast<double>(size);
  }
  return seconds + seconds_a_megabyte * bytes / 1e6;
}

}  // namespace poslab::app
