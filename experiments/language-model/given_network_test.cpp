// SPDX-License-Identifier: Apache-2.0
// A network that was trained and kept, given to another cell: the same network, gone on with, on other instances, and
// refused where it is another one.
#include <algorithm>
#include <cmath>

#include "catch.hpp"
#include "naive_network.hpp"
#include "poslab/experiment/given_network.hpp"
#include "poslab/tasks/task.hpp"
#include "trainings.hpp"

namespace {

using namespace trainings;
using cells::Cell;
using poslab::base::Index;
using poslab::data::GivenNetwork;
using poslab::data::Record;

constexpr std::int64_t trained_steps = 7, batch = 3;

Cell trained(const std::string& scheme, const Values& axes = {}) {
  Values all{{"task", word("markov")},      {"layers", whole(2)},  {"train_length", whole(6)},
             {"batch", whole(batch)},       {"warm_up", whole(2)}, {"multiple", list({1, 2})},
             {"held_out", whole(5)},        {"sliding", whole(3)}, {"steps", whole(trained_steps)},
             {"learning_rate", real(0.05)}, {"keep_weights", true}};
  for (const auto& [name, value] : axes) all.set(name, value);
  return {"language-model", scheme, all, {}, {16, 2, 6}};
}

Cell with(Cell cell, const Values& axes) {
  for (const auto& [name, value] : axes) cell.axes.set(name, value);
  return cell;
}

GivenNetwork given_by(const Cell& cell) { return network_of(train(cell), cells::all_axes(cell)); }

// NaN is NaN.
bool same_numbers(const Record& a, const Record& b, const std::string& measure) {
  const std::vector<double>&one = curve(a, measure), &other = curve(b, measure);
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

// The mean loss of the batch of an update.
double naive_loss(const naive::Network& network, const Cell& cell, std::uint64_t step) {
  const auto task = poslab::tasks::find_task("markov").make("");
  double loss = 0, asked = 0;
  for (std::uint64_t b = 0; b < batch; ++b) {
    const auto sequence =
        task->sample(draws_of(cell).contents("task"), poslab::tasks::Part::training, step * batch + b, 6);
    const auto said = network.says(sequence.tokens);
    for (std::size_t t = 0; t < said.size(); ++t)
      if (sequence.mask[t]) loss -= said[t][static_cast<std::size_t>(sequence.targets[t])], ++asked;
  }
  return loss / asked;
}

}  // namespace

TEST_CASE("language-model: a network that was kept is the one that was trained") {
  for (const std::string scheme : {"rope", "learned", "t5", "sinusoidal", "bert-relative"})
    for (const std::string dtype : {"float32", "float64"}) {
      CAPTURE(scheme, dtype);
      const Cell cell = trained(scheme, {{"dtype", word(dtype)}});
      const Record first = train(cell);
      const GivenNetwork network = network_of(first, cells::all_axes(cell));
      const Cell again = with(cell, {{"steps", whole(0)}, {"moments", word("kept")}});
      REQUIRE_FALSE(why_not_network(again, network));
      const Record second = train(again, {.network = &network});
      for (const char* measure : {"loss", "accuracy", "sliding_loss", "sink_share", "gradient_share"})
        CHECK(same_numbers(first, second, measure));
      CHECK(curve(second, "held_out_loss") == std::vector<double>{curve(first, "held_out_loss").back()});
      CHECK(std::isnan(curve(second, "training_loss").at(0)));
      CHECK(second.training().steps == 0);
      for (const poslab::data::KeptArray& array : first.kept())
        CHECK(poslab::data::find_array(second.kept(), array.name)->values == array.values);
    }
}

TEST_CASE("language-model: a network goes on where it was, with instances that it has not seen") {
  const Cell cell = trained("sinusoidal", {{"dtype", word("float64")}});
  const Record first = train(cell);
  const GivenNetwork network = network_of(first, cells::all_axes(cell));
  const Cell more = with(cell, {{"steps", whole(1)}, {"learning_rate", real(1e-60)}});
  const Record second = train(more, {.network = &network});
  const double before = curve(first, "held_out_loss").back();
  CHECK(curve(second, "held_out_loss").size() == 2);
  for (const double loss : curve(second, "held_out_loss")) CHECK_THAT(loss, check::WithinAbs(before, 1e-12));
  naive::Network naive(first, 2, true);
  naive.embedding_scale = 4;
  naive.code = [](auto p, auto d) { return naive::sinusoid(p, d, 16); };
  CHECK_THAT(curve(second, "training_loss").at(0), check::WithinAbs(naive_loss(naive, cell, trained_steps), 1e-10));
  CHECK(std::abs(naive_loss(naive, cell, 0) - naive_loss(naive, cell, trained_steps)) > 1e-3);
}

TEST_CASE("language-model: with its moments a training goes on as if it had never ended") {
  // A constant rate, as each training has a schedule of its own.
  const Values axes{{"warm_up", whole(0)}, {"last_rate", real(1)}, {"learning_rate", real(0.01)}};
  for (const std::string scheme : {"rope", "learned", "t5", "kerple"})
    for (const std::string dtype : {"float32", "float64"}) {
      CAPTURE(scheme, dtype);
      const Cell part = with(trained(scheme, axes), {{"dtype", word(dtype)}, {"moments", word("kept")}});
      const Record in_one_go = train(with(part, {{"steps", whole(3 * trained_steps)}}));
      Record last = train(part);
      for (int more = 0; more < 2; ++more) {
        const GivenNetwork network = network_of(last, cells::all_axes(part));
        REQUIRE_FALSE(why_not_network(part, network));
        last = train(part, {.network = &network});
      }
      for (const char* measure : {"loss", "accuracy", "sliding_loss", "sink_share", "gradient_share"})
        CHECK(same_numbers(in_one_go, last, measure));
      CHECK(curve(in_one_go, "held_out_loss").back() == curve(last, "held_out_loss").back());
      REQUIRE(in_one_go.kept().size() == last.kept().size());
      for (const poslab::data::KeptArray& array : in_one_go.kept()) {
        CAPTURE(array.name);
        CHECK(poslab::data::find_array(last.kept(), array.name)->values == array.values);
      }
    }
}

TEST_CASE("language-model: without its moments, or where they are not asked for, the optimiser begins anew") {
  const Cell cell = trained("learned"), on = with(cell, {{"moments", word("kept")}});
  const GivenNetwork network = given_by(on);
  CHECK_FALSE(experiments::has_moments(given_by(cell)));
  GivenNetwork bare = network;
  std::erase_if(bare.arrays, [](const auto& array) { return array.name.starts_with("optimiser/"); });
  CHECK(network.arrays.size() > 2 * bare.arrays.size());
  const Record taken_over = train(on, {.network = &network}), not_asked = train(cell, {.network = &network}),
               not_there = train(on, {.network = &bare});
  CHECK(curve(not_asked, "training_loss") == curve(not_there, "training_loss"));
  CHECK(curve(not_asked, "training_loss")[0] == curve(taken_over, "training_loss")[0]);  // moments show afterwards
  CHECK(curve(not_asked, "training_loss").back() != curve(taken_over, "training_loss").back());
  CHECK(experiments::moments_note(network, cells::all_axes(on)) == "with its moments");
  CHECK(experiments::moments_note(bare, cells::all_axes(on)) == "which keeps no moments: they begin anew");
  CHECK(experiments::moments_note(network, cells::all_axes(cell)).empty());
}

TEST_CASE("language-model: an interrupted training that has taken moments over ends with the same bits") {
  const Cell cell = with(trained("learned"), {{"moments", word("kept")}});
  const GivenNetwork network = given_by(cell);
  const std::string expected = cells::bytes_of(train(cell, {.network = &network}));
  for (const std::uint64_t stop : {1, 4, 7}) {
    Interrupted stopped("", 1, stop);
    CHECK_THROWS_AS(train(cell, {.attempt = stopped, .network = &network}), Interruption);
    Interrupted rest(stopped.kept, 1, 0);
    CHECK(cells::bytes_of(train(cell, {.attempt = rest, .network = &network})) == expected);
    CHECK(rest.first == stop);
  }
}

TEST_CASE("language-model: with a network goes an example, whose logits are its own") {
  const Cell cell = trained("alibi", {{"dtype", word("float64")}});
  const Record record = train(cell);
  naive::Network naive(record, 2, true);
  naive.bias = [](auto h, auto i, auto j) { return naive::alibi(2, h, i, j); };
  const auto &tokens = *poslab::data::find_array(record.kept(), "example/tokens"),
             &logits = *poslab::data::find_array(record.kept(), "example/logits");
  std::vector<std::int32_t> sequence;
  for (std::size_t t = 0; t < tokens.size(); ++t) sequence.push_back(static_cast<std::int32_t>(tokens.value(t)));
  const auto said = naive.says(sequence);
  REQUIRE(logits.shape == std::vector<std::int64_t>{6, 8});
  for (std::size_t t = 0; t < 6; ++t)
    for (std::size_t v = 1; v < 8; ++v)
      CHECK_THAT(logits.value(t * 8 + v) - logits.value(t * 8), check::WithinAbs(said[t][v] - said[t][0], 1e-10));
}

TEST_CASE("language-model: a network that its example contradicts is said to have changed") {
  const auto error_of = [](const Cell& cell, const GivenNetwork& network) {
    const Values axes = cells::all_axes(cell);
    const poslab::host::Scheme scheme(cells::plugin(cell.scheme), cell.parameters, model_of(cell, axes));
    return experiments::example_error(network, poslab::host::LayerSchemes(scheme));
  };
  const Cell of_vectors{"length-generalisation",
                        "alibi",
                        {{"task", word("retrieval")},
                         {"layers", whole(1)},
                         {"smallest", whole(3)},
                         {"largest", whole(9)},
                         {"size", list({4, 8})},
                         {"batch", whole(4)},
                         {"steps", whole(6)},
                         {"warm_up", whole(2)},
                         {"held_out", whole(12)},
                         {"keep_weights", true}},
                        {},
                        {16, 2, 8}};
  std::vector<Cell> all{of_vectors};
  for (const char* scheme : {"none", "rope", "learned", "bert-relative"}) all.push_back(trained(scheme));
  for (const Cell& plain : all)
    for (const std::string dtype : {"float32", "float64"}) {
      CAPTURE(plain.scheme, dtype);
      const Cell cell = with(plain, {{"dtype", word(dtype)}});
      const GivenNetwork network = given_by(cell);
      CHECK(error_of(cell, network) == 0.0);
      CHECK(experiments::changed_note(0).empty());
      for (const poslab::data::KeptArray& array : network.arrays) {
        CAPTURE(array.name);
        if (!array.name.ends_with("/value/weight") && !array.name.starts_with("scheme/")) continue;
        GivenNetwork changed = network;
        for (poslab::data::KeptArray& other : changed.arrays)
          if (other.name == array.name)
            std::visit(
                [](auto& numbers) {
                  for (auto& number : numbers) number *= 2;
                },
                other.values);
        const double error = error_of(cell, changed).value();
        CHECK(error > 1e-3);
        CHECK_THAT(experiments::changed_note(error), check::contains("changed since elsewhere"));
      }
      const auto without = [&](const std::string& name) {
        GivenNetwork changed = network;
        std::erase_if(changed.arrays, [&](const auto& array) { return array.name == name; });
        return error_of(cell, changed);
      };
      CHECK_FALSE(without("example/logits"));
      CHECK_FALSE(without("network/norm/weight"));  // for others to refuse
      CHECK(std::isinf(without(&plain == &all.front() ? "example/vectors" : "example/tokens").value()));
    }
}

TEST_CASE("language-model: zero steps without a network measure the one that is drawn") {
  const Record record = train(trained("rope", {{"steps", whole(0)}}));
  CHECK_THAT(curve(record, "loss").at(0), check::WithinAbs(std::log(8.0), 0.01));
  CHECK(record.coordinate_of("held_out_step")->values == std::vector<double>{0});
}

TEST_CASE("language-model: what is another network is a sentence") {
  const Cell cell = trained("rope", {{"moments", word("kept")}});
  const GivenNetwork network = given_by(cell);
  CHECK_FALSE(why_not_network(cell, network));
  const auto refused = [&](const Values& axes) { return why_not_network(with(cell, axes), network); };
  CHECK(refused({{"norm", word("rms")}}).value().reason == "it was trained with norm = layer, and rms is asked for");
  CHECK(refused({{"layers", whole(3)}}).value().reason == "it was trained with layers = 2, and 3 is asked for");
  CHECK(refused({{"gelu", word("exact")}}).value().reason == "it was trained with gelu = tanh, and exact is asked for");
  CHECK(refused({{"embedding_scale", word("sqrt-width")}}).value().reason.find("embedding_scale") != std::string::npos);
  CHECK(refused({{"task", word("copy-repeated")}}).value().reason.find("its array network/token_embedding is 8 x 16") ==
        0);
  CHECK_FALSE(refused({{"init_std", real(0.5)}, {"steps", whole(0)}, {"train_length", whole(24)}}));
  GivenNetwork spoilt = network;
  spoilt.arrays.erase(spoilt.arrays.begin());
  CHECK(why_not_network(cell, spoilt).value().reason == "it has no array network/token_embedding");
  spoilt = network;
  std::get<std::vector<float>>(spoilt.arrays[0].values)[3] = std::nanf("");
  CHECK(why_not_network(cell, spoilt).value().reason == "its array network/token_embedding is no number at 3");
  spoilt = network;
  spoilt.arrays.push_back({"network/extra", {1}, std::vector<double>{1}});
  CHECK(why_not_network(cell, spoilt).value().reason.find("it has an array \"network/extra\"") == 0);
  for (const char* moment : {"first", "second"}) {
    spoilt = network;
    const std::string name = std::string("optimiser/") + moment + "/network/norm/weight";
    std::erase_if(spoilt.arrays, [&](const auto& array) { return array.name == name; });
    CHECK(why_not_network(cell, spoilt).value().reason == "it has no array " + name);
  }
  spoilt = network;
  for (auto& array : spoilt.arrays)
    if (array.name == "optimiser/steps") array.values = std::vector<double>{-1};
  CHECK(why_not_network(cell, spoilt).value().reason == "its optimiser/steps is no whole number from 0");
  spoilt = network;
  spoilt.axes = {};
  CHECK(why_not_network(cell, spoilt).value().reason.find("its file does not say its mask") == 0);
}

TEST_CASE("language-model: a network of a text knows its characters in another text") {
  const std::string one = "abcdabcdabdcabcdabcdabcdabcdabcdacbdabcdabcdabcdabcdabcdabcdabcd",
                    other = one + "aabbaabbaabb", foreign = one + "xxxx";
  std::string without_c;
  for (const char c : other)
    if (c != 'c') without_c += c;
  const Cell cell = trained("none", {{"task", word("text")}, {"multiple", list({1})}, {"train_length", whole(4)}});
  const experiments::Files of_one{{"text", one}}, of_other{{"text", without_c}}, strange{{"text", foreign}};
  const GivenNetwork network = network_of(train(cell, {.files = of_one}), cells::all_axes(cell));
  const Cell again = with(cell, {{"steps", whole(0)}});
  REQUIRE_FALSE(why_not_network(again, network, of_other));
  CHECK(why_not_network(again, network, strange).value().reason.find("the file has the byte 120") == 0);
  const Record record = train(again, {.files = of_other, .network = &network});
  naive::Network naive(record, 2, true);
  const auto task = poslab::tasks::find_task("text").make_over(without_c, "abcd");
  CHECK(task->vocabulary() == 4);
  double loss = 0, asked = 0;
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(5, task->instances(poslab::tasks::Part::held_out, 4)); ++i) {
    const auto sequence = task->sample(draws_of(cell).contents("task"), poslab::tasks::Part::held_out, i, 4);
    const auto said = naive.says(sequence.tokens);
    for (std::size_t t = 0; t < 4; ++t) loss -= said[t][static_cast<std::size_t>(sequence.targets[t])], ++asked;
  }
  CHECK_THAT(curve(record, "loss").at(0), check::WithinAbs(loss / asked, 1e-5));
}
