// SPDX-License-Identifier: Apache-2.0
// What holds for every task, whatever its file says.
#include <algorithm>
#include <map>
#include <set>

#include "catch.hpp"
#include "poslab/base/error.hpp"
#include "poslab/tasks/task.hpp"
#include "tasks_at_hand.hpp"
#include "thrown.hpp"

using namespace at_hand;
using poslab::tasks::all_tasks;
using poslab::tasks::Bounds;
using poslab::tasks::TaskInfo;

namespace {

// The least, and some more that the task has.
std::vector<Index> sizes_of(const TaskInfo& info, const Task& task) {
  std::vector<Index> sizes;
  for (Index size = info.min_size; size < 60 && sizes.size() < 12; ++size)
    if (!task.why_not(size)) sizes.push_back(size);
  return sizes;
}

// The same instance may be drawn twice where there are few: 50 of a size, 128 of 48 actions.
bool has_few(const std::string& id) { return id == "copy-repeated" || id == "scan"; }

bool same(const Sequence& a, const Sequence& b) {
  return a.tokens == b.tokens && a.targets == b.targets && a.mask == b.mask && a.vectors == b.vectors;
}

void check_sequence(const Task& task, const Sequence& sequence, Index size) {
  const auto T = static_cast<std::size_t>(task.tokens(size));
  REQUIRE(sequence.tokens.size() == T);
  REQUIRE(sequence.targets.size() == T);
  REQUIRE(sequence.mask.size() == T);
  REQUIRE(sequence.vectors.size() == T * static_cast<std::size_t>(task.vector_width()));
  bool in_range = true, asked = false;
  for (std::size_t t = 0; t < T; ++t) {
    in_range = in_range && sequence.tokens[t] >= 0 && sequence.tokens[t] < task.vocabulary();
    in_range = in_range && sequence.targets[t] >= 0 && sequence.targets[t] < task.vocabulary();
    in_range = in_range && (sequence.mask[t] == 1 || (sequence.mask[t] == 0 && sequence.targets[t] == 0));
    asked = asked || sequence.mask[t] == 1;
  }
  CHECK(in_range);
  CHECK(asked);
}

}  // namespace

TEST_CASE("all tasks are listed once, by the names of their files") {
  std::set<std::string> ids;
  for (const TaskInfo& info : all_tasks()) {
    INFO(info.id);
    CHECK(ids.insert(info.id).second);
    CHECK(&poslab::tasks::find_task(info.id) == &info);
    CHECK_FALSE(info.title.empty());
    CHECK(info.sentence.back() == '.');
    CHECK_FALSE(info.source.empty());
    CHECK_FALSE(info.size_means.empty());
    CHECK((info.causal || info.bidirectional));
  }
  CHECK(ids.size() >= 46);
  CHECK_THROWS_WITH(poslab::tasks::find_task("revers"), check::contains("did you mean \"reverse\"?"));
  CHECK(check::thrown([&] { static_cast<void>(poslab::tasks::find_task("x")); }).kind == check::Kind::argument);
}

TEST_CASE("every task's sequences have its length, vocabulary and masks") {
  for (const TaskInfo& info : all_tasks()) {
    const auto task = at_hand::task(info.id);
    for (const Index size : sizes_of(info, *task))
      for (std::uint64_t i = 0; i < 5; ++i)
        for (const Part part : {Part::training, Part::held_out}) {
          INFO(info.id << ", size " << size << ", instance " << i);
          check_sequence(*task, drawn(*task, size, i, part), size);
        }
  }
}

TEST_CASE("every task has instances from its least size on, and refuses the one below by its name") {
  for (const TaskInfo& info : all_tasks()) {
    INFO(info.id);
    const auto task = at_hand::task(info.id);
    CHECK_FALSE(task->why_not(info.min_size));
    for (const Index size : {info.min_size - 1, Index{0}, Index{-1}}) {
      CHECK_THAT(task->why_not(size).value().reason, check::contains(info.file == "text" ? "characters" : info.id));
      CHECK(check::thrown([&] { static_cast<void>(drawn(*task, size, 0)); }).kind == check::Kind::argument);
    }
  }
}

