// SPDX-License-Identifier: Apache-2.0
// What a call does to its arrays: outputs are written, inputs are not, and nothing lies outside.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "list.hpp"
#include "scene.hpp"

namespace poslab::check {
namespace {

// Arrays that lie beside a forbidden page, one after another; of a gradient, which costs more, all at once.
std::vector<Member> guarded_in(Call& call) {
  std::vector<Member> members = members_of(call);
  if (!call.gradient) return members;
  Block& some = call.positions.there() ? call.positions : call.key_positions;
  return {{every_array, &some, false}};
}

// A scheme may read the logits that it adds to, so that its part changes with them; but it cannot leave them out.
void require_incoming_logits_matter(const Subject& subject, const Call& call) {
  if (subject.scheme().score_writes_logits()) return;
  Call first = call, second = call;
  for (double& logit : second.output.numbers) logit += 1;
  succeed(subject, first);
  succeed(subject, second);
  for (std::size_t i = 0; i < first.output.numbers.size(); ++i)
    if (first.output.numbers[i] == second.output.numbers[i] && std::isfinite(first.output.numbers[i]))
      throw Failed(
          fmt::format("score leaves out the logit that it finds (entry {}), but does not say score_writes_logits", i));
}

}  // namespace

std::string check_writing(Trial& trial) {
  int outputs = 0;
  const auto same = [](double a, double b, double scale) {
    return a == b || (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= scale;
  };
  trial.for_each_subject([&](const Subject& subject) {
    for (const Call& call : all_calls(subject, usual_scene(subject))) {
      if (call.scalar != POSLAB_F64 || call.operation == Operation::transform) continue;
      if (call.operation == Operation::score && !call.gradient) {
        require_incoming_logits_matter(subject, call);
        continue;
      }
      const bool overwrites = !call.gradient && call.operation != Operation::score && call.operation != Operation::mix;
      Call first = call, second = call;
      const base::Stream stream("writing");
      std::vector<Member> before = members_of(second), plain = members_of(first);
      std::vector<std::vector<double>> added(before.size());
      for (std::size_t m = 0; m < before.size(); ++m) {
        if (!before[m].is_output) continue;
        for (std::size_t i = 0; i < before[m].block->numbers.size(); ++i) {
          added[m].push_back(stream.normal(i));
          before[m].block->numbers[i] = overwrites ? added[m][i] : before[m].block->numbers[i] + added[m][i];
        }
      }
      succeed(subject, first);
      succeed(subject, second);
      for (std::size_t m = 0; m < before.size(); ++m) {
        if (!before[m].is_output || !before[m].block->there()) continue;
        ++outputs;
        const std::vector<double>&one = plain[m].block->numbers, &other = before[m].block->numbers;
        const double rounding = overwrites ? 0 : 1e-13 * (4 + largest_magnitude(one));
        for (std::size_t i = 0; i < one.size(); ++i) {
          const double shift = overwrites ? 0 : added[m][i];
          if (same(one[i] + shift, other[i], rounding)) continue;
          throw Failed(fmt::format(
              "{} must {} `{}`, but entry {} was {:.17g} and, with other numbers there before, {:.17g}", name_of(call),
              overwrites ? "overwrite all of" : "add to", before[m].name, i, one[i], other[i] - shift));
        }
      }
    }
  });
  return fmt::format("{} outputs in {} were overwritten or added to as plugin.h says", outputs, trial.scope());
}

std::string check_bounds(Trial& trial) {
  int arrays = 0;
  trial.for_each_subject([&](const Subject& subject) {
    for (Call& call : all_calls(subject, usual_scene(subject)))
      for (const Member& member : guarded_in(call)) {
        if (!member.block->there()) continue;
        for (const bool before : {false, true}) {
          Call again = call;
          trial.at(fmt::format("{}: {} with `{}` {} a page that nobody may touch", subject.label(), where(call),
                               member.name, before ? "right after" : "right before"));
          const Answer answer = succeed(subject, again, {member.name, before});
          if (!answer.written_outside.empty())
            throw Failed(fmt::format("{} wrote outside {}", where(call), answer.written_outside));
          ++arrays;
        }
      }
  });
  return fmt::format("{} arrays in {} lay beside forbidden pages, and none was touched", arrays, trial.scope());
}

std::string check_inputs(Trial& trial) {
  int calls = 0;
  trial.for_each_subject([&](const Subject& subject) {
    for (Call& call : all_calls(subject, usual_scene(subject))) {
      const Answer answer = succeed(subject, call);
      if (!answer.changed_input.empty())
        throw Failed(fmt::format("{} changed its input `{}`", where(call), answer.changed_input));
      ++calls;
    }
  });
  return fmt::format("{} calls in {} left their inputs as they were", calls, trial.scope());
}

}  // namespace poslab::check
