// SPDX-License-Identifier: Apache-2.0
// What is recorded of a trained network beside its curves, against the network written down a number at a time.
#include <algorithm>
#include <cmath>

#include "catch.hpp"
#include "naive_network.hpp"
#include "poslab/tasks/task.hpp"
#include "same_bits.hpp"
#include "trainings.hpp"

namespace {

using namespace trainings;
using cells::Cell;
using poslab::base::Index;
using poslab::tasks::Part;

constexpr std::size_t width = 16, heads = 2, tokens = 6, held_out = 5;

// Trained for a moment, at a rate that leaves nothing as it was.
Cell moment(const std::string& scheme, const Values& axes = {}) {
  Values all{{"task", word("markov")},        {"dtype", word("float64")},    {"layers", whole(2)},
             {"train_length", whole(tokens)}, {"batch", whole(3)},           {"steps", whole(9)},
             {"warm_up", whole(2)},           {"learning_rate", real(0.05)}, {"multiple", list({1})},
             {"held_out", whole(held_out)},   {"keep_weights", true}};
  for (const auto& [name, value] : axes) all.set(name, value);
  return {"language-model", scheme, all, {}, {width, heads, tokens}};
}

// The network of a cell, at positions that begin at `first`.
naive::Network written_down(const Cell& cell, const Record& record, std::size_t first = 0) {
  naive::Network network(record, heads, cells::all_axes(cell).text("mask") == "causal");
  if (cell.scheme == "alibi") network.bias = [](auto h, auto i, auto j) { return naive::alibi(heads, h, i, j); };
  if (cell.scheme == "sinusoidal") {
    network.embedding_scale = std::sqrt(static_cast<double>(width));
    network.code = [=](auto p, auto d) { return naive::sinusoid(first + p, d, width); };
  }
  if (cell.scheme == "learned") {
    const auto* table = poslab::data::find_array(record.kept(), "scheme/table");
    network.code = [=](auto p, auto d) { return table->value((first + p) * width + d); };
  }
  return network;
}

std::unique_ptr<poslab::tasks::Task> task_of(const Cell& cell) {
  return poslab::tasks::find_task(cells::all_axes(cell).text("task")).make("");
}

poslab::tasks::Sequence sequence_of(const Cell& cell, std::uint64_t i) {
  return task_of(cell)->sample(draws_of(cell).contents("task"), Part::held_out, i, tokens);
}

// The gradient share by moving each channel of each embedded token a little up and down.
naive::Vector shares_by_differences(const Cell& cell, const Record& record) {
  const naive::Network at_rest = written_down(cell, record);
  naive::Vector shares(tokens);
  for (std::uint64_t i = 0; i < held_out; ++i) {
    const auto sequence = sequence_of(cell, i);
    std::size_t last = tokens;
    while (!sequence.mask[--last]) continue;
    naive::Vector norms(tokens);
    for (std::size_t t = 0; t < tokens; ++t) {
      for (std::size_t d = 0; d < width; ++d) {
        const auto loss_at = [&](double moved) {
          naive::Network network = at_rest;
          network.code = [&](auto p, auto c) { return at_rest.code(p, c) + (p == t && c == d ? moved : 0); };
          return -network.says(sequence.tokens)[last][static_cast<std::size_t>(sequence.targets[last])];
        };
        const double slope = (loss_at(1e-5) - loss_at(-1e-5)) / 2e-5;
        norms[t] += slope * slope;
      }
      norms[t] = std::sqrt(norms[t]);
    }
    double sum = 0;
    for (const double norm : norms) sum += norm;
    for (std::size_t t = 0; t < tokens; ++t) shares[t] += norms[t] / sum / held_out;
  }
  return shares;
}

naive::Vector sinks_by_looking(const Cell& cell, const Record& record) {
  naive::Network network = written_down(cell, record);
  naive::Vector sinks(2);
  network.look = [&](auto l, auto, auto, auto j, double attention) {
    if (j == 0) sinks[l] += attention / (heads * tokens * held_out);
  };
  for (std::uint64_t i = 0; i < held_out; ++i) network.says(sequence_of(cell, i).tokens);
  return sinks;
}

// Mean loss at the trained length, on positions first, first + 1, ...
double loss_from(std::size_t first, const Cell& cell, const Record& record) {
  const naive::Network network = written_down(cell, record, first);
  double sum = 0, count = 0;
  for (std::uint64_t i = 0; i < held_out; ++i) {
    const auto sequence = sequence_of(cell, i);
    const auto said = network.says(sequence.tokens);
    for (std::size_t t = 0; t < tokens; ++t)
      if (sequence.mask[t]) sum -= said[t][static_cast<std::size_t>(sequence.targets[t])], ++count;
  }
  return sum / count;
}

void check_close(const std::vector<double>& a, const std::vector<double>& b, double band) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    CAPTURE(i);
    CHECK_THAT(a[i], check::WithinAbs(b[i], band));
  }
}

const std::vector<Cell>& some_networks() {
  static const std::vector<Cell> cells{moment("none"), moment("alibi"),
                                       moment("sinusoidal", {{"task", word("previous-token")}}),
                                       moment("none", {{"task", word("xor-of-neighbours")}, {"mask", word("none")}})};
  return cells;
}

}  // namespace

