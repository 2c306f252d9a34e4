// SPDX-License-Identifier: Apache-2.0
// Where trained sequences stand: the loss of the first update against a second implementation of the network, whose
// tokens get the sinusoid's code where the definition puts them; images on their grid; what does not apply.
#include <algorithm>
#include <cmath>

#include "catch.hpp"
#include "naive_network.hpp"
#include "poslab/base/subset.hpp"
#include "poslab/tasks/task.hpp"
#include "same_bits.hpp"
#include "trainings.hpp"

namespace {

using namespace trainings;
using cells::Cell;
using poslab::base::Index;
using poslab::data::Record;
using poslab::tasks::Part;
using poslab::tasks::Sequence;

constexpr Index batch = 5, range = 40;

// One update at a rate that changes nothing.
Cell placed(const std::string& how, const std::string& scheme = "sinusoidal", const Values& axes = {}) {
  Values all{{"layers", whole(1)},
             {"largest", whole(5)},
             {"smallest", whole(2)},
             {"batch", whole(batch)},
             {"steps", whole(1)},
             {"learning_rate", real(1e-300)},
             {"init_std", real(0.5)},
             {"embedding_scale", word("one")},
             {"size", list({2, 5, 7})},
             {"held_out", whole(6)},
             {"dtype", word("float64")},
             {"keep_weights", true},
             {"train_positions", word(how)},
             {"train_range", whole(range)}};
  for (const auto& [name, value] : axes) all.set(name, value);
  return {"length-generalisation", scheme, all, {}, {16, 2, 8}};
}

Sequence instance(const Cell& cell, Part part, std::uint64_t i, Index size) {
  const auto task = poslab::tasks::find_task(cells::all_axes(cell).text("task")).make("");
  return task->sample(draws_of(cell).contents("task"), part, i, size);
}

std::vector<Sequence> first_batch(const Cell& cell) {
  const auto sizes = draws_of(cell).contents("sizes");
  std::vector<Sequence> all;
  for (std::uint64_t i = 0; i < batch; ++i)
    all.push_back(instance(cell, Part::training, i, 2 + static_cast<Index>(sizes.below(i, 4))));
  return all;
}

double sinusoid(double position, std::size_t d) {
  const double angle = position * std::pow(10000.0, -static_cast<double>(d - d % 2) / 16);
  return d % 2 == 0 ? std::sin(angle) : std::cos(angle);
}

struct Losses {
  double sum = 0, count = 0;
  double mean() const { return sum / count; }
};

void add(naive::Network& network, const Sequence& s, const std::vector<double>& positions, Losses& losses) {
  network.code = [&](std::size_t t, std::size_t d) { return sinusoid(positions.at(t), d); };
  const auto said = network.says(s.tokens);
  for (std::size_t t = 0; t < s.tokens.size(); ++t)
    if (s.mask[t]) losses.sum -= said[t][static_cast<std::size_t>(s.targets[t])], ++losses.count;
}

std::vector<double> drawn_positions(const poslab::base::Stream& draws, const std::string& how, Index T) {
  std::vector<double> positions;
  if (how == "randomised")
    for (const Index one : poslab::base::drawn_subset(draws, T, range)) positions.push_back(static_cast<double>(one));
  for (Index t = 0; std::ssize(positions) < T; ++t)
    positions.push_back(how == "shifted" ? static_cast<double>(draws.below(0, range - T + 1)) + static_cast<double>(t)
                        : how == "plain" ? static_cast<double>(t)
                                         : range * draws.uniform(static_cast<std::uint64_t>(t)));
  std::sort(positions.begin(), positions.end());
  return positions;
}

std::vector<double> positions_of(const Cell& cell, const std::string& how, Index i, Index T) {
  return drawn_positions(draws_of(cell).contents("train positions", {i}), how, T);
}

}  // namespace

TEST_CASE("length-generalisation: sequences that are trained on stand where train_positions says") {
  std::vector<double> all_losses;
  for (const std::string how : {"plain", "shifted", "randomised", "random-reals"}) {
    CAPTURE(how);
    const Cell cell = placed(how);
    const Record record = train(cell);
    naive::Network network(record, 2, true);
    Losses losses;
    const std::vector<Sequence> sequences = first_batch(cell);
    for (std::size_t i = 0; i < sequences.size(); ++i)
      add(network, sequences[i], positions_of(cell, how, static_cast<Index>(i), std::ssize(sequences[i].tokens)),
          losses);
    CHECK_THAT(curve(record, "training_loss")[0], check::WithinAbs(losses.mean(), 1e-9));
    all_losses.push_back(losses.mean());

    Losses measured;  // stands at 0, 1, 2, ...
    for (std::uint64_t i = 0; i < 6; ++i) {
      const Sequence s = instance(cell, Part::held_out, i, 7);
      add(network, s, positions_of(cell, "plain", 0, std::ssize(s.tokens)), measured);
    }
    CHECK_THAT(curve(record, "loss")[2], check::WithinAbs(measured.mean(), 1e-9));
  }
  for (std::size_t i = 1; i < 4; ++i) CHECK(std::abs(all_losses[i] - all_losses[i - 1]) > 1e-4);
}

