// SPDX-License-Identifier: Apache-2.0
// Signatures against what the schemes are made of, and the fast way against the definition.
#include "poslab/attention/signatures.hpp"

#include <algorithm>
#include <cmath>

#include "catch.hpp"
#include "schemes.hpp"

using namespace poslab;
using attention::Offsets;
using attention::SignatureKind;
using test::Index;
using test::Subject;

namespace {

constexpr Index H = 2, K = 4;
const host::Model model{H * K, H, 20};

template <class S>
base::Array<S> offsets_of(const Subject<S>& subject, Offsets kind, Index count) {
  return attention::offset_signatures<S>(subject.scheme, {count, 20, kind == Offsets::causal}, test::positions(count),
                                         attention::query_of(kind, {&count, 1}), subject.layer());
}

// Those of tokens in a row.
std::vector<double> offset_values(Offsets kind, Index count) {
  const auto vectors = attention::offset_vectors(test::positions(count).view(), attention::query_of(kind, {&count, 1}));
  return {vectors.flat().begin(), vectors.flat().end()};
}

}  // namespace

TEST_CASE("signatures: offsets run from 0, or evenly to both sides of the middle") {
  CHECK(offset_values(Offsets::causal, 4) == std::vector<double>{0, 1, 2, 3});
  CHECK(offset_values(Offsets::both, 5) == std::vector<double>{-2, -1, 0, 1, 2});
  CHECK(offset_values(Offsets::both, 4) == std::vector<double>{-1, 0, 1, 2});
  CHECK(offset_values(Offsets::both, 1) == std::vector<double>{0});
}

TEST_CASE("signatures: on a grid an offset is how far the key lies before the query, along each axis") {
  base::Array<double> positions{4, 2};
  const double tokens[4][2] = {{0, 0}, {0, 1}, {2, 0}, {2, 1}};
  for (Index n = 0; n < 4; ++n)
    for (Index axis = 0; axis < 2; ++axis) positions(n, axis) = tokens[n][axis];
  const auto vectors = attention::offset_vectors(positions.view(), 3);
  const std::vector<double> expected{0, 0, 0, 1, 2, 0, 2, 1};
  CHECK(std::vector<double>(vectors.flat().begin(), vectors.flat().end()) == expected);
}

TEST_CASE("signatures: which scheme has which") {
  const auto why = [](const char* id, SignatureKind kind) {
    return attention::why_no_signature(Subject<double>(id, model).scheme, kind);
  };
  for (const char* id : {"sinusoidal", "rope", "learned", "index"}) {
    CHECK_FALSE(why(id, SignatureKind::position));
    CHECK_THAT(why(id, SignatureKind::offset).value().reason, check::contains("gives offsets no code of their own"));
    CHECK(attention::natural_kind(Subject<double>(id, model).scheme) == SignatureKind::position);
  }
  for (const char* id : {"alibi", "t5", "shaw", "transformer-xl"}) {
    CHECK_FALSE(why(id, SignatureKind::offset));
    CHECK_THAT(why(id, SignatureKind::position).value().reason,
               check::contains("gives positions no code of their own"));
    CHECK(attention::natural_kind(Subject<double>(id, model).scheme) == SignatureKind::offset);
  }
  CHECK_FALSE(why("none", SignatureKind::position));
  CHECK_FALSE(why("none", SignatureKind::offset));
}

TEST_CASE("signatures: none gives zeros, encode its rows, a rotation its cosines and sines") {
  const base::Array<double> positions = test::positions(6);
  const auto of = [&](const char* id, const data::Values& parameters) {
    const Subject<double> subject(id, model, parameters);
    return attention::position_signatures<double>(subject.scheme, {6, 20, true}, positions, subject.layer());
  };
  const base::Array<double> none = of("none", {});
  CHECK(none.extent(1) == 1);
  CHECK(std::all_of(none.flat().begin(), none.flat().end(), [](double x) { return x == 0; }));

  const base::Array<double> learned = of("learned", {});
  const Subject<double> table("learned", model);
  CHECK(test::largest_difference<double>(learned, table.layer()[0].rows(0, 6)) == 0);

  const base::Array<double> rope = of("rope", {{"style", "interleaved"}});
  REQUIRE(rope.extent(1) == H * K);
  for (Index p = 0; p < 6; ++p)
    for (Index c = 0; c < H * K; c += 2) {
      const double angle = static_cast<double>(p) * std::pow(1e4, -static_cast<double>(c % K) / K);
      CHECK_THAT(rope(p, c), check::WithinAbs(std::cos(angle) - std::sin(angle), 1e-15));
      CHECK_THAT(rope(p, c + 1), check::WithinAbs(std::cos(angle) + std::sin(angle), 1e-15));
    }
}

TEST_CASE("signatures: the bias of every head is all of ALiBi and T5") {
  const base::Array<double> alibi = offsets_of(Subject<double>("alibi", model), Offsets::causal, 9);
  REQUIRE(alibi.extent(1) == H);
  const Subject<double> t5("t5", model);
  const base::Array<double> buckets = offsets_of(t5, Offsets::causal, 9);
  REQUIRE(buckets.extent(1) == H);
  for (Index r = 0; r < 9; ++r)
    for (Index h = 0; h < H; ++h) {
      CHECK(alibi(r, h) == -static_cast<double>(r) * std::exp2(-4.0 * static_cast<double>(h + 1)));
      CHECK(buckets(r, h) == t5.layer()[0](r, h));
    }
}

