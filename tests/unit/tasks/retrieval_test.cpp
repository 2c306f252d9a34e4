// SPDX-License-Identifier: Apache-2.0
// Retrieval from mixtures: the geometry of its items, what is asked, and its probes.
#include <algorithm>
#include <map>
#include <set>

#include "catch.hpp"
#include "tasks_at_hand.hpp"

using namespace at_hand;

namespace {

std::vector<double> vector_at(const Sequence& s, std::size_t t) {
  return {s.vectors.begin() + static_cast<std::ptrdiff_t>(64 * t),
          s.vectors.begin() + static_cast<std::ptrdiff_t>(64 * t + 64)};
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

Tokens labels_of(const Sequence& s) {
  Tokens labels;
  for (std::size_t t = 1; t < s.tokens.size(); t += 2) labels.push_back(s.tokens[t]);
  return labels;
}

// Each item with its label, and the query.
std::multiset<std::pair<std::vector<double>, std::int32_t>> pairs_of(const Sequence& s) {
  std::multiset<std::pair<std::vector<double>, std::int32_t>> pairs;
  for (std::size_t t = 0; t + 1 < s.tokens.size(); t += 2) pairs.insert({vector_at(s, t), s.tokens[t + 1]});
  pairs.insert({vector_at(s, s.tokens.size() - 1), -1});
  return pairs;
}

}  // namespace

TEST_CASE("retrieval: items and labels take turns, the last item is asked, labels have vectors of their own") {
  const auto task = at_hand::task("retrieval");
  std::map<std::int32_t, std::vector<double>> label_vectors;
  for (std::uint64_t i = 0; i < 200; ++i)
    for (const Part part : {Part::training, Part::held_out}) {
      const Sequence s = drawn(*task, 8, i, part);
      for (std::size_t t = 0; t < 17; ++t) CHECK((s.tokens[t] == 32) == (t % 2 == 0));
      const Tokens labels = labels_of(s);
      CHECK(std::count(labels.begin(), labels.end(), answer(s).at(0)) % 4 == 0);
      CHECK(std::count(labels.begin(), labels.end(), answer(s).at(0)) >= 4);
      CHECK(s.mask.back() == 1);
      for (std::size_t t = 1; t < 17; t += 2) {
        const auto& known = label_vectors.emplace(s.tokens[t], vector_at(s, t)).first->second;
        CHECK(known == vector_at(s, t));
      }
    }
  std::set<std::vector<double>> different;
  for (const auto& [label, vector] : label_vectors) different.insert(vector);
  CHECK(different.size() == 32);
}

TEST_CASE("retrieval: items have length 1 and a cosine of 0.64 within their class") {
  const auto task = at_hand::task("retrieval");
  double length = 0, within = 0, across = 0, query = 0, n_within = 0, n_across = 0;
  const int sequences = 1000;
  for (std::uint64_t i = 0; i < sequences; ++i) {
    const Sequence s = drawn(*task, 8, i);
    const Tokens labels = labels_of(s);
    length += dot(vector_at(s, 0), vector_at(s, 0));
    if (std::count(labels.begin(), labels.end(), labels[0]) == 8) continue;  // two classes with one label
    for (std::size_t n = 1; n < 8; ++n) {
      const double cosine = dot(vector_at(s, 0), vector_at(s, 2 * n));
      (labels[n] == labels[0] ? within : across) += cosine;
      (labels[n] == labels[0] ? n_within : n_across) += 1;
    }
    const auto same =
        static_cast<std::size_t>(std::find(labels.begin(), labels.end(), answer(s).at(0)) - labels.begin());
    query += dot(vector_at(s, 16), vector_at(s, 2 * same));
  }
  CHECK_THAT(length / sequences, check::WithinAbs(1, 5 * std::sqrt(2.0 / 64 / sequences)));
  CHECK_THAT(within / n_within, check::WithinAbs(0.64, 0.03));
  CHECK_THAT(across / n_across, check::WithinAbs(0, 0.03));
  CHECK_THAT(query / sequences, check::WithinAbs(0.64, 0.04));
}

// A class that comes back has its label again: with 2048 classes two instances share one in about 500.
TEST_CASE("retrieval: what is trained on comes from classes that stay, what is held out does not") {
  const auto task = at_hand::task("retrieval");
  for (const Part part : {Part::training, Part::held_out}) {
    std::vector<std::pair<std::vector<double>, std::int32_t>> seen;
    int again = 0;
    for (std::uint64_t i = 0; i < 150; ++i) {
      const Sequence s = drawn(*task, 8, i, part);
      const std::vector<double> item = vector_at(s, 16);
      for (const auto& [other, label] : seen)
        if (dot(item, other) > 0.55) {  // 4.4 standard errors from 0, between different classes
          ++again;
          CHECK(label == answer(s).at(0));
        }
      seen.push_back({item, answer(s).at(0)});
    }
    if (part == Part::held_out) CHECK(again == 0);
    if (part == Part::training) CHECK(again > 0);
  }
}

TEST_CASE("retrieval at the ends asks there while training, and anywhere in what is held out") {
  const auto asks_at_ends = [](const Sequence& s) {
    const Tokens labels = labels_of(s);
    return answer(s).at(0) == labels.front() || answer(s).at(0) == labels.back();
  };
  const auto ends = at_hand::task("retrieval-at-ends"), anywhere = at_hand::task("retrieval");
  int trained = 0, held_out = 0, unbiased = 0, first = 0;
  for (std::uint64_t i = 0; i < 500; ++i) {
    const Sequence s = drawn(*ends, 8, i);
    trained += asks_at_ends(s);
    first += answer(s).at(0) == labels_of(s).front();
    held_out += asks_at_ends(drawn(*ends, 8, i, Part::held_out));
    unbiased += asks_at_ends(drawn(*anywhere, 8, i));
  }
  CHECK(trained == 500);
  CHECK(first > 250);
  CHECK(first < 450);
  CHECK(held_out < 450);
  CHECK(unbiased < 450);
}

TEST_CASE("probes of retrieval: the same pairs, with the right one at the place that is named") {
  const auto task = at_hand::task("retrieval");
  const std::size_t places[][2] = {{0, 4}, {4, 0}, {0, 7}, {7, 0}, {4, 7}, {7, 4}};
  REQUIRE(task->probes().size() == 6);
  int distracted = 0;
  for (std::uint64_t i = 0; i < 100; ++i)
    for (std::size_t which = 0; which < 6; which += 2) {
      const Stream draws("draws of a test");
      const Sequence one = task->probe(which, draws, i, 8), other = task->probe(which + 1, draws, i, 8);
      CHECK(pairs_of(one) == pairs_of(other));
      CHECK(answer(one) == answer(other));
      for (const auto& [s, right, wrong] : {std::tuple(one, places[which][0], places[which][1]),
                                            std::tuple(other, places[which + 1][0], places[which + 1][1])}) {
        CHECK(labels_of(s)[right] == answer(s).at(0));
        CHECK(vector_at(s, 2 * right) == vector_at(s, 2 * wrong));
        distracted += labels_of(s)[wrong] != answer(s).at(0);
      }
    }
  const double p = 4.0 / 7 * 31 / 32;  // another class there, with another label; both of a pair or none
  CHECK_THAT(distracted / 600.0, check::WithinAbs(p, five_errors(p, 300)));
  CHECK_THROWS_WITH(task->probe(6, Stream(""), 0, 8), check::contains("there are 6"));
}

TEST_CASE("retrieval refuses sizes that are not whole classes") {
  const auto task = at_hand::task("retrieval");
  CHECK_FALSE(task->why_not(12));
  CHECK_THAT(task->why_not(6).value().reason, check::contains("retrieval") && check::contains("4, 8 .. 8192"));
  CHECK(task->why_not(8196));
}
