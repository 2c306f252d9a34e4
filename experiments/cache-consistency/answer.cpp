// SPDX-License-Identifier: Apache-2.0
// What cache-consistency says of a variant: may a decoder keep its keys?
#include <fmt/format.h>

#include <algorithm>

#include "cache-consistency.hpp"
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

Worst worst_of(const CacheConsistency& asked, const Point& point, const Measure<Cached>& measure) {
  const std::vector<double>& shares = point.coordinate<Cached>();
  Worst worst;
  for (int i = 0; i < static_cast<int>(shares.size()); ++i) {
    const data::MeanAndError at = point.mean(measure, i);
    if (i == 0 || at.mean > worst.value.mean)
      worst = {static_cast<double>(asked.tokens_of(shares[static_cast<std::size_t>(i)])), at, i};
  }
  return worst;
}

// Whether no context was looked at that had more when it began to grow.
bool knows_one_token(const CacheConsistency& at) { return at.tokens_of(rising(at.cached).back()) == 1; }

std::string contexts(const CacheConsistency& at, const Worst& worst) {
  return fmt::format("a context of {:g} token{} grows to {}", worst.tokens, worst.tokens == 1 ? "" : "s", at.length);
}

data::Answer keys_change(const CacheConsistency& at, const Point& point, const std::string& where) {
  const Worst worst = worst_of(at, point, CacheConsistency::cached_error);
  return {
      data::Mark::no,
      {data::AnswerNumber::of(worst.value)},
      fmt::format("a logit of a new query changes by {} sd if its key comes from the cache when {}, and {:.2g} of "
                  "the attention goes elsewhere; with all keys made again, old logits change by {:.2g} sd at most{}",
                  data::to_text(worst.value), contexts(at, worst),
                  point.mean(CacheConsistency::attention_moved, worst.at).mean,
                  point.largest(CacheConsistency::past_error), where)};
}

std::string what_keys_do(const CacheConsistency& at, const Point& point, double allowed) {
  const double cached = point.largest(CacheConsistency::cached_error);
  if (cached > allowed)
    return fmt::format("with cached keys logits of new queries change by {:.2g} sd, which may be rounding", cached);
  return knows_one_token(at) ? "the one cached key serves new queries" : "cached keys serve new queries";
}

data::Answer old_logits_change(const CacheConsistency& at, const Point& point, double allowed,
                               const std::string& where) {
  const Worst worst = worst_of(at, point, CacheConsistency::past_error);
  return {data::Mark::partly,
          {data::AnswerNumber::of(worst.value)},
          fmt::format("{}, but logits of old queries, which later layers are made from, change by {} sd when {}{}",
                      what_keys_do(at, point, allowed), data::to_text(worst.value), contexts(at, worst), where)};
}

data::Answer nearly(double change, const std::string& where) {
  return {data::Mark::partly,
          {holds_to(change)},
          fmt::format("not exactly, but no logit changes by more than {:.1g} sd when the context grows, of which "
                      "float32 sees nothing{}",
                      change, where)};
}

}  // namespace

data::AnswerColumn CacheConsistency::column() {
  return {"cache", "sd", "keys cached in a shorter context serve a longer one; no: the largest change of a logit"};
}

data::Answer CacheConsistency::answer(const Point& point) const {
  const double of_new = point.largest(cached_error), of_old = point.largest(past_error),
               N = static_cast<double>(length);
  const double allowed = point.allowed(cached_error, N - 1, N);
  const std::string where =
      fmt::format(", told that it was trained on {} tokens{}", train_length, answer_text::where(point));
  const double most = std::max(of_new, of_old);
  if (most > certainly_no_rounding * allowed && most <= hardly) return nearly(most, where);
  if (of_new > certainly_no_rounding * allowed) return keys_change(*this, point, where);
  if (of_old > certainly_no_rounding * allowed) return old_logits_change(*this, point, allowed, where);
  if (most > allowed)
    return {data::Mark::cannot_tell,
            {},
            fmt::format("logits change by {:.2g} sd when the context grows, which may be rounding{}", most, where)};
  // Many schemes do nothing to the first token, in whatever context.
  if (knows_one_token(*this))
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