TEST_CASE("signatures: Shaw's are the scaled rows of a^K and the rows of a^V") {
  const Subject<double> shaw("shaw", model, {{"clip", std::int64_t{3}}});
  const auto tables = shaw.layer();
  for (const Offsets kind : {Offsets::causal, Offsets::both}) {
    const base::Array<double> rows = offsets_of(shaw, kind, 9);
    const std::vector<double> offsets = offset_values(kind, 9);
    REQUIRE(rows.extent(1) == 2 * H * K);
    for (Index i = 0; i < 9; ++i)
      for (Index c = 0; c < H * K; ++c) {
        const Index row = std::clamp<Index>(-static_cast<Index>(offsets[static_cast<std::size_t>(i)]), -3, 3) + 3;
        CHECK(rows(i, c) == tables[0](row, c % K) / std::sqrt(static_cast<double>(K)));
        CHECK(rows(i, H * K + c) == tables[1](row, c % K));
      }
  }
}

TEST_CASE("signatures: Transformer-XL's are v . W_r R, W_r R and u, all scaled") {
  const Subject<double> xl("transformer-xl", model);
  const auto weights = xl.layer();  // u [H, K], v [H, K], W_r [H K, D]
  const base::Array<double> rows = offsets_of(xl, Offsets::causal, 9);
  REQUIRE(rows.extent(1) == H + 2 * H * K);
  const double scale = 1 / std::sqrt(static_cast<double>(K));
  const Index D = H * K;
  for (Index r = 0; r < 9; ++r)
    for (Index h = 0; h < H; ++h) {
      double constant = 0;
      for (Index a = 0; a < K; ++a) {
        double projected = 0;
        for (Index c = 0; c < D; ++c) {
          const double angle =
              static_cast<double>(r) * std::pow(1e4, -2.0 * static_cast<double>(c % (D / 2)) / static_cast<double>(D));
          projected += weights[2](h * K + a, c) * (c < D / 2 ? std::sin(angle) : std::cos(angle));
        }
        constant += weights[1](h, a) * projected;
        CHECK_THAT(rows(r, H + h * K + a), check::WithinAbs(scale * projected, 1e-16));
        CHECK_THAT(rows(r, H + D + h * K + a), check::WithinAbs(scale * weights[0](h, a), 1e-16));
      }
      CHECK_THAT(rows(r, h), check::WithinAbs(scale * constant, 1e-16));
    }
}

TEST_CASE("signatures: a few tiles, or one call without contents, say what content by content says") {
  for (const char* id : {"none", "alibi", "t5", "shaw", "transformer-xl", "tupe"})
    for (const Offsets kind : {Offsets::causal, Offsets::both})
      for (const Index count : {1, 2, 5, 12}) {
        CAPTURE(id, count, kind == Offsets::both);
        const Subject<double> subject(id, model);
        const Subject<float> single(id, model);
        const host::Context context{count, 20, kind == Offsets::causal};
        CHECK(test::largest_difference<double>(offsets_of(subject, kind, count),
                                               attention::offset_signatures_reference<double>(
                                                   subject.scheme, context, kind, count, subject.layer())) < 1e-16);
        CHECK(test::largest_difference<float>(offsets_of(single, kind, count),
                                              attention::offset_signatures_reference<float>(
                                                  single.scheme, context, kind, count, single.layer())) < 1e-8);
      }
}

TEST_CASE("signatures: several contexts have the same columns") {
  const Subject<double> alibi("alibi", model);
  const std::vector<attention::OffsetContext> contexts{{{1, 20, true}, 1}, {{4, 20, true}, 4}};
  const auto [rows, cancelling] =
      attention::offset_signatures<double>(alibi.scheme, contexts, Offsets::causal, alibi.layer());
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].extent(0) == 1);
  CHECK(rows[1].extent(0) == 4);
  CHECK(rows[0].extent(1) == H);  // zero at offset 0, but not in the longer context
  CHECK(rows[1].extent(1) == H);
  CHECK(offsets_of(alibi, Offsets::causal, 1).extent(1) == 1);
  CHECK(cancelling == H);  // all of it is a bias
}

TEST_CASE("signatures: of which columns softmax cancels a constant: those that meet no key") {
  const std::vector<attention::OffsetContext> contexts{{{4, 20, true}, 4}};
  const auto cancelling = [&](const char* id) {
    const Subject<double> subject(id, model);
    return attention::offset_signatures<double>(subject.scheme, contexts, Offsets::causal, subject.layer()).cancelling;
  };
  const Index K = model.model_width / H;
  CHECK(cancelling("none") == 0);
  CHECK(cancelling("t5") == H);
  CHECK(cancelling("shaw") == H * K);                // q.a_r, but not the value rows
  CHECK(cancelling("transformer-xl") == H * K + H);  // v.r and q.r; u.k, whose v is with the key, not
}
