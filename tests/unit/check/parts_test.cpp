// SPDX-License-Identifier: Apache-2.0
// The parts of checks: units in the last place, memory beside forbidden pages, variants, symbols, tolerances.
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "calls/make_call.hpp"
#include "calls/memory.hpp"
#include "calls/place.hpp"
#include "catch.hpp"
#include "claims/attack.hpp"
#include "list.hpp"
#include "poslab/check/check.hpp"
#include "poslab/experiment/experiment.hpp"
#include "variants.hpp"

namespace base = poslab::base;
namespace checks = poslab::check;
namespace data = poslab::data;
namespace experiments = poslab::experiments;
using checks::Tensor;

TEST_CASE("units in the last place, in both scalar types") {
  const double up = std::nextafter(1.0, 2.0);
  CHECK(checks::ulps_apart(1, 1, POSLAB_F64) == 0);
  CHECK(checks::ulps_apart(1, up, POSLAB_F64) == 1);
  CHECK(checks::ulps_apart(0.0, -0.0, POSLAB_F64) == 0);
  CHECK(checks::ulps_apart(NAN, NAN, POSLAB_F64) == 0);
  CHECK(std::isinf(checks::ulps_apart(1, NAN, POSLAB_F64)));
  CHECK(checks::ulps_apart(1, std::nextafterf(1.0F, 2.0F), POSLAB_F32) == 1);
  const double tiny = std::numeric_limits<double>::denorm_min();
  CHECK(checks::ulps_apart(-tiny, tiny, POSLAB_F64) == 2);
}

TEST_CASE("an entry has a place by the shape of its array: head, position, channel") {
  checks::Call call;
  call.operation = checks::Operation::bias;
  call.query_positions = Tensor({2, 1}, 7);
  call.key_positions = Tensor({3, 1});
  call.key_positions.at(2) = -1.5;
  call.output = Tensor({2, 2, 3});
  const auto place = [&](const char* name, Tensor& tensor, std::size_t entry) {
    return checks::entry_text(call, {name, &tensor, true}, entry);
  };
  CHECK(place("output", call.output, 11) == "entry 11 of `output` (head 1, query at position 7, key at position -1.5)");
  call.query_gradient = Tensor({2, 2, 4});
  CHECK(place("query_gradient", call.query_gradient, 13) ==
        "entry 13 of `query_gradient` (head 1, query at position 7, channel 1)");
  Tensor weight({5, 2});
  CHECK(place("weight_gradients[0]", weight, 7) == "entry 7 of `weight_gradients[0]` (index 3, index 1)");
  call.operation = checks::Operation::encode;
  call.positions = Tensor({2, 2}, 4);
  call.output = Tensor({2, 3});
  CHECK(place("output", call.output, 5) == "entry 5 of `output` (position (4, 4), channel 2)");
}

TEST_CASE("two numbers are so far apart, in a type, where so much is allowed") {
  CHECK(checks::gap_text(2.82842712, 2.82842563, 2.8e-13) ==
        "; 1.5e-06 apart in float64, where 2.8e-13 is allowed: about float32's rounding of such a number");
  CHECK(checks::gap_text(1, 3, 0, POSLAB_F32) == "; 2 apart in float32, where none is allowed");
  CHECK(checks::gap_text(1, NAN, 1) == "; in float64");
}

TEST_CASE("rows of a tensor along each axis") {
  Tensor tensor({2, 3, 2});
  for (std::size_t i = 0; i < tensor.numbers.size(); ++i) tensor.numbers[i] = static_cast<double>(i);
  CHECK(tensor.rows(0, 1, 1).numbers == std::vector<double>{6, 7, 8, 9, 10, 11});
  CHECK(tensor.rows(1, 1, 2).numbers == std::vector<double>{2, 3, 4, 5, 8, 9, 10, 11});
  CHECK(tensor.rows(2, 0, 1).numbers == std::vector<double>{0, 2, 4, 6, 8, 10});
}

TEST_CASE("memory is aligned, and a write beside an array is noticed") {
  for (const checks::Guard guard : {checks::Guard::none, checks::Guard::before, checks::Guard::after}) {
    checks::Memory memory(guard);
    for (const char* name : {"a", "b"}) {
      auto* data = static_cast<double*>(memory.take(name, 5, sizeof(double)));
      CHECK(reinterpret_cast<std::uintptr_t>(data) % 64 == 0);
      CHECK_FALSE(memory.written_outside());
      if (std::string(name) == "b") data[6] = 1;
    }
    REQUIRE(memory.written_outside());
    CHECK(memory.written_outside()->array == "b");
    CHECK(memory.written_outside()->index == 6);
    CHECK(checks::to_text(*memory.written_outside()) == "index 6 of `b`, after its end (it holds 5 numbers)");
  }
}

