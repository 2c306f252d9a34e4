// SPDX-License-Identifier: Apache-2.0
// Making variants.
#include <fmt/format.h>

#include "list.hpp"
#include "poslab/data/refusal.hpp"

namespace poslab::check {
namespace {

std::optional<base::Refusal> why_refused(Trial& trial, const Variant& variant) {
  trial.at(variant.label);
  try {
    const host::Scheme scheme(trial.plugin(), variant.parameters, variant.model);
    return std::nullopt;
  } catch (const data::Refused& refused) {
    return refused.what();
  }
}

}  // namespace

std::string check_creates(Trial& trial) {
  int made = 0, refused = 0;
  std::string first_refusal;
  for (const Variant& variant : trial.variants()) {
    std::optional<base::Refusal> refusal;
    try {
      refusal = why_refused(trial, variant);
    } catch (const base::Error& failure) {
      throw Failed(fmt::format("{}: {}", variant.label, failure.what()));
    }
    refusal ? ++refused : ++made;
    if (first_refusal.empty() && refusal) first_refusal = fmt::format("{}: {}", variant.label, refusal->reason);
    if (variant.parameters == trial.given() && made + refused == 1 && refusal && trial.given().empty())
      throw Failed(fmt::format("its defaults are refused: {}", first_refusal));
  }
  if (made == 0) throw Failed(fmt::format("no variant was made; {}", first_refusal));
  return refused == 0
             ? fmt::format("made {} variants", made)
             : fmt::format("made {} variants, refused {} with a reason, the first: {}", made, refused, first_refusal);
}

}  // namespace poslab::check
