// SPDX-License-Identifier: Apache-2.0
// `positions` of [model], or of one [[scheme]]: the positions of the tokens of every sequence.
#include <fmt/format.h>

#include "poslab/base/text.hpp"
#include "poslab/data/length_axes.hpp"
#include "readers/readers.hpp"
#include "readers/value_reader.hpp"

namespace poslab::study {
namespace {

using data::Placement;
using Policy = data::Placement::Policy;

constexpr double farthest = 1 << 20;  // as far as a position may be moved, or drawn from, or a grid may have cells
constexpr const char* forms =
    "{ policy = \"plain\" }, { policy = \"shifted\", by = 500 }, { policy = \"randomised\", range = 2048 }, "
    "{ grid = [16, 16] } or { at = [0, 0.7, 1.9] }";

data::Quantity whole(const std::string& name, double lowest) {
  return {.name = name, .kind = data::Kind::integer, .range = {lowest, farthest}};
}

/// Reads one `positions` table; every mistake is reported.
class PlacementReader {
 public:
  PlacementReader(const toml::table& table, Report& report)
      : reader_(table, location_of(table), "positions", report), report_(report) {}

  Placement read() {
    const toml::node *policy = reader_.find("policy"), *by = reader_.find("by"), *range = reader_.find("range"),
                     *grid = reader_.find("grid"), *at = reader_.find("at");
    const std::size_t before = report_.count();
    reader_.refuse_others();
    const int given = (policy != nullptr) + (grid != nullptr) + (at != nullptr);
    if (given == 0 && report_.count() == before)
      report_.add(reader_.location(), fmt::format("positions needs policy, grid or at: write {}", forms));
    if (given > 1) report_.add(reader_.location(), "positions takes one of policy, grid and at, not several");
    if (policy) read_policy(*policy);
    read_number("by", by, 0, "shifted", Policy::shifted, placement_.by);
    read_number("range", range, 1, "randomised", Policy::randomised, placement_.range);
    if (grid) read_grid(*grid);
    if (at) read_at(*at);
    return placement_;
  }

 private:
  void read_policy(const toml::node& node) {
    const auto value = read_value(
        node, {.name = "policy", .kind = data::Kind::choice, .choices = {"plain", "shifted", "randomised"}}, report_);
    known_ = value.has_value();
    if (!value) return;
    const std::string& word = std::get<std::string>(*value);
    placement_.policy = word == "shifted" ? Policy::shifted : word == "randomised" ? Policy::randomised : Policy::plain;
  }

  // A number that one policy needs and no other takes.
  void read_number(const char* name, const toml::node* node, double lowest, const char* policy, Policy its,
                   std::int64_t& out) {
    const bool wanted = known_ && placement_.policy == its;
    if (wanted && !node) report_.add(reader_.location(), fmt::format("policy = \"{}\" needs \"{}\"", policy, name));
    if (!node) return;
    if (!wanted && known_)
      report_.add(location_of(*node), fmt::format("\"{}\" belongs to policy = \"{}\"", name, policy));
    if (const auto value = read_value(*node, whole(name, lowest), report_)) out = std::get<std::int64_t>(*value);
  }

  void read_grid(const toml::node& node) {
    const toml::array* list = node.as_array();
    if (!list || list->size() < 2 || list->size() > 3) {
      report_.add(location_of(node),
                  "\"grid\" must be a list of 2 or 3 extents: rows and columns, or frames, rows, columns");
      return;
    }
    double cells = 1;
    const std::size_t before = report_.count();
    for (const toml::node& element : *list)
      if (const auto value = read_value(element, whole("grid", 1), report_)) {
        placement_.extents.push_back(std::get<std::int64_t>(*value));
        cells *= static_cast<double>(placement_.extents.back());
      }
    if (report_.count() == before && cells > farthest)
      report_.add(location_of(node),
                  fmt::format("\"grid\" has {:.0f} cells, but at most {:.0f} are taken", cells, farthest));
    placement_.policy = Policy::grid;
  }

  void read_at(const toml::node& node) {
    const data::Range range{-largest_exact_integer, largest_exact_integer};  // positions are counted, too
    const auto value = read_value(node, {.name = "at", .kind = data::Kind::list, .range = range}, report_);
    if (!value) return;
    placement_.policy = Policy::at;
    placement_.values = std::get<std::vector<double>>(*value);
    if (placement_.values.empty()) report_.add(location_of(node), "\"at\" is an empty list");
    for (std::size_t i = 1; i < placement_.values.size(); ++i)
      if (!(placement_.values[i] > placement_.values[i - 1]))
        return report_.add(location_of(*node.as_array()->get(i)),
                           fmt::format("\"at\" must rise, but {} comes after {}", base::shortest(placement_.values[i]),
                                       base::shortest(placement_.values[i - 1])));
  }

  TableReader reader_;
  Report& report_;
  Placement placement_;
  bool known_ = true;  // whether the policy is what the study wants
};

}  // namespace

std::optional<Placement> read_placement(TableReader& table, Report& report) {
  const toml::node* node = table.find("positions");
  if (!node) return std::nullopt;
  const toml::table* positions = node->as_table();
  if (!positions) {
    report.add(location_of(*node), fmt::format("\"positions\" is {}, but must be a table: {}", kind_of(*node), forms));
    return std::nullopt;
  }
  const std::size_t before = report.count();
  const Placement placement = PlacementReader(*positions, report).read();
  return report.count() == before ? std::optional(placement) : std::nullopt;
}

std::optional<base::Refusal> why_not_length(const std::string& axis, const data::Placement& placement,
                                            const data::Value& length, PlacementOf whose) {
  const auto count = placement.count();
  if (!data::is_length(axis)) return std::nullopt;
  if (!count || data::number(length, axis) == static_cast<double>(*count)) return std::nullopt;
  const std::string remedy = whose == PlacementOf::study ? fmt::format("leave \"{}\" out", axis)
                                                         : fmt::format("give \"{}\" the value {}, too", axis, *count);
  return fmt::format("\"{}\" is {}, but positions = {} are {} positions; {}", axis, data::to_text(length),
                     placement.text(), *count, remedy);
}

}  // namespace poslab::study
