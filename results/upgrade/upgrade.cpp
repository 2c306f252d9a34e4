// SPDX-License-Identifier: Apache-2.0
// A copy of the file is changed in place, so that what stays has its bits: groups of experiments, trained arrays.
#include "poslab/results/upgrade.hpp"

#include <fmt/format.h>
#include <hdf5_hl.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <sstream>

#include "h5/attribute.hpp"
#include "h5/bounds.hpp"
#include "h5/description.hpp"
#include "h5/dimension_names.hpp"
#include "poslab/data/outcome.hpp"
#include "poslab/results/writer.hpp"
#include "read/results_file.hpp"
#include "read/stored_answers.hpp"
#include "upgrade/earlier_answers.hpp"
#include "write/groups.hpp"
#include "write/pending_file.hpp"

namespace poslab::results {
namespace {

// What is read of the earlier file before anything is changed.
struct Earlier {
  std::string schema;  ///< "1.2"
  data::AnswerTable answers;
  std::vector<data::ExpectationResult> expectations;
  SchemesOfVariants schemes;
  std::string plugin_checks, supply;
};

std::string schema_of(const h5::Handle& file) {
  const double minor = h5::has_attribute(file, "schema_minor") ? h5::number_attribute(file, "schema_minor") : 0;
  return fmt::format("{:.0f}.{:.0f}", h5::number_attribute(file, "schema_version"), minor);
}

// "rope+none": the schemes of different layers.
std::vector<std::string> ids_in(const std::string& scheme) {
  std::vector<std::string> ids;
  std::istringstream words(scheme);
  for (std::string id; std::getline(words, id, '+');) ids.push_back(id);
  return ids;
}

Earlier read_earlier(const std::string& path, const DeclaredColumns& declared) {
  const h5::Handle file = open_results(path, Schemas::earlier_too);
  if (h5::number_attribute(file, "schema_version") == static_cast<double>(schema_version)) return {};
  if (h5::has_link(file, "shard"))
    throw base::FileError(path, "is the file of a shard, and not of a whole run",
                          "run that shard again with this poslab");
  Earlier earlier{schema_of(file),
                  read_earlier_answers(file, declared),
                  read_expectations(file, Schemas::earlier_too),
                  {},
                  provenance_text(file, "plugin_checks"),
                  provenance_text(file, "supply")};
  for (data::ExpectationResult& result : earlier.expectations) data::set_texts(result);
  const std::vector<std::string> schemes = texts(file, "scheme"), variants = texts(file, "variant");
  if (schemes.size() != variants.size()) h5::damaged(file, "has an index whose columns differ in length");
  for (std::size_t cell = 0; cell < schemes.size(); ++cell) earlier.schemes[variants[cell]] = ids_in(schemes[cell]);
  return earlier;
}

bool is_over(const h5::Handle& group, const std::string& name, const char* dimension) {
  if (!h5::is_dataset(group, name)) return false;
  return h5::dimension_names(h5::open_dataset(group, name), h5::scale_names(group)) ==
         std::vector<std::string>{dimension};
}

// The dimension `cell` of the index becomes `run_cell`, which has no coordinates.
void rename_dimension(Group& group) {
  const h5::Handle before = h5::open_dataset(group.handle(), "cell");
  group.bare_dimension(run_cell, h5::believable_length(before));
  for (const std::string& name : h5::links(group.handle()))
    if (is_over(group.handle(), name, "cell")) {
      const h5::Handle column = h5::open_dataset(group.handle(), name);
      h5::check(H5DSdetach_scale(column, before, 0), "H5DSdetach_scale");
      group.attach(column, 0, run_cell);
    }
  group.remove("cell");
}

// Columns that the index has since schemas 1.1 and 1.2; "" is what they say of a name or a family that is not known.
void add_columns(Group& root) {
  const std::vector<std::string> messages = texts(root.handle(), "message");
  const std::vector<double> status = numbers(root.handle(), "status");
  const std::vector<std::string> unknown(messages.size());
  if (!root.has("family"))
    root.variable("family", {run_cell}, unknown, {{"long_name", "family that the scheme says it belongs to"}});
  if (!root.has("label_parameters"))
    root.variable("label_parameters", {run_cell}, unknown,
                  {{"long_name", "parameters that the variant's name tells, as JSON; empty: it is not known"}});
  if (root.has("weights_state")) return;
  std::vector<std::uint8_t> states;
  for (std::size_t cell = 0; cell < std::min(messages.size(), status.size()); ++cell)
    states.push_back(static_cast<std::uint8_t>(
        data::state_by_old_note(status[cell] == 0 ? data::Status::ok : data::Status::skipped, messages[cell])));
  root.variable("weights_state", {run_cell}, states,
                flags_to(data::WeightsState::given, "the weights that the cell worked with"));
}

// Links stand in the order in which they are made: that of schema.md.
void put_in_order(const Group& root) {
  std::vector<std::string> names{run_cell};
  for (const char* name : {"id", "experiment", "scheme", "family", "variant", "label_parameters", "positions", "status",
                           "message", "weights_state", "seed", "repeat", "row"})
    if (root.has(name)) names.emplace_back(name);
  const std::vector<std::string> last{"trained", "answers", "expectations", "provenance"};
  for (const std::string& name : h5::links(root.handle()))
    if (std::ranges::find(names, name) == names.end() && std::ranges::find(last, name) == last.end())
      names.push_back(name);
  for (const std::string& name : last)
    if (root.has(name)) names.push_back(name);
  for (const std::string& name : names) {
    const std::string aside = "moved." + name;
    for (const auto& [from, to] : {std::pair(name, aside), std::pair(aside, name)})
      h5::check(H5Lmove(root.handle(), from.c_str(), root.handle(), to.c_str(), H5P_DEFAULT, H5P_DEFAULT), "H5Lmove");
  }
}

void replace_text(const h5::Handle& object, const char* name, const std::string& text) {
  h5::check(H5Adelete(object, name), "H5Adelete");
  h5::put_attribute(object, name, text);
}

// In files from before `description`, `long_name` is the sentence, and `units` is the word of poslab's tables.
void describe(const h5::Handle& dataset, const std::string& name) {
  if (h5::has_attribute(dataset, h5::description) || !h5::has_attribute(dataset, "long_name")) return;
  h5::put_attribute(dataset, h5::description, h5::text_attribute(dataset, "long_name"));
  replace_text(dataset, "long_name", h5::label_of(name));
  if (!h5::has_attribute(dataset, "units")) return;
  const std::string word = h5::text_attribute(dataset, "units"), unit = h5::udunits(word);
  if (unit == word) return;
  h5::put_attribute(dataset, h5::unit_name, word);
  replace_text(dataset, "units", unit);
}

void describe_all(const h5::Handle& group) {
  for (const std::string& name : h5::links(group)) {
    if (h5::is_dataset(group, name))
      describe(h5::open_dataset(group, name), name);
    else
      describe_all(h5::open_group(group, name));
  }
}

void put_version(const Group& root) {
  for (const auto& [name, value] :
       {std::pair("schema_version", schema_version), std::pair("schema_minor", schema_minor)}) {
    if (!h5::has_attribute(root.handle(), name)) {
      h5::put_attribute(root.handle(), name, value);
      continue;
    }
    const h5::Handle attribute(H5Aopen(root.handle(), name, H5P_DEFAULT), H5Aclose, "H5Aopen");
    h5::check(H5Awrite(attribute, H5T_NATIVE_INT64, &value), "H5Awrite");
  }
}

void rewrite(const h5::Handle& file, const Earlier& earlier) {
  Group root(file);
  describe_all(root.handle());
  rename_dimension(root);
  add_columns(root);
  put_version(root);
  if (root.has("answers")) root.remove("answers");
  write_answers(file, earlier.answers);
  root.remove("expectations");
  write_expectations(file, earlier.expectations);
  Group provenance = Group::opened(file, "provenance");
  rename_dimension(provenance);
  write_notes(provenance, earlier.schemes, earlier.plugin_checks, earlier.supply);
  provenance.close();
  put_in_order(root);
  root.close();
}

}  // namespace

std::string upgrade(const std::string& path, const DeclaredColumns& declared) try {
  const h5::Silence silence;
  const Earlier earlier = read_earlier(path, declared);
  if (earlier.schema.empty()) return "";
  PendingFile pending(path);
  std::filesystem::copy_file(path, pending.temporary(), std::filesystem::copy_options::overwrite_existing);
  h5::Handle file = h5::open_for_change(pending.temporary());
  rewrite(file, earlier);
  h5::flush(file);
  file.close();
  pending.commit();
  return earlier.schema;
} catch (const h5::Error& error) {
  throw unreadable_results(path, error);
} catch (const std::filesystem::filesystem_error& error) {
  throw base::FileError(path, "cannot be copied: " + error.code().message(), "is there room on that disk?",
                        base::Error::Kind::disk);
}

}  // namespace poslab::results
