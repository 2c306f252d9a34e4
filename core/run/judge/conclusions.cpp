// SPDX-License-Identifier: Apache-2.0
#include "conclusions.hpp"

#include "poslab/run/answers.hpp"
#include "poslab/run/expectations.hpp"

namespace poslab::run {

std::vector<data::ExpectationResult> judged(const PreparedRun& run, const OutcomeStore& outcomes) {
  const study::Plan& plan = run.part.plan;
  if (run.request.shard) return left_to_merge(plan.expectations);
  return judge(plan.expectations, plan.cells, [&](std::size_t index) { return outcomes.read(index); });
}

data::AnswerTable answered(const PreparedRun& run, const OutcomeStore& outcomes) {
  if (run.request.shard) return {};
  return answer_table(run.part.plan.cells, [&](std::size_t index) { return outcomes.read(index); });
}

}  // namespace poslab::run
