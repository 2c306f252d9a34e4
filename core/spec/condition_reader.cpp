// SPDX-License-Identifier: Apache-2.0
// `when` of a skip: { heads = 16, length = { ge = 4096 }, scheme = { in = ["rope", "alibi"] } }.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "poslab/base/text.hpp"
#include "readers.hpp"
#include "value_reader.hpp"

namespace poslab::spec {
namespace {

using Relation = Condition::Relation;

class ConditionReader {
 public:
  ConditionReader(const base::ExperimentInfo& experiment, const base::Catalogue& catalogue, Report& report)
      : experiment_(experiment), catalogue_(catalogue), report_(report) {}

  void read(const Entry& entry) {
    name_ = entry.name;
    place_ = entry.place;
    if (!find_meanings()) return;
    if (const toml::table* relations = entry.node->as_table()) {
      read_relations(*relations);
    } else if (entry.node->is_array() && meanings_.front().kind != base::Kind::list) {
      report_.add(place_of(*entry.node),
                  "a condition is one value or a relation; for several values write { in = [...] }");
    } else if (auto value = read_operand(*entry.node)) {
      add(Relation::equal, {std::move(*value)});
    }
  }

  std::vector<Condition> conditions;

 private:
  void add(Relation relation, std::vector<base::Value> values) {
    conditions.push_back({name_, relation, std::move(values), place_});
  }

  // What the name may mean: parameters of one name may differ from scheme to scheme.
  bool find_meanings() {
    meanings_.clear();
    const Vocabulary vocabulary = vocabulary_of(experiment_);
    const base::AxisInfo* axis = vocabulary.find(name_);
    if (axis && axis->inner) {
      report_.add(place_, fmt::format("\"{}\" is a list that each cell takes whole; no condition can be on it", name_));
      return false;
    }
    if (axis) meanings_ = {*axis};
    if (name_ == "scheme") meanings_ = {scheme_id()};
    if (meanings_.empty())
      for (const base::SchemeInfo& scheme : catalogue_.schemes)
        if (const base::Quantity* parameter = scheme.parameter(name_)) meanings_.push_back(*parameter);
    if (meanings_.empty()) report_unknown(vocabulary);
    return !meanings_.empty();
  }

  base::Quantity scheme_id() const {
    base::Quantity quantity;
    quantity.name = "scheme";
    quantity.kind = base::Kind::choice;
    for (const base::SchemeInfo& scheme : catalogue_.schemes) quantity.choices.push_back(scheme.id);
    return quantity;
  }

  void report_unknown(const Vocabulary& vocabulary) {
    std::vector<std::string> known = vocabulary.names();
    known.push_back("scheme");
    for (const base::SchemeInfo& scheme : catalogue_.schemes)
      for (const base::Quantity& parameter : scheme.parameters) known.push_back(parameter.name);
    report_.add(place_, fmt::format("{} is neither an axis of {} nor a parameter of a scheme{}", shown(name_),
                                    experiment_.id, base::did_you_mean(name_, known)));
  }

  void read_relations(const toml::table& relations) {
    static constexpr std::array<std::pair<const char*, Relation>, 6> words{{{"ge", Relation::greater_equal},
                                                                            {"gt", Relation::greater},
                                                                            {"le", Relation::less_equal},
                                                                            {"lt", Relation::less},
                                                                            {"ne", Relation::not_equal},
                                                                            {"in", Relation::in}}};
    if (relations.empty()) report_.add(place_of(relations), fmt::format("the condition on \"{}\" is empty", name_));
    for (const Entry& entry : in_file_order(relations)) {
      const auto word =
          std::find_if(words.begin(), words.end(), [&](const auto& known) { return known.first == entry.name; });
      if (word == words.end()) {
        report_.add(entry.place, fmt::format("{} is not a relation; the relations are ge, gt, le, lt, ne and in",
                                             shown(entry.name)));
      } else if (word->second == Relation::in) {
        read_members(*entry.node);
      } else if (word->second == Relation::not_equal) {
        if (auto value = read_operand(*entry.node)) add(Relation::not_equal, {std::move(*value)});
      } else if (auto value = read_bound(*entry.node)) {
        add(word->second, {std::move(*value)});
      }
    }
  }

  void read_members(const toml::node& node) {
    const toml::array* list = node.as_array();
    if (!list || list->empty()) {
      report_.add(place_of(node), "\"in\" needs a list of values that is not empty");
      return;
    }
    std::vector<base::Value> values;
    for (const toml::node& element : *list)
      if (auto value = read_operand(element)) values.push_back(std::move(*value));
    add(Relation::in, std::move(values));
  }

  // A value that at least one of the meanings could have.
  std::optional<base::Value> read_operand(const toml::node& node) {
    for (const base::Quantity& meaning : meanings_) {
      Report unheard("");
      if (auto value = read_value(node, meaning, unheard)) return value;
    }
    return read_value(node, meanings_.front(), report_);
  }

  std::optional<base::Value> read_bound(const toml::node& node) {
    for (const base::Quantity& meaning : meanings_) {
      if (meaning.kind != base::Kind::real && meaning.kind != base::Kind::integer) continue;
      base::Quantity number;
      number.name = name_;
      return read_value(node, number, report_);
    }
    report_.add(place_of(node),
                fmt::format("\"{}\" is no number, so it cannot be greater or less than something", name_));
    return std::nullopt;
  }

  const base::ExperimentInfo& experiment_;
  const base::Catalogue& catalogue_;
  Report& report_;
  std::string name_;
  Place place_;
  std::vector<base::Quantity> meanings_;
};

}  // namespace

std::vector<Condition> read_conditions(const toml::table& when, const base::ExperimentInfo& experiment,
                                       const base::Catalogue& catalogue, Report& report) {
  ConditionReader reader(experiment, catalogue, report);
  for (const Entry& entry : in_file_order(when)) reader.read(entry);
  return std::move(reader.conditions);
}

}  // namespace poslab::spec
