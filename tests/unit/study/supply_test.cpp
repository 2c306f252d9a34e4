// SPDX-License-Identifier: Apache-2.0
// What is handed to cells: it is part of their identity, weights say how many repeats there are, and what does not fit
// is refused before anything runs.
#include "poslab/study/plan.hpp"

#include "catch.hpp"
#include "fake_catalogue.hpp"

using namespace poslab;

namespace {

// A text for every cell, and weights of `learned` for some repeats.
struct FakeSupply : study::SupplyView {
  std::string text = "ab12";
  int repeats = 3;
  std::vector<data::Given> of(const data::Cell& cell) const override {
    std::vector<data::Given> given{{"text", text}};
    if (cell.variant.scheme == "learned") given.push_back({data::given_weights, "w" + std::to_string(cell.repeat)});
    return given;
  }
  std::optional<int> repeats_of(const data::Cell& cell) const override {
    return cell.variant.scheme == "learned" ? std::optional(repeats) : std::nullopt;
  }
};

study::Plan planned(const study::SupplyView& supply, const std::string& repeats = "",
                    const std::optional<base::Refusal>& misfit = {}) {
  const study::Study study = fake::parse(
      "format = 1\ntitle = 't'\nseed = 1\n[[scheme]]\nuse = 'none'\n[[scheme]]\nuse = 'learned'\nset = { max_length = "
      "8 }\n[[experiment]]\nuse = 'uniqueness'\n" +
      repeats);
  return study::make_plan(study, fake::catalogue(), fake::each([&](const data::Cell& cell) {
                            data::Forecast forecast;
                            if (cell.variant.scheme == "learned") forecast.misfit = misfit;
                            return forecast;
                          }),
                          supply);
}

}  // namespace

TEST_CASE("supply: a variant has as many repeats as there are weights, each with its own") {
  const study::Plan plan = planned(FakeSupply{});
  REQUIRE(plan.cells.size() == 4);
  CHECK(plan.cells[0].given == std::vector<data::Given>{{"text", "ab12"}});
  for (int repeat = 0; repeat < 3; ++repeat) {
    const data::Cell& cell = plan.cells[1 + static_cast<std::size_t>(repeat)];
    CHECK(cell.repeat == repeat);
    REQUIRE(cell.find_given(data::given_weights));
    CHECK(cell.find_given(data::given_weights)->hash == "w" + std::to_string(repeat));
  }
  CHECK(planned(FakeSupply{}, "repeats = 2\n").cells.size() == 4);  // two of `none`, two of `learned`
}

TEST_CASE("supply: repeats share work where they are given the same, and the first of them is planned to do it") {
  const study::Study study = fake::parse(
      "format = 1\ntitle = 't'\n[[scheme]]\nuse = 'none'\n[[scheme]]\nuse = 'learned'\nset = { max_length = 8 }\n"
      "[[experiment]]\nuse = 'uniqueness'\nrepeats = 3\n");
  data::Forecast forecast;
  forecast.shares_work = true;
  forecast.estimate = {1, 10, 6, {}};
  const study::Plan plan =
      study::make_plan(study, fake::catalogue(), fake::each([&](const data::Cell&) { return forecast; }), FakeSupply{});
  REQUIRE(plan.cells.size() == 6);
  for (const std::size_t i : {0, 1, 2}) CHECK(plan.cells[i].shares_work);
  for (const std::size_t i : {3, 4, 5}) CHECK_FALSE(plan.cells[i].shares_work);  // each has weights of its own
  CHECK(plan.estimates[0].operations == 10);
  for (const std::size_t i : {1, 2}) CHECK(plan.estimates[i].operations == 4);
  for (const std::size_t i : {3, 4, 5}) CHECK(plan.estimates[i].operations == 10);
}

TEST_CASE("supply: more repeats than there are weights are refused") {
  CHECK_THROWS_WITH(planned(FakeSupply{}, "repeats = 4\n"),
                    check::starts_with("4 repeats are asked for, but what is given was trained in 3") &&
                        check::contains("say repeats = 3") && check::contains("uniqueness of learned"));
}

TEST_CASE("supply: weights that do not fit are refused, with the cell") {
  CHECK_THROWS_WITH(planned(FakeSupply{}, "", "wants 8 x 16"),
                    check::starts_with("--weights do not fit: wants 8 x 16") &&
                        check::contains("uniqueness of learned"));  // the culprit before a label that may be long
}

TEST_CASE("supply: a cell's identity is that of what it was given") {
  FakeSupply other;
  other.text = "cd34";
  const study::Plan plan = planned(FakeSupply{}), changed = planned(other), without = planned(study::SupplyView());
  CHECK(plan.cells[0].id != changed.cells[0].id);
  CHECK(plan.cells[0].id != without.cells[0].id);
  CHECK(plan.cells[0].id == planned(FakeSupply{}).cells[0].id);
  CHECK(plan.cells[1].id != plan.cells[2].id);
}