TEST_CASE("an address in guard pages belongs to an array and an index") {
  checks::Memory heap;
  const auto* free_lying = static_cast<const double*>(heap.take("a", 5, sizeof(double)));
  CHECK_FALSE(heap.guarded_by(free_lying + 5));
  checks::Memory memory(checks::Guard::before);
  const auto* a = static_cast<const float*>(memory.take("a", 100, sizeof(float)));
  const auto* b = static_cast<const double*>(memory.take("b", 3, sizeof(double)));
  const auto* bytes = reinterpret_cast<const char*>(b);
  CHECK(memory.guarded_by(a - 7)->array == "a");
  CHECK(memory.guarded_by(a - 7)->index == -7);
  CHECK(memory.guarded_by(a + 5000)->index == 5000);
  CHECK(memory.guarded_by(bytes - 1)->index == -1);
  CHECK(memory.guarded_by(bytes - 8)->index == -1);
  CHECK(memory.guarded_by(bytes - 9)->index == -2);
  CHECK(checks::to_text(*memory.guarded_by(b - 1)) == "index -1 of `b`, before its start (it holds 3 numbers)");
  CHECK_FALSE(memory.guarded_by(&memory));
}

TEST_CASE("variants: every choice and flag, both ends of a finite range, unset, nothing twice") {
  data::SchemeInfo scheme;
  data::Quantity choice, flag, whole, open, real;
  choice.name = "choice", choice.kind = data::Kind::choice, choice.choices = {"a", "b", "c"},
  choice.default_value.emplace<std::string>("b");
  flag.name = "flag", flag.kind = data::Kind::flag, flag.default_value = true;
  whole.name = "whole", whole.kind = data::Kind::integer, whole.default_value = std::int64_t{2},
  whole.may_be_unset = true;
  whole.range = {1, 10, true, false};
  open.name = "open", open.kind = data::Kind::real, open.default_value = 1.0;
  real.name = "real", real.kind = data::Kind::real, real.default_value = 0.5, real.range = {0, 1, false, true};
  scheme.parameters = {choice, flag, whole, open, real};
  std::vector<std::string> labels;
  for (const checks::Variant& variant : checks::variants_of(scheme, {}, {{8, 2, 64}})) labels.push_back(variant.label);
  CHECK(labels == std::vector<std::string>{"defaults, D=8 H=2", "choice=a, D=8 H=2", "choice=c, D=8 H=2",
                                           "flag=false, D=8 H=2", "whole=10, D=8 H=2", "whole=unset, D=8 H=2",
                                           "real=0.0, D=8 H=2"});
  CHECK(checks::variants_of(scheme, {{"flag", false}}, {}).size() == 2);  // two models, nothing else
}

TEST_CASE("values outside are outside") {
  data::Quantity real;
  real.name = "real";
  real.range = {0, 1, true, false};
  real.default_value = 0.5;
  for (const data::Value& value : checks::outside_values(real)) CHECK(data::why_not(real, value));
  CHECK(checks::outside_values(real).size() >= 4);  // below, above, the excluded end, nan
}

TEST_CASE("the tolerances of attacks are those that the experiments declare") {
  const auto declared = [](const char* experiment, const char* measure) {
    for (const experiments::Experiment& each : experiments::all_experiments())
      if (each.info.id == experiment) return each.info.measure(measure)->tolerance.text();
    return std::string("no such experiment");
  };
  CHECK(checks::logit_rounding.text() == declared("relative-shift", "content_error"));
  CHECK(checks::isometry_rounding.text() == declared("norm-preservation", "isometry_error"));
  CHECK(checks::norm_rounding.text() == declared("norm-preservation", "ratio_mean"));
}

TEST_CASE("every check has a name of its own and a sentence") {
  std::set<std::string> names;
  for (const checks::CheckInfo& info : checks::all_checks()) {
    CHECK(names.insert(info.name).second);
    CHECK_FALSE(info.sentence.empty());
  }
  CHECK_THROWS_AS(checks::perform_in_turn(
                      {"no-such-check"}, {}, [](const std::string&) {}, [] {}),
                  base::Error);
}