TEST_CASE("every task's instances are a function of draws, part, number and size") {
  const Stream draws("one"), others("another");
  for (const TaskInfo& info : all_tasks()) {
    const auto task = at_hand::task(info.id), twin = at_hand::task(info.id);
    const Index size = 48;
    INFO(info.id);
    for (const Part part : {Part::training, Part::held_out})
      for (std::uint64_t i = 0; i < 3; ++i)
        CHECK(same(task->sample(draws, part, i, size), twin->sample(draws, part, i, size)));
    const Sequence first = task->sample(draws, Part::training, 0, size);
    int repeated = 0;  // by chance, as one of 50 tokens may be
    for (std::uint64_t i = 1; i < 20; ++i) repeated += same(first, task->sample(draws, Part::training, i, size));
    for (std::uint64_t i = 0; i < 5; ++i) repeated += same(first, task->sample(draws, Part::held_out, i, size));
    for (std::uint64_t i = 0; i < 20; ++i) repeated += same(first, task->sample(others, Part::training, i, size));
    CHECK(repeated <= (has_few(info.id) ? 6 : 0));
  }
}

TEST_CASE("held-out instances are never those of training") {
  const Stream draws("one");
  for (const TaskInfo& info : all_tasks()) {
    if (has_few(info.id)) continue;
    INFO(info.id);
    const auto task = at_hand::task(info.id);
    std::set<Tokens> trained;
    std::set<std::vector<double>> vectors;
    for (std::uint64_t i = 0; i < 300; ++i) {
      const Sequence one = task->sample(draws, Part::training, i, 48);
      trained.insert(one.tokens);
      vectors.insert(one.vectors);
    }
    for (std::uint64_t i = 0; i < 5; ++i) {
      const Sequence one = task->sample(draws, Part::held_out, i, 48);
      CHECK((trained.count(one.tokens) == 0 || (task->vector_width() > 0 && vectors.count(one.vectors) == 0)));
    }
  }
}

TEST_CASE("every task's bounds are in order") {
  for (const TaskInfo& info : all_tasks()) {
    const auto task = at_hand::task(info.id);
    for (const Index size : sizes_of(info, *task)) {
      INFO(info.id << ", size " << size);
      const Bounds bounds = task->bounds(size);
      for (const double accuracy : {bounds.chance_accuracy, bounds.best_accuracy, bounds.unordered_accuracy})
        CHECK_FALSE((accuracy < 0 || accuracy > 1 + 1e-12));
      CHECK_FALSE(bounds.best_accuracy < bounds.chance_accuracy - 1e-12);
      CHECK_FALSE(bounds.best_accuracy < bounds.unordered_accuracy - 1e-12);
      CHECK_FALSE(bounds.unordered_accuracy < bounds.chance_accuracy - 1e-12);
      CHECK_FALSE(bounds.best_loss > bounds.chance_loss + 1e-12);
      CHECK_FALSE(bounds.best_loss < 0);
      const std::pair<const std::vector<double>&, double> by_token[] = {
          {bounds.best_loss_at, bounds.best_loss},
          {bounds.best_accuracy_at, bounds.best_accuracy},
          {bounds.unordered_accuracy_at, bounds.unordered_accuracy}};
      for (const auto& [at, mean] : by_token) {
        if (at.empty()) continue;
        const Sequence sequence = drawn(*task, size, 0);
        REQUIRE(at.size() == sequence.mask.size());
        double sum = 0, count = 0;
        for (std::size_t t = 0; t < at.size(); ++t) {
          CHECK(std::isnan(at[t]) == (sequence.mask[t] == 0));
          if (sequence.mask[t]) sum += at[t], ++count;
        }
        CHECK(sum / count == check::Approx(mean).epsilon(1e-12));
      }
    }
  }
}

TEST_CASE("chance is what counting the answers says") {
  for (const TaskInfo& info : all_tasks()) {
    if (info.needs_file()) continue;  // one text is no sample of many
    const auto task = at_hand::task(info.id);
    for (const Index size : {Index{4}, Index{12}}) {
      INFO(info.id << ", size " << size);
      const Bounds bounds = task->bounds(size);
      const int sequences = 3000;
      std::map<std::int32_t, double> often;
      double all = 0;
      for (int i = 0; i < sequences; ++i)
        for (const std::int32_t token : answer(drawn(*task, size, static_cast<std::uint64_t>(i)))) {
          often[token] += 1;
          all += 1;
        }
      double most = 0, loss = 0;
      for (const auto& [token, count] : often) {
        most = std::max(most, count / all);
        loss -= count / all * std::log(count / all);
      }
      CHECK_THAT(bounds.chance_accuracy, check::WithinAbs(most, five_errors(most, sequences)));
      CHECK_THAT(bounds.chance_loss, check::WithinAbs(loss, 0.03));
    }
  }
}
