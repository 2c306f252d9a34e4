// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/supply.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "poslab/base/hash.hpp"
#include "poslab/base/json.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/base/regular_file.hpp"
#include "poslab/base/text.hpp"
#include "poslab/experiment/experiment.hpp"

namespace poslab::run {
namespace {

base::Error unknown_file(const std::string& name, const std::string& problem) {
  return {base::Error::Kind::argument, fmt::format("--data {}=FILE: {}", base::printable(name), problem)};
}

std::optional<base::Refusal> why_unknown(const std::string& name) {
  std::set<std::string> names;
  for (const experiments::Experiment& experiment : experiments::all_experiments())
    for (const data::FileInfo& file : experiment.info.files) names.insert(file.name);
  if (names.count(name) > 0) return std::nullopt;
  if (names.empty()) return "no experiment needs a file";
  const std::vector<std::string> known(names.begin(), names.end());
  return fmt::format("no experiment needs a file of that name{}; there {} {}", base::did_you_mean(name, known),
                     known.size() == 1 ? "is" : "are", base::enumerate(known));
}

SuppliedFile read(const std::string& name, const std::string& path) {
  const base::RegularFile file(path, fmt::format("name another one with --data {}=FILE", name));
  if (file.size() > largest_file)
    throw base::FileError(
        path,
        fmt::format("has {}, and a file that is given may have {}", base::human_bytes(static_cast<double>(file.size())),
                    base::human_bytes(static_cast<double>(largest_file))),
        "give a part of it");
  std::string contents = file.bytes_at(0, static_cast<std::size_t>(file.size()));
  std::string hash = base::sha256(contents);
  return {name, path, std::move(hash), std::make_shared<const std::string>(std::move(contents))};
}

std::string sentence_of(const data::ExperimentInfo& info, const std::string& name) {
  for (const data::FileInfo& file : info.files)
    if (file.name == name) return file.sentence;
  return "";
}

}  // namespace

MissingFile::MissingFile(const data::Cell& cell, const std::string& name, const std::string& sentence)
    : base::Error(Kind::argument,
                  fmt::format("--data {}=FILE is missing, which {} needs: {}; the first cell that does is at {}", name,
                              cell.experiment, sentence.empty() ? name : sentence, data::outer_axes_text(cell))) {}

Supply::Supply(const SupplyRequest& request) : weights_(request.weights), networks_(request.networks) {
  for (const auto& [name, path] : request.files) {
    if (const auto refusal = why_unknown(name)) throw unknown_file(name, refusal->reason);
    for (const SuppliedFile& other : files_)
      if (other.name == name) throw unknown_file(name, fmt::format("it was given already, as {}", other.path));
    files_.push_back(read(name, path));
  }
}

std::vector<data::Given> Supply::of(const data::Cell& cell) const {
  std::vector<data::Given> given;
  const experiments::Experiment& experiment = experiments::find_experiment(cell.experiment);
  const std::unique_ptr<const experiments::Definition> at = experiment.at(cell.axes);
  const std::vector<std::string> names = at->needs();
  for (const std::string& name : names) {
    const auto found = std::find_if(files_.begin(), files_.end(), [&](const auto& file) { return file.name == name; });
    if (found == files_.end()) throw MissingFile(cell, name, sentence_of(experiment.info, name));
    given.push_back({name, found->hash});
  }
  require_usable(cell, names);
  if (at->trains()) weights_.require_no_network(cell.experiment);
  const std::string weights = weights_.hash_of(cell);
  if (!weights.empty()) given.push_back({data::given_weights, weights});
  if (std::optional<data::Given> network = networks_.of(cell)) {
    if (!weights.empty())
      throw base::Error(base::Error::Kind::request,
                        fmt::format("{} has weights from --weights and from --network; give one of the two",
                                    base::printable(cell.variant.label)));
    given.push_back(*std::move(network));
  }
  return given;
}

std::optional<int> Supply::repeats_of(const data::Cell& cell) const {
  const std::optional<int> of_weights = weights_.repeats_of(cell);
  return of_weights ? of_weights : networks_.repeats_of(cell);
}

// Cells that differ in their scheme or repeat alone need the same of a file.
void Supply::require_usable(const data::Cell& cell, const std::vector<std::string>& names) const {
  if (names.empty()) return;
  if (!usable_.insert(cell.experiment + " " + cell.axes.to_json()).second) return;
  experiments::Files files;
  for (const SuppliedFile& file : files_)
    if (std::find(names.begin(), names.end(), file.name) != names.end()) files.emplace(file.name, *file.contents);
  const auto refusal = experiments::find_experiment(cell.experiment).at(cell.axes)->why_not_files(files);
  if (!refusal) return;
  for (const SuppliedFile& file : files_)
    if (file.name == names.front())
      throw base::FileError(file.path,
                            fmt::format("cannot be the {} of {}: {}", file.name, cell.experiment, refusal->reason),
                            fmt::format("name another one with --data {}=FILE", file.name));
}

std::vector<workers::GivenContents> Supply::contents() const {
  std::vector<workers::GivenContents> all = weights_.contents();
  for (workers::GivenContents& network : networks_.contents()) all.push_back(std::move(network));
  for (const SuppliedFile& file : files_) all.push_back({file.hash, file.contents});
  return all;
}

std::string Supply::provenance(const std::vector<data::Cell>& cells) const {
  base::Json list = weights_.provenance(cells);
  for (base::Json& network : networks_.provenance(cells)) list.push_back(std::move(network));
  for (const SuppliedFile& file : files_) {
    const auto has_it = [&](const data::Cell& cell) {
      const data::Given* given = cell.find_given(file.name);
      return given && given->hash == file.hash;
    };
    if (std::any_of(cells.begin(), cells.end(), has_it))
      list.push_back(
          {{"name", file.name}, {"path", file.path}, {"sha256", file.hash}, {"bytes", file.contents->size()}});
  }
  return list.empty() ? "" : base::json_text(list);
}

}  // namespace poslab::run
