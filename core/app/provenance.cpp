// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/provenance.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "poslab/app/bash_words.hpp"
#include "poslab/app/version.hpp"
#include "poslab/run/machine.hpp"

namespace poslab::app {

namespace {

std::string machines_json(const std::vector<run::JournalMachine>& machines) {
  std::string text;
  for (const run::JournalMachine& machine : machines)
    text += fmt::format("{}{{\"host\": {}, \"processor\": {}, \"cells\": {}, \"first\": \"{}\", \"last\": \"{}\"}}",
                        text.empty() ? "" : ", ", base::to_json(base::Value{machine.host}),
                        base::to_json(base::Value{machine.processor}), machine.cells, utc(machine.first),
                        utc(machine.last));
  return "[" + text + "]";
}

}  // namespace

std::string utc(std::time_t time) { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(time)); }

std::string Stopwatch::started() const { return utc(std::chrono::system_clock::to_time_t(date_)); }

results::Provenance provenance_of(const spec::Study& study, const RunRequest& request,
                                  const results::Description& description, const Stopwatch& watch,
                                  const std::vector<run::JournalMachine>& machines) {
  std::string plugins = "[", versions = "{";
  for (const base::SchemeInfo& scheme : description.schemes)
    plugins += fmt::format("{}{{\"id\": \"{}\", \"version\": \"{}\", \"file\": {}, \"sha256\": \"{}\"}}",
                           plugins.size() > 1 ? ", " : "", scheme.id, scheme.version,
                           base::to_json(base::Value{scheme.file}), scheme.file_hash);
  for (const base::ExperimentInfo& experiment : description.experiments)
    versions += fmt::format("{}\"{}\": \"{}\"", versions.size() > 1 ? ", " : "", experiment.id, experiment.version);
  return {{{"study", study.text},
           {"study_path", study.path},
           {"resolved_study", study.resolved()},
           {"versions", library_versions()},
           {"experiment_versions", versions + "}"},
           {"plugins", plugins + "]"},
           {"git_commit", git_commit()},
           {"compiler", compiler()},
           {"compile_flags", compile_flags()},
           {"processor", run::processor_name()},
           {"host", run::host_name()},
           {"machines", machines_json(machines)},
           {"threads", std::to_string(request.threads)},
           {"workers", std::to_string(request.workers)},
           {"command_line", "poslab run " + bash_words(request.command_line)},
           {"started", watch.started()},
           {"run_seconds", fmt::format("{:.3f}", watch.seconds())}}};
}

}  // namespace poslab::app