TEST_CASE("length-generalisation: what is measured may stand where it would be trained, the held-out loss included") {
  for (const std::string how : {"shifted", "randomised", "random-reals"}) {
    CAPTURE(how);
    const Cell cell = placed(how, "sinusoidal", {{"test_positions", word("as-trained")}, {"size", list({5, 7, 20})}});
    const Record record = train(cell);
    naive::Network network(record, 2, true);
    const auto loss_of = [&](Index size) {
      Losses losses;
      for (std::uint64_t i = 0; i < 6; ++i) {
        const Sequence s = instance(cell, Part::held_out, i, size);
        const Index T = std::ssize(s.tokens);
        const auto draws = draws_of(cell).contents("measured positions", {T, static_cast<Index>(i)});
        add(network, s, drawn_positions(draws, how, T), losses);
      }
      return losses.mean();
    };
    CHECK_THAT(curve(record, "loss")[0], check::WithinAbs(loss_of(5), 1e-9));
    CHECK_THAT(curve(record, "loss")[1], check::WithinAbs(loss_of(7), 1e-9));
    CHECK_THAT(curve(record, "held_out_loss").back(), check::WithinAbs(loss_of(5), 1e-9));
    CHECK(curve(record, "refused") == std::vector<double>{0, 0, 1});  // 42 tokens do not fit below 40
    const Record plain = train(placed(how, "sinusoidal", {{"size", list({5, 7, 20})}}));
    for (const char* measure : {"loss", "held_out_loss", "sink_share", "gradient_share"})
      CHECK(curve(record, measure).front() != curve(plain, measure).front());
    CHECK(curve(record, "training_loss") == curve(plain, "training_loss"));
  }
  const Values as_trained{{"test_positions", word("as-trained")}};
  CHECK(curve(train(placed("plain", "rope", as_trained)), "loss") == curve(train(placed("plain", "rope")), "loss"));
}

TEST_CASE("length-generalisation: sequences are augmented as CAPE is trained") {
  const Values axes{{"max_global_shift", real(3)}, {"max_local_shift", real(0.4)}, {"max_global_scaling", real(1.5)}};
  const Cell cell = placed("augmented", "sinusoidal", axes);
  const Record record = train(cell);
  naive::Network network(record, 2, true);
  const std::vector<Sequence> sequences = first_batch(cell);
  Losses losses;
  std::vector<double> first_positions;
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    const auto draws = draws_of(cell).contents("train positions", {static_cast<Index>(i)});
    const double shift = -3 + 6 * draws.uniform(0), scaling = std::pow(1.5, -1 + 2 * draws.uniform(1));
    std::vector<double> positions;
    for (std::size_t t = 0; t < sequences[i].tokens.size(); ++t)
      positions.push_back(scaling * (static_cast<double>(t) + shift - 0.4 + 0.8 * draws.uniform(2 + t)));
    CHECK(std::is_sorted(positions.begin(), positions.end()));
    add(network, sequences[i], positions, losses);
    first_positions.push_back(positions[0]);
  }
  CHECK_THAT(curve(record, "training_loss")[0], check::WithinAbs(losses.mean(), 1e-9));
  CHECK(*std::min_element(first_positions.begin(), first_positions.end()) < 0);

  const Values none{{"max_global_shift", real(0)}, {"max_local_shift", real(0)}, {"max_global_scaling", real(1)}};
  const double plain = curve(train(placed("plain")), "training_loss")[0];
  CHECK_THAT(curve(train(placed("augmented", "sinusoidal", none)), "training_loss")[0], check::WithinAbs(plain, 1e-12));
  CHECK(std::abs(losses.mean() - plain) > 1e-4);
  CHECK_FALSE(why_skip(placed("augmented", "cape")));
  CHECK(why_skip(placed("augmented", "learned")));
}

