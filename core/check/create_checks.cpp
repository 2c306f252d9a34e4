// SPDX-License-Identifier: Apache-2.0
// Making variants.
#include <fmt/format.h>

#include "list.hpp"
#include "poslab/data/refusal.hpp"

namespace poslab::check {

std::string check_creates(Trial& trial) {
  int made = 0, refused = 0;
  std::string first_refusal;
  for (const Variant& variant : trial.variants()) {
    trial.at(variant.label);
    try {
      const host::Scheme scheme(trial.plugin(), variant.parameters, variant.model);
      ++made;
    } catch (const data::Refused& refusal) {
      if (++refused == 1) first_refusal = fmt::format("{}: {}", variant.label, refusal.what());
      if (made == 0 && refused == 1 && trial.given().empty())  // the first variant
        throw Failed(fmt::format("its defaults are refused: {}", first_refusal));
    } catch (const base::Error& failure) {
      throw Failed(fmt::format("{}: {}", variant.label, failure.what()));
    }
  }
  if (made == 0) throw Failed(fmt::format("no variant was made; {}", first_refusal));
  return refused == 0
             ? fmt::format("made {} variants", made)
             : fmt::format("made {} variants, refused {} with a reason, the first: {}", made, refused, first_refusal);
}

}  // namespace poslab::check
