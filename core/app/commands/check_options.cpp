// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "commands/check.hpp"
#include "commands/plugins.hpp"
#include "options/completers.hpp"
#include "poslab/base/text.hpp"

namespace poslab::app {
namespace {

constexpr base::Index train_length = 64;  // of a model that the command line names

std::vector<std::string> names_in(const std::string& list) {
  std::vector<std::string> names;
  std::istringstream words(list);
  for (std::string name; std::getline(words, name, ',');)
    if (!name.empty()) names.push_back(name);
  return names;
}

Completion schemes_and_libraries(const Typed& typed) { return {scheme_names(typed).words, {"*.so", "*.py"}}; }

}  // namespace

CheckOptions::CheckOptions()
    : only(this, option("only", "CHECK,...", "these checks alone (may be repeated)", check_names)),
      list(this, flag("list", "what checks there are")),
      time_limit(this, option("time-limit", "SECONDS", "for each check"), usual(20.0, above_0_seconds())),
      json(this, flag("json", "as JSON")) {
  words = {0, 1000, schemes_and_libraries};
}

check::Selection CheckOptions::selection() const {
  check::Selection selection{{}, *time_limit};
  std::vector<std::string> known;
  for (const check::CheckInfo& info : check::all_checks()) known.push_back(info.name);
  for (const std::string& some : *only)
    for (const std::string& name : names_in(some)) {
      if (std::ranges::find(known, name) == known.end())
        throw UsageError(fmt::format("there is no check \"{}\"{}", name, base::did_you_mean(name, known)));
      selection.only.push_back(name);
    }
  return selection;
}

std::vector<std::string> CheckOptions::performed() const { return names_in(*perform); }

std::vector<std::string> CheckOptions::files() const {
  if (words.given.empty()) throw UsageError("name a plugin file or a scheme");
  std::vector<std::string> found;
  for (const std::string& word : words.given) found.push_back(plugin_file(word, *plugins));
  return found;
}

std::vector<std::string> CheckOptions::child_arguments(const std::string& file) const {
  std::vector<std::string> child{"check", file};
  for (const auto& [name, value] : *variant.set)
    child.insert(child.end(), {"--set", fmt::format("{}={}", name, value)});
  if (variant.names_model()) {
    const host::Model model = variant.model();
    child.insert(child.end(), {"--d-model", std::to_string(model.model_width)});
    child.insert(child.end(), {"--heads", std::to_string(model.heads)});
  }
  child.emplace_back("--perform");
  return child;
}

check::Request CheckOptions::request(const std::string& file) const {
  check::Request request;
  request.file = file;
  request.parameters = [this](const data::SchemeInfo& scheme) { return variant.parameters(scheme); };
  if (variant.names_model()) {
    request.models.push_back(variant.model());
    request.models.back().train_length = train_length;
  }
  request.variant = *label;
  return request;
}

}  // namespace poslab::app
