// SPDX-License-Identifier: Apache-2.0
// Arrays: how many numbers they have, from none on.
#include "poslab/base/array.hpp"

#include <utility>

#include "catch.hpp"

using namespace poslab::base;

TEST_CASE("an array of nothing has no numbers, and one of rank 0 has one") {
  const Array<double> nothing;
  CHECK(nothing.size() == 0);
  CHECK(nothing.flat().empty());
  CHECK(nothing.view().empty());
  CHECK(nothing.view().begin() == nothing.view().end());
  CHECK(nothing.copy().size() == 0);
  CHECK(View<const double>().flat().empty());
  Array<double> one(std::initializer_list<Index>{});
  REQUIRE(one.flat().size() == 1);
  CHECK(one.flat()[0] == 0);
  CHECK(Array<double>{3, 0}.flat().empty());
}

TEST_CASE("an array that was moved from has no numbers, and the other has them") {
  Array<double> from{2, 3};
  from.fill(7);
  Array<double> to = std::move(from);
  CHECK(from.flat().empty());  // NOLINT(bugprone-use-after-move): what is left is defined
  REQUIRE(to.flat().size() == 6);
  CHECK(to(1, 2) == 7);
  Array<double> again;
  again = std::move(to);
  CHECK(to.flat().empty());  // NOLINT(bugprone-use-after-move)
  CHECK(again.extent(1) == 3);
  CHECK(again(1, 2) == 7);
}

TEST_CASE("views of parts of an array") {
  Array<int> numbers{4, 3, 2};
  for (Index i = 0; i < numbers.size(); ++i) numbers.data()[i] = static_cast<int>(i);
  const View<int> view = numbers;
  CHECK(view[2](1, 1) == 15);
  CHECK(view[2].rank == 2);
  CHECK(view.rows(1, 2)(1, 0, 0) == 12);
  CHECK(view.rows(1, 2).size() == 12);
  CHECK(view.rows(4, 0).empty());
}
