// SPDX-License-Identifier: Apache-2.0
// What cache-consistency says of a variant: may a decoder keep its keys?
#include <fmt/format.h>

#include <algorithm>

#include "poslab/experiment/answer_text.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "poslab/experiment/nearly.hpp"

namespace poslab::experiments::cache_consistency {
namespace {

constexpr double certainly_no_rounding = 10;  // times the tolerance

// The shorter context at which the mean over repeats is largest.
struct Worst {
  double tokens = 0;
  data::MeanAndError value;
  int at = 0;  // its index among the shares
};

double tokens_of(const Point& point, double share) {
  return std::max(1.0, whole_share(share, point.axes.real("length")));
}

Worst worst_of(const Point& point, const std::string& measure) {
  const std::vector<double>& shares = point.repeats.front()->coordinate_of("cached")->values;
  Worst worst;
  for (int i = 0; i < static_cast<int>(shares.size()); ++i) {
    const data::MeanAndError at = point.mean(measure, i);
    if (i == 0 || at.mean > worst.value.mean) worst = {tokens_of(point, shares[static_cast<std::size_t>(i)]), at, i};
  }
  return worst;
}

// Whether no context was looked at that had more when it began to grow.
bool knows_one_token(const Point& point) { return tokens_of(point, rising(point.axes.list("cached")).back()) == 1; }

std::string contexts(const Point& point, const Worst& worst) {
  return fmt::format("a context of {:g} token{} grows to {}", worst.tokens, worst.tokens == 1 ? "" : "s",
                     point.axes.integer("length"));
}

data::Answer keys_change(const Point& point, const std::string& where) {
  const Worst worst = worst_of(point, "cached_error");
  return {
      data::Mark::no,
      {data::AnswerNumber::of(worst.value)},
      fmt::format("a logit of a new query changes by {} sd if its key comes from the cache when {}, and {:.2g} of "
                  "the attention goes elsewhere; with all keys made again, old logits change by {:.2g} sd at most{}",
                  data::to_text(worst.value), contexts(point, worst), point.mean("attention_moved", worst.at).mean,
                  point.largest("past_error"), where)};
}

std::string what_keys_do(const Point& point, double allowed) {
  const double cached = point.largest("cached_error");
  if (cached > allowed)
    return fmt::format("with cached keys logits of new queries change by {:.2g} sd, which may be rounding", cached);
  return knows_one_token(point) ? "the one cached key serves new queries" : "cached keys serve new queries";
}

data::Answer old_logits_change(const Point& point, double allowed, const std::string& where) {
  const Worst worst = worst_of(point, "past_error");
  return {data::Mark::partly,
          {data::AnswerNumber::of(worst.value)},
          fmt::format("{}, but logits of old queries, which later layers are made from, change by {} sd when {}{}",
                      what_keys_do(point, allowed), data::to_text(worst.value), contexts(point, worst), where)};
}

data::Answer nearly(double change, const std::string& where) {
  return {data::Mark::partly,
          {holds_to(change)},
          fmt::format("not exactly, but no logit changes by more than {:.1g} sd when the context grows, of which "
                      "float32 sees nothing{}",
                      change, where)};
}

}  // namespace

data::AnswerColumn column() {
  return {"cache", "sd", "keys cached in a shorter context serve a longer one; no: the largest change of a logit"};
}

data::Answer answer(const Point& point) {
  const double length = point.axes.real("length");
  const double cached = point.largest("cached_error"), past = point.largest("past_error");
  const double allowed = point.allowed("cached_error", length - 1, length);
  const std::string where = answer_text::where(point);
  const double most = std::max(cached, past);
  if (most > certainly_no_rounding * allowed && most <= hardly) return nearly(most, where);
  if (cached > certainly_no_rounding * allowed) return keys_change(point, where);
  if (past > certainly_no_rounding * allowed) return old_logits_change(point, allowed, where);
  if (most > allowed)
    return {data::Mark::cannot_tell,
            {},
            fmt::format("logits change by {:.2g} sd when the context grows, which may be rounding{}", most, where)};
  // Many schemes do nothing to the first token, in whatever context.
  if (knows_one_token(point))
    return {data::Mark::cannot_tell,
            {},
            fmt::format("no logit changes when the context grows, but only one token was there before, whose key many "
                        "schemes leave as it is{}",
                        where)};
  return {data::Mark::yes,
          {},
          fmt::format("no logit changes by more than {:.2g} sd when the context grows, with cached keys or without{}",
                      most, where)};
}

}  // namespace poslab::experiments::cache_consistency
