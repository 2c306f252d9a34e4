// SPDX-License-Identifier: Apache-2.0
// (x_m A + p_m B) . (x_n C + p_n E) = xx + xp + px + pp: how much each term varies among the keys n of a query m. What
// is the same for all keys, softmax cancels.
// Dimension letters: S sequences, N tokens of one, V vocabulary, D model width, H heads, K head width.
#include <algorithm>
#include <cmath>

#include "parts.hpp"
#include "poslab/data/refusal.hpp"
#include "poslab/numerics/products.hpp"
#include "poslab/numerics/statistics.hpp"

namespace poslab::experiments::add_or_concatenate {
namespace {

// Block 0 or 1 of [2 D, D], applied to rows [R, D].
template <class Number>
Array<double> through(const Array<Number>& rows, const Array<Number>& matrix, Index block) {
  const Index D = matrix.extent(1);
  Array<Number> out{rows.extent(0), D};
  numerics::multiply<Number>(rows.view(), matrix.view().rows(block * D, D), out.data());
  Array<double> wide{rows.extent(0), D};
  for (Index i = 0; i < out.size(); ++i) wide.data()[i] = static_cast<double>(out.data()[i]);
  return wide;
}

Array<double> rows_of(const Array<double>& table, const Index* rows, Index count) {
  Array<double> out{count, table.extent(1)};
  for (Index n = 0; n < count; ++n) std::copy_n(&table(rows[n], 0), table.extent(1), &out(n, 0));
  return out;
}

// Sum over heads and queries of the variance over keys.
double variances(const Array<double>& queries, const Array<double>& keys, Index H) {
  const Index N = queries.extent(0), D = queries.extent(1), K = D / H;
  Array<double> logits{N, N};
  double sum = 0;
  for (Index h = 0; h < H; ++h) {
    numerics::multiply_rows<double>({queries.data() + h * K, N, K, D}, {keys.data() + h * K, N, K, D}, 1,
                                    logits.data());
    for (Index m = 0; m < N; ++m) {
      numerics::Moments of_query;
      for (Index n = 0; n < N; ++n) of_query.add(logits(m, n));
      sum += of_query.variance();
    }
  }
  return sum;
}

}  // namespace

template <class Number>
Shares shares(const Drawn<Number>& drawn, Blocks blocks) {
  const Index N = drawn.length(), H = drawn.heads, S = drawn.sequences(), of_codes = blocks == Blocks::own;
  const Array<double> token_query = through(drawn.embedding, drawn.query, 0),
                      token_key = through(drawn.embedding, drawn.key, 0),
                      code_query = through(drawn.codes, drawn.query, of_codes),
                      code_key = through(drawn.codes, drawn.key, of_codes);
  Shares sums;
  sums.position = static_cast<double>(S) * variances(code_query, code_key, H);
  for (Index s = 0; s < S; ++s) {
    const Index* tokens = &drawn.tokens[static_cast<std::size_t>(s * N)];
    const Array<double> query = rows_of(token_query, tokens, N), key = rows_of(token_key, tokens, N);
    sums.content += variances(query, key, H);
    sums.content_position += variances(query, code_key, H);
    sums.position_content += variances(code_query, key, H);
  }
  const double all = sums.content + sums.content_position + sums.position_content + sums.position;
  if (!std::isfinite(all)) throw data::not_finite("the variance of logits", "the keys of some query", all);
  return {numerics::ratio_or_zero(sums.content, all), numerics::ratio_or_zero(sums.content_position, all),
          numerics::ratio_or_zero(sums.position_content, all), numerics::ratio_or_zero(sums.position, all)};
}

template Shares shares<float>(const Drawn<float>&, Blocks);
template Shares shares<double>(const Drawn<double>&, Blocks);

}  // namespace poslab::experiments::add_or_concatenate
