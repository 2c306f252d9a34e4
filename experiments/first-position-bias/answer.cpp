// SPDX-License-Identifier: Apache-2.0
// What first-position-bias says of a variant: by which factor it changes the share of position 0 at the greatest depth,
// against no positions on the same draws.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "poslab/experiments/experiment.hpp"

namespace poslab::experiments::first_position_bias {
namespace {

using data::MeanAndError;

constexpr double equal = 1e-9;              // nat: excesses below are rounding
const double largest_size = std::log(1e3);  // nat: beyond, a factor is told by its logarithm
constexpr double nothing = 700;             // nat: what is divided by e^708 has no normal double any more

// exp of a mean with its error, to first order: the error of exp(x) is exp(x) times that of x.
MeanAndError factor_of(const MeanAndError& log) {
  return {log.values, std::exp(log.mean), std::exp(log.mean) * log.error};
}

// As many digits as the error leaves, three at most, two below 0.1; an error that they do not show is left out.
std::string number_of(const MeanAndError& factor) {
  const int size = static_cast<int>(std::floor(std::log10(factor.mean))), digits = factor.mean < 0.1 ? 2 : 3;
  const int of_mean = std::max(0, digits - 1 - size);
  if (!(factor.error > 0)) return fmt::format("x {:.{}f}", factor.mean, of_mean);
  const int of_error = std::max(0, -static_cast<int>(std::floor(std::log10(factor.error))));
  const int decimals = std::min(of_mean, of_error);
  const std::string error = fmt::format("{:.{}f}", factor.error, decimals);
  const bool shows = error.find_first_not_of("0.") != std::string::npos;
  const std::string mean = fmt::format("x {:.{}f}", factor.mean, decimals);
  if (!shows) return mean;
  return mean.size() + error.size() > 10 ? mean + "±" + error : mean + " ± " + error;  // 13 characters at most
}

// exp of a mean so large or small that only the exponent, with its error, says anything.
std::string power_of(const MeanAndError& log, const char* between) {
  if (!(log.error > 0)) return fmt::format("e^{:.3g}", log.mean);
  const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(log.error))));
  return fmt::format("e^{:.{}f}{}{:.{}f}", log.mean, std::min(1, decimals), between, log.error, std::min(1, decimals));
}

// Under which conditions.
std::string conditions(const Point& point, double depth) {
  const data::Value* dtype = point.axes.find("dtype");
  return fmt::format("{:.0f} layers of {:.0f} positions{}, {} repeat{}{}{}", depth, point.axes.real("length"),
                     point.axes.flag("residual") ? " with residual paths" : "", point.repeats.size(),
                     point.repeats.size() == 1 ? "" : "s", dtype ? ", " : "", dtype ? point.axes.text("dtype") : "");
}

// "0.0039 to 0.5 nat a position, by head", or empty without any.
std::string of_decay(const Point& point) {
  const double least = point.smallest("decay"), most = point.largest("decay");
  if (!(std::abs(most - least) > equal)) return fmt::format("{:.3g} nat a position in every head", most);
  return fmt::format("{:.3g} to {:.3g} nat a position, by head", least, most);
}

// The head that decays least decides.
std::string number_of_decay(double least) {
  return least < nothing ? fmt::format("-{:.2g}/pos", least) : fmt::format("x < e^-{}", nothing);
}

data::Answer decaying(const Point& point, const MeanAndError& excess, const std::string& where) {
  return {data::Mark::no, number_of_decay(point.smallest("decay")),
          fmt::format("position 0 gets e^{:.0f} of its share without positions ({}): logits fall with distance by {}",
                      excess.mean, where, of_decay(point))};
}

// In how many repeats next to nothing is left, which may be less than float64 can hold: a logarithm of -infinity.
std::size_t vanishing_repeats(const Point& point, const std::string& measure) {
  std::size_t count = 0;
  for (const std::vector<double>* excess : point.values(measure)) count += excess->back() < -nothing;
  return count;
}

data::Answer vanishing(const Point& point, std::size_t vanishing, const std::string& where) {
  const std::size_t repeats = point.repeats.size();
  const bool all = vanishing == repeats, decays = point.smallest("decay") > 0;
  const std::string sentence =
      fmt::format("position 0's share vanishes{}: less than e^-{} of that without positions ({}){}",
                  all ? "" : fmt::format(" in {} of {} repeats", vanishing, repeats), nothing, where,
                  decays ? fmt::format(": logits fall with distance by {}", of_decay(point)) : "");
  if (decays) return {data::Mark::no, number_of_decay(point.smallest("decay")), sentence};
  if (all && repeats > 1) return {data::Mark::no, fmt::format("x < e^-{}", nothing), sentence};
  return {data::Mark::cannot_tell, "", sentence};
}

}  // namespace

data::AnswerColumn column() {
  return {"first", "", "factor on position 0's share; in the last context, more or less than without positions"};
}

data::Answer answer(const Point& point) {
  const bool residual = point.axes.flag("residual");
  const char* const measure = residual ? "residual_context_share_log_excess" : "context_share_log_excess";
  const std::vector<double>& depths = point.repeats.front()->coordinate_of("depth")->values;
  const std::string where = conditions(point, depths.back());
  const MeanAndError excess = point.mean(measure, -1);
  if (excess.values == 0 || std::isnan(excess.mean))
    return {data::Mark::cannot_tell, "", fmt::format("position 0 gets nothing that can be compared ({})", where)};
  if (const std::size_t repeats = vanishing_repeats(point, measure)) return vanishing(point, repeats, where);
  if (std::abs(excess.mean) < equal && excess.error < equal)
    return {data::Mark::none, "x 1", fmt::format("position 0 gets what it gets without positions ({})", where)};
  if (excess.mean < -largest_size && point.smallest("decay") > 0) return decaying(point, excess, where);

  const bool is_large = std::abs(excess.mean) > largest_size;
  const std::string number = is_large ? "x " + power_of(excess, "±") : number_of(factor_of(excess));
  const std::string sentence = fmt::format("the scheme multiplies position 0's share of the last context by {}",
                                           is_large ? power_of(excess, " ± ") : data::to_text(factor_of(excess)));
  // Nothing was drawn that changes it.
  const bool exact = point.axes.real("query_gain") == 0 && !point.untrained && excess.error == 0;
  if (!exact && excess.values == 1)
    return {data::Mark::cannot_tell, number,
            fmt::format("{} ({}): one repeat has no error, and cannot tell this from 1", sentence, where)};
  if (!exact && !data::differs_from(excess, 0))
    return {data::Mark::cannot_tell, number,
            fmt::format("{}, which {} repeats cannot tell from 1 ({})", sentence, excess.values, where)};
  return {excess.mean > 0 ? data::Mark::yes : data::Mark::no, number, fmt::format("{} ({})", sentence, where)};
}

}  // namespace poslab::experiments::first_position_bias