TEST_CASE("length-generalisation: packed sequences follow each other in twos, and each begins at 0") {
  const Cell cell = placed("packed");
  const Record record = train(cell);
  naive::Network network(record, 2, true);
  const std::vector<Sequence> sequences = first_batch(cell);
  Losses losses;
  for (std::size_t i = 0; i < sequences.size(); i += 2) {
    Sequence both = sequences[i];
    std::vector<double> positions = positions_of(cell, "plain", 0, std::ssize(both.tokens));
    if (i + 1 < sequences.size()) {
      const Sequence& second = sequences[i + 1];
      both.tokens.insert(both.tokens.end(), second.tokens.begin(), second.tokens.end());
      both.targets.insert(both.targets.end(), second.targets.begin(), second.targets.end());
      both.mask.insert(both.mask.end(), second.mask.begin(), second.mask.end());
      for (std::size_t t = 0; t < second.tokens.size(); ++t) positions.push_back(static_cast<double>(t));
    }
    add(network, both, positions, losses);
  }
  CHECK_THAT(curve(record, "training_loss")[0], check::WithinAbs(losses.mean(), 1e-9));
}

TEST_CASE("length-generalisation: the same gradient whether sequences go through the network at once or one by one") {
  const Values steps{{"steps", whole(9)}, {"learning_rate", real(0.01)}};
  const auto losses = [&](const std::string& how, const std::string& scheme) {
    return curve(train(placed(how, scheme, steps)), "training_loss");
  };
  const std::vector<double> plain = losses("plain", "alibi"), shifted = losses("shifted", "alibi");
  for (std::size_t i = 0; i < plain.size(); ++i) CHECK_THAT(shifted[i], check::WithinAbs(plain[i], 1e-9));
  CHECK(plain.front() - plain.back() > 0.1);
}

TEST_CASE("length-generalisation: a table has a row for each position that training reaches") {
  for (const std::string how : {"plain", "shifted", "randomised", "packed"}) {
    CAPTURE(how);
    const Record record = train(placed(how, "learned"));
    const bool reaches = how == "shifted" || how == "randomised";
    CHECK(curve(record, "scheme_numbers")[0] == 16 * (reaches ? range : 12));
    CHECK(curve(record, "refused")[2] == (reaches ? 0 : 1));
  }
}

TEST_CASE("length-generalisation: images stand on their grid, in training and when they are measured") {
  const auto on_grid = [](const std::string& scheme, std::vector<std::int64_t> extents) {
    Cell cell = placed("plain", scheme,
                       {{"task", word("image-position")},
                        {"mask", word("none")},
                        {"largest", whole(3)},
                        {"steps", whole(60)},
                        {"batch", whole(16)},
                        {"init_std", real(0.02)},
                        {"learning_rate", real(0.01)},
                        {"size", list({3, 4})}});
    cell.placement.policy = poslab::data::Placement::Policy::grid;
    cell.placement.extents = std::move(extents);
    cell.model = {32, 4, 8};
    return cell;
  };
  const Cell cell = on_grid("rope-2d", {3, 3});
  REQUIRE_FALSE(why_skip(cell));
  const Record record = train(cell), blind = train(on_grid("none", {3, 3}));
  CHECK(curve(record, "accuracy")[0] > 0.4);
  CHECK(curve(record, "accuracy")[1] > 0.25);
  CHECK(curve(blind, "accuracy")[0] < 0.3);
  CHECK_THAT(why_skip(on_grid("rope-2d", {3, 4})).value().reason, check::contains("3 x 3 patches"));
  Cell line = on_grid("rope-2d", {3, 3});
  line.axes.set("task", word("bucket-sort"));
  CHECK_THAT(why_skip(line).value().reason, check::contains("bucket-sort has sequences in a line"));
  line = on_grid("rope-2d", {3, 3});
  line.axes.set("train_positions", word("shifted"));
  CHECK_THAT(why_skip(line).value().reason, check::contains("train_positions"));
}

TEST_CASE("length-generalisation: positions that a scheme does not serve are a sentence") {
  CHECK_THAT(why_skip(placed("random-reals", "learned")).value().reason, check::contains("0.5"));
  CHECK_THAT(why_skip(placed("shifted", "alibi", {{"train_range", whole(11)}})).value().reason,
             check::contains("no room for 12 tokens"));
  CHECK_THAT(
      why_skip(placed("packed", "alibi", {{"task", word("bucket-sort")}, {"mask", word("none")}})).value().reason,
      check::contains("for decoders"));
  Cell table = placed("randomised", "learned");
  table.parameters.set("max_length", whole(39));
  CHECK_THAT(why_skip(table).value().reason, check::contains("39"));
  Cell drawn = placed("plain", "alibi");
  drawn.placement.policy = poslab::data::Placement::Policy::shifted;
  CHECK_THAT(why_skip(drawn).value().reason, check::contains("train_positions"));
}

TEST_CASE("length-generalisation: placed sequences give the same bits on 1, 2 and 8 threads") {
  for (const std::string how : {"randomised", "packed"})
    cells::check_same_on_threads([&] {
      return bytes_of(train(placed(how, "rope", {{"steps", whole(4)}, {"learning_rate", real(0.01)}})));
    });
}
