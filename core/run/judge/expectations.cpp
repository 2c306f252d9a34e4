// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/expectations.hpp"

#include "judge/judgement.hpp"
#include "poslab/data/expectation.hpp"
#include "poslab/data/outcome.hpp"

namespace poslab::run {

std::vector<data::ExpectationResult> judge(const std::vector<data::Expectation>& expectations,
                                           const std::vector<data::Cell>& cells, const OutcomeOf& outcome_of) {
  std::vector<Judgement> judgements(expectations.begin(), expectations.end());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    std::optional<std::optional<data::Outcome>> outcome;  // asked for if anybody wants it, and once
    for (Judgement& judgement : judgements) {
      if (!judgement.concerns(cells[i])) continue;
      if (!outcome) outcome = outcome_of(i);
      judgement.look_at(cells[i], *outcome);
    }
  }
  std::vector<data::ExpectationResult> results;
  for (Judgement& judgement : judgements) results.push_back(std::move(judgement).conclude());
  return results;
}

}  // namespace poslab::run
