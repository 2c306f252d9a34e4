// SPDX-License-Identifier: Apache-2.0
// What cache-consistency says of a variant: may a decoder keep its keys?
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cache-consistency.hpp"
#include "poslab/base/text.hpp"
#include "poslab/experiment/answer_text.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "poslab/experiment/nearly.hpp"

namespace poslab::experiments::cache_consistency {
namespace {

using base::Index;

// A shorter context, over the repeats.
struct Shorter {
  Index tokens = 0;
  data::MeanAndError cached, past, moved;  // of new queries, of old ones, of attention
};

// All that were looked at, rising, each once.
std::vector<Shorter> contexts_of(const CacheConsistency& asked, const Point& point) {
  using C = CacheConsistency;
  std::vector<Shorter> all;
  const auto add = [&](Index tokens, std::size_t i, const auto& cached, const auto& past, const auto& moved) {
    const int element = static_cast<int>(i);
    all.push_back({tokens, point.mean(cached, element), point.mean(past, element), point.mean(moved, element)});
  };
  const std::vector<double>& shares = point.coordinate<Cached>();
  for (std::size_t i = 0; i < shares.size(); ++i)
    add(asked.tokens_of(shares[i]), i, C::cached_error, C::past_error, C::attention_moved);
  const std::vector<double>& odd = point.coordinate<OddCached>();
  for (std::size_t i = 0; i < odd.size(); ++i)
    add(static_cast<Index>(odd[i]), i, C::odd_cached_error, C::odd_past_error, C::odd_attention_moved);
  std::stable_sort(all.begin(), all.end(), [](const Shorter& a, const Shorter& b) { return a.tokens < b.tokens; });
  const auto same = [](const Shorter& a, const Shorter& b) { return a.tokens == b.tokens; };
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  return all;
}

// The first at which the mean over repeats is largest.
const Shorter& worst_of(const std::vector<Shorter>& contexts, data::MeanAndError Shorter::*change) {
  return *std::max_element(contexts.begin(), contexts.end(),
                           [&](const Shorter& a, const Shorter& b) { return (a.*change).mean < (b.*change).mean; });
}

struct Seen {
  std::vector<Shorter> contexts;
  Index length;         // to which they grow
  double cached, past;  // largest change of a new query's logit, and of an old one's
  double allowed;
  std::string where;

  // Whether no context had more when it began to grow.
  bool knows_one_token() const { return contexts.back().tokens == 1; }
  std::string growth(const Shorter& from) const {
    return fmt::format("a context of {} token{} grows to {}", from.tokens, from.tokens == 1 ? "" : "s", length);
  }
  // "tested with 25, 49, 50 and 99 tokens that become 100"
  std::string tested() const {
    std::vector<std::string> tokens;
    for (const Shorter& context : contexts) tokens.push_back(fmt::format("{}", context.tokens));
    return fmt::format("tested with {} token{} that become {}", base::enumerate(tokens),
                       contexts.back().tokens == 1 ? "" : "s", length);
  }
};

data::Answer keys_change(const Seen& seen) {
  const Shorter& worst = worst_of(seen.contexts, &Shorter::cached);
  return {
      data::Mark::no,
      {data::AnswerNumber::of(worst.cached)},
      fmt::format("a logit of a new query changes by {} sd if its key comes from the cache when {}, and {:.2g} of "
                  "the attention goes elsewhere; with all keys made again, old logits change by {:.2g} sd at most{}",
                  data::to_text(worst.cached), seen.growth(worst), worst.moved.mean, seen.past, seen.where)};
}

std::string what_keys_do(const Seen& seen) {
  if (seen.cached > seen.allowed)
    return fmt::format("with cached keys logits of new queries change by {:.2g} sd, which may be rounding",
                       seen.cached);
  return seen.knows_one_token() ? "the one cached key serves new queries" : "cached keys serve new queries";
}

data::Answer old_logits_change(const Seen& seen) {
  const Shorter& worst = worst_of(seen.contexts, &Shorter::past);
  return {data::Mark::partly,
          {data::AnswerNumber::of(worst.past)},
          fmt::format("{}, but logits of old queries, which later layers are made from, change by {} sd when {}{}",
                      what_keys_do(seen), data::to_text(worst.past), seen.growth(worst), seen.where)};
}

data::Answer nearly(const Seen& seen, double change) {
  return {data::Mark::partly,
          {holds_to(change)},
          fmt::format("not exactly, but no logit changes by more than {:.1g} sd when the context grows, of which "
                      "float32 sees nothing ({}){}",
                      change, seen.tested(), seen.where)};
}

}  // namespace

data::AnswerColumn CacheConsistency::column() {
  return {"cache",
          "sd",
          "keys cached in a shorter context serve a longer one, as far as tested; no: the largest change of a logit",
          {{"sd", "the standard deviation of logits of random contents"},
           {"tested to", "the longest context that was tried"},
           {"tokens", "its length"},
           deviation_word()}};
}

data::Answer CacheConsistency::answer(const Point& point) const {
  const double N = static_cast<double>(length);
  const Seen seen{contexts_of(*this, point),
                  length,
                  std::fmax(point.largest(cached_error), point.largest(odd_cached_error)),
                  std::fmax(point.largest(past_error), point.largest(odd_past_error)),
                  point.allowed(cached_error, N - 1, N),
                  fmt::format(", told that it was trained on {} tokens{}", train_length, answer_text::where(point))};
  const double most = std::max(seen.cached, seen.past);
  const auto is_certain = [&](double change) { return deviation_of(change, seen.allowed) == Deviation::certain; };
  if (deviation_of(most, seen.allowed) == Deviation::hardly_any) return nearly(seen, most);
  if (is_certain(seen.cached)) return keys_change(seen);
  if (is_certain(seen.past)) return old_logits_change(seen);
  if (most > seen.allowed)
    return {data::Mark::cannot_tell,
            {holds_to(most)},
            fmt::format("logits change by {:.2g} sd when the context grows, which may be rounding ({}){}", most,
                        seen.tested(), seen.where)};
  // Many schemes do nothing to the first token, in whatever context.
  if (seen.knows_one_token())
    return {data::Mark::cannot_tell,
            {},
            fmt::format("no logit changes when the context grows, but only one token was there before, whose key many "
                        "schemes leave as it is{}",
                        seen.where)};
  return {
      data::Mark::yes,
      {data::AnswerNumber::exact(N, 12, "tested to").with_unit("tokens")},
      fmt::format("no logit changes by more than {:.2g} sd when the context grows, with cached keys or without ({}){}",
                  most, seen.tested(), seen.where)};
}

}  // namespace poslab::experiments::cache_consistency
