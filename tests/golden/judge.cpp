// SPDX-License-Identifier: Apache-2.0
#include "judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "poslab/base/error.hpp"

namespace poslab::golden {
namespace {

// Bands of the catalogue (section 8): float64 against float64, float32 against anything, float32 with angles above
// 1000 rad.
constexpr double double_band = 1e-12, single_band = 2e-6, single_band_far = 1e-5, far = 1000;

double apart(double ours, double theirs) {
  if (ours == theirs) return 0;  // both -infinity, too
  const double difference = std::abs(ours - theirs);
  return std::isfinite(difference) ? difference : std::numeric_limits<double>::infinity();
}

// Worst agreement over the outputs of one case, per pair of precisions.
struct Tally {
  double double_to_ref = -1, double_to_peer = -1, single = -1;
  std::string failures;

  void note(double& worst, const Distance& found, double band, const std::string& what) {
    worst = std::max(worst, found.largest);
    if (!found.problem.empty())
      failures += fmt::format("; {}: {}", what, found.problem);
    else if (!(found.largest <= band))
      failures += fmt::format("; {} differs by {:.2e}, allowed {:.0e}", what, found.largest, band);
  }
  std::string text() const {
    std::string out;
    if (double_to_ref >= 0) out += fmt::format(", f64 to ref64 {:.1e}", double_to_ref);
    if (double_to_peer >= 0) out += fmt::format(", f64 to source {:.1e}", double_to_peer);
    if (single >= 0) out += fmt::format(", f32 {:.1e}", single);
    return out;
  }
};

// Their numbers as the rule's "theirs" says: as they are, their logarithms, or the products of the rows of two of them.
Dataset as_compared(const Datasets& group, const Dataset& dataset, const Json& how) {
  if (!how.contains("theirs")) return dataset;
  Dataset out = dataset;
  if (how["theirs"] == "log") {
    for (double& x : out.numbers) x = std::log(x);
    return out;
  }
  const auto rows = [&](int which) -> const Dataset& { return group.at(how["theirs"].at(which).get<std::string>()); };
  const Index H = rows(0).shape.at(0), Na = rows(0).shape.at(1), Nb = rows(1).shape.at(1), K = rows(0).shape.at(2);
  out.shape = {H, Na, Nb};
  out.numbers.clear();
  for (Index h = 0; h < H; ++h)
    for (Index i = 0; i < Na; ++i)
      for (Index j = 0; j < Nb; ++j) {
        const double* const a = rows(0).numbers.data() + (h * Na + i) * K;
        out.numbers.push_back(std::inner_product(a, a + K, rows(1).numbers.data() + (h * Nb + j) * K, 0.0));
      }
  return out;
}

void compare_output(const GoldenRun& run, const Facts& facts, const std::string& name, const Json& how, Tally& tally) {
  const Case& golden = facts.golden();
  const Dataset peer = as_compared(golden.outputs, golden.outputs.at(name), how);
  const auto ref = golden.ref64.find(name);
  const bool peer_is_single = golden.computed_in.find("float32") != std::string::npos;
  const double single = run.largest_position() > far ? single_band_far : single_band;
  const double of_double = how.value("double_band", double_band);
  const auto band = [&](double b) { return peer.integer ? 0 : b; };

  const Numbers in_double = run.produce<double>(name), in_single = run.produce<float>(name);
  tally.note(tally.double_to_peer, distance(facts, in_double, peer, how), band(peer_is_single ? single : of_double),
             name + " (f64)");
  tally.note(tally.single, distance(facts, in_single, peer, how), band(single), name + " (f32)");
  if (ref == golden.ref64.end()) return;
  const Dataset exact = as_compared(golden.ref64, ref->second, how);
  tally.note(tally.double_to_ref, distance(facts, in_double, exact, how), band(of_double), name + " (f64 to ref64)");
  tally.note(tally.single, distance(facts, in_single, exact, how), band(single), name + " (f32 to ref64)");
}

Result judged(const Facts& facts, const Json& rule, const std::shared_ptr<const host::Plugin>& plugin) {
  const GoldenRun run(facts, rule, plugin);
  Tally tally;
  std::string left_out;
  for (const auto& [name, dataset] : facts.golden().outputs) {
    const Json& how = member(member(rule, "outputs"), name.c_str());
    if (how.is_null()) throw Unknown("the table does not say what the output \"" + name + "\" is");
    if (how.contains("cannot"))
      left_out += fmt::format("; without {}: {}", name, how["cannot"].get<std::string>());
    else
      compare_output(run, facts, name, how, tally);
  }
  facts.require_all_used();
  if (!tally.failures.empty()) return {Fate::differed, tally.failures.substr(2)};
  if (tally.single < 0) return {Fate::cannot_be_expressed, left_out.substr(2)};
  return {Fate::agreed, facts.golden().source + tally.text() + left_out};
}

}  // namespace

Distance distance(const Facts& facts, const Numbers& ours, const Dataset& theirs, const Json& how) {
  const bool same_shape = how.value("reshaped", false) || without_ones(ours.shape) == without_ones(theirs.shape);
  if (!same_shape || ours.numbers.size() != theirs.numbers.size()) return {0, "the shapes differ"};
  const bool lower = how.value("triangle", "") == "lower", up_to_constant = how.value("row_constant", false);
  const double factor = how.contains("factor") ? facts.number(how["factor"]) : 1;
  const Index left_out = how.contains("leave_out_row") ? static_cast<Index>(facts.number(how["leave_out_row"])) : -1;
  const Index columns = theirs.shape.empty() ? 1 : theirs.shape.back();
  const Index rows = theirs.shape.size() < 2 ? 1 : theirs.shape[theirs.shape.size() - 2];
  Distance found;
  for (std::size_t at = 0; at < ours.numbers.size(); ++at) {
    const auto number = static_cast<Index>(at), column = number % columns, row = number / columns % rows;
    if ((lower && column > row) || row == left_out) continue;
    const std::size_t first = at - static_cast<std::size_t>(column);
    const double our_constant = up_to_constant ? ours.numbers[first] : 0,
                 their_constant = up_to_constant ? theirs.numbers[first] : 0;
    found.largest =
        std::max(found.largest, apart(factor * (ours.numbers[at] - our_constant), theirs.numbers[at] - their_constant));
  }
  return found;
}

Result examine(const Case& golden, const Table& table, const host::Library& library) {
  const Facts facts(golden);
  bool may_be_missing = false;  // the rule asks for a feature that its plugin may not have yet
  try {
    const Json& rule = table.rule_for(facts);
    if (rule.contains("cannot")) return {Fate::cannot_be_expressed, rule["cannot"].get<std::string>()};
    const auto id = rule.at("scheme").get<std::string>();
    const data::SchemeInfo* offered = library.find(id);
    if (!offered) return {Fate::not_offered, "no plugin offers \"" + id + "\""};
    if (!rule.contains("outputs"))
      throw Unknown("\"" + id + "\" is offered now, but the table does not say how to run it");
    may_be_missing = rule.contains("not_yet");
    return judged(facts, rule, host::Plugin::open(offered->file));
  } catch (const Unknown& unknown) {
    return {Fate::unknown, unknown.what()};
  } catch (const base::Error& error) {
    return {may_be_missing ? Fate::not_offered : Fate::differed, error.what()};
  }
}

}  // namespace poslab::golden
