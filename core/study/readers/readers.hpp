// SPDX-License-Identifier: Apache-2.0
// The readers of a study's parts. Each reports every mistake it finds and leaves out what cannot be used.
#pragma once

#include <map>
#include <set>
#include <string>

#include "poslab/base/refusal.hpp"

#include "readers/axes_reader.hpp"

namespace poslab::study {

/// The parts of a study that had mistakes: what follows from those is not reported again.
struct FaultyParts {
  bool model = false;
  std::set<std::string> schemes, experiments;  ///< ids as written
};

/// A study in the making.
struct Draft {
  data::Catalogue catalogue;  ///< to which the study's mixed schemes are added as they are read
  Report& report;
  Study study;
  FaultyParts faulty;
};

void read_model(TableReader& root, Draft& draft);
/// `positions` of [model] or of a [[scheme]]; nothing if it is not there, or wrong and reported.
std::optional<data::Placement> read_placement(TableReader& table, Report& report);
void read_scheme(const toml::table& table, Draft& draft);
/// `layers` of a [[scheme]].
void read_mixed_scheme(const toml::table& table, Draft& draft);
/// What a study calls the variants of a [[scheme]]; empty: it leaves that to us, or made a mistake. `id`: the scheme,
/// whose own name it may be; empty where that is wrong.
std::string read_label(TableReader& table, const std::string& id, const data::Catalogue& catalogue);
/// `set`: one value for each parameter that it names, in declared order. Notes them in `taken`.
data::Values read_set(TableReader& table, const Vocabulary& vocabulary, std::map<std::string, Taken>& taken);
/// Reports the parameters that a study has to give, in `where`, and that are not taken.
void require_parameters(const Vocabulary& vocabulary, const std::map<std::string, Taken>& taken, const char* where,
                        SourceLocation location, Report& report);
void read_experiment(const toml::table& table, Draft& draft);
void read_expectation(const toml::table& table, Draft& draft);
void read_out_of_reach(const toml::table& table, Draft& draft);

/// Whether a study has to give this: there is no default and it cannot be left unset.
bool must_be_given(const data::AxisInfo& axis);

/// Why a sequence with this placement cannot have the length that a value of this axis gives it; nothing if it can, or
/// if the axis is no length. Positions that are the whole study's leave an axis nothing to say; those of one scheme are
/// asked for among others.
enum class PlacementOf { study, scheme };
std::optional<base::Refusal> why_not_length(const std::string& axis, const data::Placement& placement,
                                            const data::Value& length, PlacementOf whose = PlacementOf::study);

/// The conditions of `when`: all must hold.
std::vector<Condition> read_conditions(const toml::table& when, const data::ExperimentInfo& experiment,
                                       const data::Catalogue& catalogue, Report& report);

/// Whether what `use` says is a Python file, and which, as seen from the study's folder.
bool is_file(const std::string& use);
std::filesystem::path file_of(const std::string& use, const std::string& study);
/// What `use` says of a scheme: its id, or that of a Python file's; as it is where the file offers none.
std::string id_of(const std::string& use, const Draft& draft);
/// The scheme of this id that a plugin has; null: none, or it is a mixed one.
const data::SchemeInfo* plugin_of(const std::string& id, const data::Catalogue& catalogue);
/// The sentence for an id that no scheme or no experiment has.
std::string no_such_scheme(const std::string& id, const data::Catalogue& catalogue);
std::string no_such_experiment(const std::string& id, const data::Catalogue& catalogue);

}  // namespace poslab::study
