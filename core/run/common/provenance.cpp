// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/provenance.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "poslab/base/json.hpp"
#include "poslab/base/machine.hpp"
#include "poslab/data/mixed.hpp"
#include "poslab/run/version.hpp"

namespace poslab::run {
namespace {

using base::Json;

Json linked_json(const std::vector<data::LinkedLibrary>& libraries) {
  Json list = Json::array();
  for (const data::LinkedLibrary& library : libraries)
    list.push_back({{"file", library.file}, {"sha256", library.hash}});
  return list;
}

Json plugins_json(const std::vector<data::SchemeInfo>& schemes) {
  Json list = Json::array();
  std::set<std::string> listed;
  for (const data::SchemeInfo& scheme : schemes)
    for (const data::SchemeInfo& plugin : data::plugins_of(scheme))
      if (listed.insert(plugin.id).second)
        list.push_back({{"id", plugin.id},
                        {"version", plugin.version},
                        {"file", plugin.file},
                        {"sha256", plugin.file_hash},
                        {"linked", linked_json(plugin.linked)}});
  return list;
}

Json versions_json(const std::vector<data::ExperimentInfo>& experiments) {
  Json versions = Json::object();
  for (const data::ExperimentInfo& experiment : experiments) versions[experiment.id] = experiment.version;
  return versions;
}

}  // namespace

std::string utc(std::time_t time) { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(time)); }

std::string Stopwatch::started() const { return utc(std::chrono::system_clock::to_time_t(date_)); }

std::string machines_text(const std::vector<journal::JournalMachine>& machines) {
  Json list = Json::array();
  for (const journal::JournalMachine& machine : machines)
    list.push_back({{"host", machine.host},
                    {"processor", machine.processor},
                    {"cells", machine.cells},
                    {"first", utc(machine.first)},
                    {"last", utc(machine.last)}});
  return base::json_text(list);
}

std::string builds_text(const std::vector<journal::JournalBuild>& builds) {
  Json list = Json::array();
  for (const journal::JournalBuild& build : builds)
    list.push_back({{"poslab", build.build.poslab},
                    {"git_commit", build.build.git_commit},
                    {"cells", build.cells},
                    {"variants", build.variants}});
  return base::json_text(list);
}

std::string command_line_text(const std::string& command, const std::vector<std::string>& arguments) {
  Json words = Json::array({"poslab", command});
  for (const std::string& argument : arguments) words.push_back(argument);
  return base::json_text(words);
}

results::Provenance provenance_of(const study::Study& study, const RunRequest& request,
                                  const results::Description& description, const Stopwatch& watch) {
  return {{{"study", study.text},
           {"study_path", study.path},
           {"resolved_study", study.resolved()},
           {"versions", library_versions()},
           {"experiment_versions", base::json_text(versions_json(description.experiments))},
           {"plugins", base::json_text(plugins_json(description.schemes))},
           {"plugin_checks", data::to_json(request.plugin_checks)},
           {"git_commit", git_commit()},
           {"compiler", compiler()},
           {"compile_flags", compile_flags()},
           {"processor", base::processor_name()},
           {"host", base::host_name()},
           {"threads", std::to_string(request.threads)},
           {"workers", std::to_string(request.workers)},
           {"command_line", command_line_text("run", request.command_line)},
           {"started", watch.started()}}};
}

}  // namespace poslab::run