TEST_CASE("language-model: the gradient's shares are those of central differences") {
  for (const Cell& cell : some_networks()) {
    CAPTURE(cell.scheme, cells::all_axes(cell).text("task"));
    const Record record = train(cell);
    const naive::Vector shares = shares_by_differences(cell, record);
    check_close(curve(record, "gradient_share"), shares, 1e-8);
    CHECK_THAT(curve(record, "first_gradient_share")[0], check::WithinAbs(tokens * shares[0], 1e-7));
  }
}

TEST_CASE("language-model: the sink of each layer is what its tokens take from the first") {
  for (const Cell& cell : some_networks()) {
    CAPTURE(cell.scheme, cells::all_axes(cell).text("task"));
    const Record record = train(cell);
    check_close(curve(record, "sink_share"), sinks_by_looking(cell, record), 1e-12);
    const bool causal = cells::all_axes(cell).text("mask") == "causal";  // (1 + 1/2 + ... + 1/6) / 6 = 2.45 / 6
    CHECK_THAT(curve(record, "sink_share_mask")[0], check::WithinAbs(causal ? 2.45 / 6 : 1.0 / 6, 1e-15));
  }
}

// Tiles of one sequence are at work side by side: which comes first must not be seen.
TEST_CASE("language-model: the sink of one long sequence has the same bits on 1, 2 and 8 threads") {
  const Cell cell = moment("alibi", {{"train_length", whole(1000)},
                                     {"batch", whole(1)},
                                     {"held_out", whole(1)},
                                     {"steps", whole(2)},
                                     {"warm_up", whole(0)}});
  cells::check_same_on_threads([&] { return cells::bytes_of(train(cell)); });
}

TEST_CASE("language-model: the loss at shifted positions is that of codes further on") {
  const std::vector<double> shifts{0, 1, 4, 5, 1000};
  for (const std::string scheme : {"none", "alibi", "sinusoidal", "learned"}) {
    CAPTURE(scheme);
    Cell cell = moment(scheme, {{"shift", list(shifts)}});
    if (scheme == "learned") cell.parameters.set("max_length", whole(10));
    const Record record = train(cell);
    for (std::size_t k = 0; k < shifts.size(); ++k) {
      CAPTURE(shifts[k]);
      const double loss = curve(record, "loss_shifted")[k], rise = curve(record, "rise_shifted")[k];
      if (scheme == "learned" && shifts[k] + tokens > 10) {
        CHECK(std::isnan(loss));
        CHECK(std::isnan(rise));
        continue;
      }
      const double expected = loss_from(static_cast<std::size_t>(shifts[k]), cell, record);
      CHECK_THAT(loss, check::WithinAbs(expected, 1e-10));
      CHECK_THAT(rise, check::WithinAbs(expected - loss_from(0, cell, record), 1e-10));
      if (scheme == "sinusoidal" && k > 0) CHECK(std::abs(rise) > 1e-5);  // else a shift that is ignored would pass
    }
  }
}

TEST_CASE("language-model: where only offsets matter, no shift raises the loss") {
  for (const std::string scheme : {"none", "rope", "alibi", "t5"}) {
    CAPTURE(scheme);
    const Record record = train(moment(scheme, {{"shift", list({0, 3, 200})}}));
    for (const double rise : curve(record, "rise_shifted")) CHECK_THAT(rise, check::WithinAbs(0, 1e-10));
  }
}

TEST_CASE("language-model: accuracy on a task's probes is a count of right answers") {
  const Cell cell = moment("alibi", {{"task", word("flip-flop")}, {"steps", whole(40)}, {"batch", whole(16)}});
  const Record record = train(cell);
  const naive::Network network = written_down(cell, record);
  const auto task = task_of(cell);
  REQUIRE(task->probes().size() == 2);
  std::vector<double> accuracies;
  for (std::size_t probe = 0; probe < 2; ++probe) {
    double right = 0, count = 0;
    for (std::uint64_t i = 0; i < held_out; ++i) {
      const auto sequence = task->probe(probe, draws_of(cell).contents("task"), i, tokens);
      const auto said = network.says(sequence.tokens);
      for (std::size_t t = 0; t < said.size(); ++t) {
        if (!sequence.mask[t]) continue;
        right += std::max_element(said[t].begin(), said[t].end()) - said[t].begin() == sequence.targets[t];
        ++count;
      }
    }
    accuracies.push_back(right / count);
  }
  CHECK(accuracies[0] != accuracies[1]);
  check_close(curve(record, "probe_accuracy"), accuracies, 1e-12);
  CHECK_THAT(curve(record, "probe_gap")[0], check::WithinAbs(accuracies[0] - accuracies[1], 1e-12));
  CHECK(std::isnan(curve(record, "probe_gap")[1]));
  CHECK(std::isnan(curve(train(moment("none")), "probe_accuracy")[0]));  // a task without probes
}

TEST_CASE("language-model: rows of a table that training never met are untouched, and no others") {
  Cell cell = moment("learned");
  cell.parameters.set("max_length", whole(10));
  const Record longer = train(cell), as_long = train(moment("learned")), none = train(moment("none"));
  CHECK(curve(longer, "scheme_numbers") == std::vector<double>{10 * width});
  CHECK(curve(longer, "scheme_untouched") == std::vector<double>{4 * width});
  CHECK(curve(as_long, "scheme_untouched") == std::vector<double>{0});
  CHECK(curve(none, "scheme_untouched") == std::vector<double>{0});
}
