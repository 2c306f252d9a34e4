// SPDX-License-Identifier: Apache-2.0
// What survival says of a variant: how much of a token's position a linear probe reads off the deepest layer.
#include <fmt/format.h>

#include "survival.hpp"

namespace poslab::experiments::survival {
namespace {

constexpr double nothing = 0.02;  // r2 up to which a probe reads nothing that matters
constexpr double most = 0.5;      // r2 above: more of the variance of positions is told than is not

// A penalty shrinks coefficients by penalty over rows or more, and may hide a position by that.
bool hides(const Survival& at) { return at.penalty > nothing * static_cast<double>(at.sequences * at.length); }

// What the probe shows of the best linear one, whose r2 lies on average between the two: no probe does better on tokens
// than the one that was fitted to them, and what that one learnt of chance costs it on others.
struct Shown {
  data::MeanAndError on_others, on_fitted;
  bool is_shrunk = false;

  bool above(double share) const { return on_others.mean > share && data::differs_from(on_others, share); }
  bool below(double share) const {
    return !is_shrunk && on_fitted.mean < share && data::differs_from(on_fitted, share);
  }
};

data::Mark mark_of(const Shown& r2) {
  if (r2.above(most)) return data::Mark::yes;
  if (r2.below(nothing)) return data::Mark::no;
  return r2.above(nothing) && r2.below(most) ? data::Mark::partly : data::Mark::cannot_tell;
}

std::string doubt(const Shown& r2) {
  const double share = r2.above(nothing) ? most : nothing;
  if (r2.on_others.values < 2) return "; one repeat has no error to judge that by";
  if (r2.is_shrunk && r2.on_others.mean <= share) return "; its penalty is so large that it may hide what there is";
  if (r2.on_others.mean > share || r2.on_fitted.mean < share)
    return fmt::format("; these repeats cannot tell whether that is more than {}", share);
  return fmt::format("; R2 is {} on the sequences that it was fitted on: fitted on more it may read more than {}",
                     data::to_text(r2.on_fitted), share);
}

}  // namespace

data::AnswerColumn Survival::column() {
  return {"survives",
          "R2",
          "positions can be read linearly off the last layer; in part: less than half of their variance",
          {{"R2", "this share of their variance"}},
          true};
}

data::Answer Survival::answer(const Point& point) const {
  const Shown shown{point.mean(r2, -1), point.mean(fitted_r2, -1), hides(*this)};
  const std::string sentence = fmt::format(
      "after {:.0f} layers a linear probe reads positions with R2 {} and is {} off, where chance is {:.4g} ({} "
      "tokens, {}, {} repeat{})",
      point.coordinate<Depth>().back(), data::to_text(shown.on_others),
      data::to_text(point.mean(mean_absolute_error, -1)), point.mean(chance_error).mean, length,
      mask == AttentionMask::causal ? "causal mask" : "no mask", shown.on_others.values,
      shown.on_others.values == 1 ? "" : "s");
  const data::Mark mark = mark_of(shown);
  return {mark,
          {data::AnswerNumber::of(shown.on_others)},
          mark == data::Mark::cannot_tell ? sentence + doubt(shown) : sentence};
}

}  // namespace poslab::experiments::survival
