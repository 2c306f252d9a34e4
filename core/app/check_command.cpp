// SPDX-License-Identifier: Apache-2.0
// `poslab check`: every check in a child of its own, which is this command again with --perform.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "poslab/app/commands.hpp"
#include "poslab/app/options.hpp"
#include "poslab/app/plugins.hpp"
#include "poslab/app/scheme_parameters.hpp"
#include "poslab/base/text.hpp"
#include "poslab/check/check.hpp"
#include "poslab/process/child.hpp"

namespace po = boost::program_options;

namespace poslab::app {
namespace {

constexpr base::Index usual_width = 32, usual_heads = 4;

void say(const std::string& line) {
  const std::string text = line + "\n";
  for (std::size_t written = 0; written < text.size();) {
    const ssize_t count = write(process::answer_descriptor, text.data() + written, text.size() - written);
    if (count <= 0) return;
    written += static_cast<std::size_t>(count);
  }
}

bool names_model(const po::variables_map& values) {
  return !values["d-model"].defaulted() || !values["heads"].defaulted();
}

// The child's whole life.
int perform(const po::variables_map& values, const std::string& file) {
  process::end_with_parent();
  check::Request request;
  request.file = file;
  request.parameters = [&](const base::SchemeInfo& scheme) { return parameters_of(values, scheme); };
  if (names_model(values)) {
    request.models.push_back(model_of(values));
    request.models.back().train_length = 64;
  }
  check::perform_check(values["perform"].as<std::string>(), request, say);
  return all_well;
}

// The words that start a child: all of ours that it needs, and last the option that takes the name of a check.
std::vector<std::string> child_arguments(const po::variables_map& values, const std::string& file) {
  std::vector<std::string> words{"check", file};
  if (values.count("set") > 0)
    for (const std::string& text : values["set"].as<std::vector<std::string>>())
      words.insert(words.end(), {"--set", text});
  if (names_model(values)) {
    words.insert(words.end(), {"--d-model", std::to_string(values["d-model"].as<base::Index>())});
    words.insert(words.end(), {"--heads", std::to_string(values["heads"].as<base::Index>())});
  }
  words.emplace_back("--perform");
  return words;
}

std::vector<std::string> split_words(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    if (end > start) words.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return words;
}

check::Selection selection_of(const po::variables_map& values) {
  check::Selection selection;
  selection.time_limit = values["time-limit"].as<double>();
  if (!(selection.time_limit > 0)) throw UsageError("--time-limit wants a number of seconds above 0");
  std::vector<std::string> names;
  for (const check::CheckInfo& info : check::all_checks()) names.push_back(info.name);
  if (values.count("only") > 0)
    for (const std::string& list : values["only"].as<std::vector<std::string>>())
      for (const std::string& name : split_words(list)) {
        if (std::find(names.begin(), names.end(), name) == names.end())
          throw UsageError(fmt::format("there is no check \"{}\"{}", name, base::did_you_mean(name, names)));
        selection.only.push_back(name);
      }
  return selection;
}

// A word with a slash or that ends like a library is a file; any other is the id of a scheme that is looked for.
std::vector<std::string> files_of(const po::variables_map& values) {
  std::vector<std::string> files;
  std::unique_ptr<host::Library> library;
  for (const std::string& word : values["PLUGIN"].as<std::vector<std::string>>()) {
    const std::filesystem::path path(word);
    if (word.find('/') != std::string::npos || path.extension() == ".so") {
      if (!std::filesystem::exists(path)) throw UsageError(fmt::format("{}: no such file", word));
      files.push_back(word);
      continue;
    }
    if (!library) library = std::make_unique<host::Library>(open_library(values));
    files.push_back(library->at(word).file);
  }
  return files;
}

const char* mark(check::Verdict verdict) {
  switch (verdict) {
    case check::Verdict::passed: return "ok";
    case check::Verdict::failed: return "FAIL";
    case check::Verdict::not_performed: return "-";
  }
  return "?";
}

std::string finding_json(const check::Finding& finding) {
  return fmt::format(R"({{"check": {}, "verdict": {}, "sentence": {}, "seconds": {:.3f}}})",
                     base::to_json(base::Value{finding.check}),
                     base::to_json(base::Value{check::to_text(finding.verdict)}),
                     base::to_json(base::Value{finding.sentence}), finding.seconds);
}

// A parameter that the scheme does not have is told before anything is printed.
void require_request(const po::variables_map& values, const std::string& file, const check::Selection& selection) {
  if (values.count("set") > 0)
    check::judge(child_arguments(values, file), {{"table"}, selection.time_limit}, [](const check::Finding&) {});
}

// Checks one file, printing as it goes; true if nothing failed.
bool check_file(const po::variables_map& values, const std::string& file, const check::Selection& selection,
                bool first) {
  const bool json = values.count("json") > 0;
  const auto print = [](const std::string& text) {
    std::fputs(text.c_str(), stdout);
    std::fflush(stdout);
  };
  print(json ? fmt::format("{}{{\"plugin\": {}, \"checks\": [", first ? "" : ",\n ", base::to_json(base::Value{file}))
             : fmt::format("{}{}\n", first ? "" : "\n", file));
  std::size_t count = 0;
  const auto findings = check::judge(child_arguments(values, file), selection, [&](const check::Finding& finding) {
    print(json ? fmt::format("{}{}", count++ ? ",\n  " : "\n  ", finding_json(finding))
               : fmt::format("  {:<5} {:<15} {}\n", mark(finding.verdict), finding.check, finding.sentence));
  });
  std::size_t counts[3] = {};
  double seconds = 0;
  for (const check::Finding& finding : findings) {
    ++counts[static_cast<std::size_t>(finding.verdict)];
    seconds += finding.seconds;
  }
  print(json ? "]}"
             : fmt::format("  {} passed, {} failed, {} not performed, in {}\n", counts[0], counts[1], counts[2],
                           base::human_seconds(seconds)));
  return counts[1] == 0;
}

int list_checks(bool json) {
  std::string text = json ? "[" : "";
  for (const check::CheckInfo& info : check::all_checks())
    text += json ? fmt::format(R"({}{{"check": {}, "sentence": {}}})", text.size() > 1 ? ",\n " : "",
                               base::to_json(base::Value{info.name}), base::to_json(base::Value{info.sentence}))
                 : fmt::format("  {:<15} {}\n", info.name, info.sentence);
  std::fputs((text + (json ? "]\n" : "")).c_str(), stdout);
  return all_well;
}

}  // namespace

int check_command(const std::vector<std::string>& arguments) {
  Options options("check");
  options.add()("only", po::value<std::vector<std::string>>()->value_name("CHECK,..."),
                "these checks alone (may be given again)")("list", "what checks there are")(
      "time-limit", po::value<double>()->default_value(20)->value_name("SECONDS"), "for each check")("json", "as JSON")(
      "perform", po::value<std::string>()->value_name("CHECK"), "used by poslab itself: one check, in this process");
  add_variant_options(options, usual_width, usual_heads);
  add_plugin_option(options);
  options.positional("PLUGIN", 0, 1000);
  const auto values = options.parse(arguments);
  if (values.count("list") > 0) return list_checks(values.count("json") > 0);
  if (values.count("PLUGIN") == 0) throw UsageError("name a plugin file or a scheme");
  const check::Selection selection = selection_of(values);
  const std::vector<std::string> files = files_of(values);
  if (values.count("perform") > 0) return perform(values, files.front());
  if (names_model(values)) model_of(values);  // a width that the heads do not divide is a mistake of the user
  for (const std::string& file : files) require_request(values, file, selection);
  const bool json = values.count("json") > 0;
  if (json) std::fputs("[", stdout);
  bool all_passed = true;
  for (std::size_t i = 0; i < files.size(); ++i) all_passed &= check_file(values, files[i], selection, i == 0);
  if (json) std::fputs("]\n", stdout);
  return all_passed ? all_well : expectation_failed;
}

}  // namespace poslab::app
