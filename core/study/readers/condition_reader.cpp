// SPDX-License-Identifier: Apache-2.0
// `when` of a skip: { heads = 16, length = { ge = 4096 }, scheme = { in = ["rope", "alibi"] } }.
#include <fmt/format.h>

#include "poslab/base/find_by.hpp"
#include "poslab/base/text.hpp"
#include "readers/readers.hpp"
#include "readers/value_reader.hpp"

namespace poslab::study {
namespace {

using Relation = Condition::Relation;

class ConditionReader {
 public:
  ConditionReader(const data::ExperimentInfo& experiment, const data::Catalogue& catalogue, Report& report)
      : experiment_(experiment), catalogue_(catalogue), report_(report) {}

  void read(const Entry& entry) {
    name_ = entry.name;
    location_ = entry.location;
    if (!find_meanings()) return;
    if (const toml::table* relations = entry.node->as_table()) {
      read_relations(*relations);
    } else if (entry.node->is_array() && meanings_.front().kind != data::Kind::list) {
      report_.add(location_of(*entry.node),
                  "a condition is one value or a relation; for several values write { in = [...] }");
    } else if (auto value = read_operand(*entry.node)) {
      add(Relation::equal, {std::move(*value)});
    }
  }

  std::vector<Condition> conditions;

 private:
  void add(Relation relation, std::vector<data::Value> values) {
    conditions.push_back({name_, relation, std::move(values), location_});
  }

  // What the name may mean: parameters of one name may differ from scheme to scheme.
  bool find_meanings() {
    meanings_.clear();
    const Vocabulary vocabulary = vocabulary_of(experiment_);
    const data::AxisInfo* axis = vocabulary.find(name_);
    if (axis && axis->inner) {
      report_.add(location_,
                  fmt::format("\"{}\" is a list that each cell takes whole; no condition can be on it", name_));
      return false;
    }
    if (axis) meanings_ = {*axis};
    if (name_ == "scheme") meanings_ = {scheme_id()};
    if (meanings_.empty())
      for (const data::SchemeInfo& scheme : catalogue_.schemes)
        if (const data::Quantity* parameter = scheme.parameter(name_)) meanings_.push_back(*parameter);
    if (meanings_.empty()) report_unknown(vocabulary);
    return !meanings_.empty();
  }

  data::Quantity scheme_id() const {
    data::Quantity quantity{.name = "scheme", .kind = data::Kind::choice};
    for (const data::SchemeInfo& scheme : catalogue_.schemes) quantity.choices.push_back(scheme.id);
    return quantity;
  }

  void report_unknown(const Vocabulary& vocabulary) {
    std::vector<std::string> known = vocabulary.names();
    known.push_back("scheme");
    for (const data::SchemeInfo& scheme : catalogue_.schemes)
      for (const data::Quantity& parameter : scheme.parameters) known.push_back(parameter.name);
    report_.add(location_, fmt::format("{} is neither an axis of {} nor a parameter of a scheme{}", shown(name_),
                                       experiment_.id, base::did_you_mean(name_, known)));
  }

  void read_relations(const toml::table& relations) {
    if (relations.empty()) report_.add(location_of(relations), fmt::format("the condition on \"{}\" is empty", name_));
    for (const Entry& entry : in_file_order(relations)) {
      const RelationWord* known = base::find_by(relation_words, &RelationWord::word, entry.name);
      if (!known) {
        report_.add(entry.location, fmt::format("{} is not a relation; the relations are ge, gt, le, lt, ne and in",
                                                shown(entry.name)));
      } else if (known->relation == Relation::in) {
        read_members(*entry.node);
      } else if (known->relation == Relation::not_equal) {
        if (auto value = read_operand(*entry.node)) add(Relation::not_equal, {std::move(*value)});
      } else if (auto value = read_bound(*entry.node)) {
        add(known->relation, {std::move(*value)});
      }
    }
  }

  void read_members(const toml::node& node) {
    const toml::array* list = node.as_array();
    if (!list || list->empty()) {
      report_.add(location_of(node), "\"in\" needs a list of values that is not empty");
      return;
    }
    std::vector<data::Value> values;
    for (const toml::node& element : *list)
      if (auto value = read_operand(element)) values.push_back(std::move(*value));
    add(Relation::in, std::move(values));
  }

  // A value that at least one of the meanings could have.
  std::optional<data::Value> read_operand(const toml::node& node) {
    for (const data::Quantity& meaning : meanings_) {
      Report discarded("");
      if (auto value = read_value(node, meaning, discarded)) return value;
    }
    return read_value(node, meanings_.front(), report_);
  }

  std::optional<data::Value> read_bound(const toml::node& node) {
    for (const data::Quantity& meaning : meanings_)
      if (meaning.kind == data::Kind::real || meaning.kind == data::Kind::integer)
        return read_value(node, {.name = name_}, report_);
    report_.add(location_of(node),
                fmt::format("\"{}\" is no number, so it cannot be greater or less than something", name_));
    return std::nullopt;
  }

  const data::ExperimentInfo& experiment_;
  const data::Catalogue& catalogue_;
  Report& report_;
  std::string name_;
  SourceLocation location_;
  std::vector<data::Quantity> meanings_;
};

}  // namespace

std::vector<Condition> read_conditions(const toml::table& when, const data::ExperimentInfo& experiment,
                                       const data::Catalogue& catalogue, Report& report) {
  ConditionReader reader(experiment, catalogue, report);
  for (const Entry& entry : in_file_order(when)) reader.read(entry);
  return std::move(reader.conditions);
}

}  // namespace poslab::study
