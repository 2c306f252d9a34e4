// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/arguments/check_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "poslab/app/arguments/plugins.hpp"
#include "poslab/app/arguments/scheme_parameters.hpp"
#include "poslab/base/text.hpp"
#include "poslab/run/library.hpp"

namespace po = boost::program_options;

namespace poslab::app {
namespace {

constexpr base::Index usual_width = 32, usual_heads = 4;
constexpr base::Index train_length = 64;  // of a model that the command line names

bool names_model(const po::variables_map& values) {
  return !values["d-model"].defaulted() || !values["heads"].defaulted();
}

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    if (end > start) words.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return words;
}

}  // namespace

void add_check_options(Options& options) {
  options.add()("only", po::value<std::vector<std::string>>()->value_name("CHECK,..."),
                "these checks alone (may be repeated)")("list", "what checks there are")(
      "time-limit", po::value<double>()->default_value(20)->value_name("SECONDS"), "for each check")("json", "as JSON");
  add_variant_options(options, usual_width, usual_heads);
  add_plugin_option(options);
  options.group("");  // what poslab tells its children
  options.add()("perform", po::value<std::string>(), "one check, in this process")(
      check::variant_option, po::value<std::string>(), "of one variant");
  options.positional("PLUGIN", 0, 1000);
}

check::Selection selection_of(const po::variables_map& values) {
  check::Selection selection;
  selection.time_limit = values["time-limit"].as<double>();
  if (!(selection.time_limit > 0)) throw UsageError("--time-limit wants a number of seconds above 0");
  if (values.count("only") == 0) return selection;
  std::vector<std::string> known;
  for (const check::CheckInfo& info : check::all_checks()) known.push_back(info.name);
  for (const std::string& list : values["only"].as<std::vector<std::string>>())
    for (const std::string& name : split_at_commas(list)) {
      if (std::find(known.begin(), known.end(), name) == known.end())
        throw UsageError(fmt::format("there is no check \"{}\"{}", name, base::did_you_mean(name, known)));
      selection.only.push_back(name);
    }
  return selection;
}

PluginFiles plugin_files_of(const po::variables_map& values) {
  if (values.count("PLUGIN") == 0) throw UsageError("name a plugin file or a scheme");
  PluginFiles found;
  std::unique_ptr<host::Library> library;
  for (const std::string& word : values["PLUGIN"].as<std::vector<std::string>>()) {
    const std::filesystem::path path(word);
    if (word.find('/') != std::string::npos || path.extension() == ".so") {
      if (!std::filesystem::exists(path)) throw UsageError(fmt::format("{}: no such file", word));
      found.files.push_back(word);
      continue;
    }
    if (!library) {
      library = std::make_unique<host::Library>(run::open_library(plugin_directories(values)));
      found.notices = notices_text(*library);
    }
    found.files.push_back(library->at(word).file);
  }
  return found;
}

std::vector<std::string> child_arguments(const po::variables_map& values, const std::string& file) {
  std::vector<std::string> words{"check", file};
  if (values.count("set") > 0)
    for (const std::string& text : values["set"].as<std::vector<std::string>>())
      words.insert(words.end(), {"--set", text});
  if (names_model(values)) {
    const host::Model model = model_of(values);
    words.insert(words.end(), {"--d-model", std::to_string(model.model_width)});
    words.insert(words.end(), {"--heads", std::to_string(model.heads)});
  }
  words.emplace_back("--perform");
  return words;
}

check::Request request_of(const po::variables_map& values, const std::string& file) {
  check::Request request;
  request.file = file;
  request.parameters = [values](const data::SchemeInfo& scheme) { return parameters_of(values, scheme); };
  if (names_model(values)) {
    request.models.push_back(model_of(values));
    request.models.back().train_length = train_length;
  }
  if (values.count(check::variant_option) > 0) request.variant = values[check::variant_option].as<std::string>();
  return request;
}

}  // namespace poslab::app
