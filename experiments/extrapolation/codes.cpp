// SPDX-License-Identifier: Apache-2.0
#include "codes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "poslab/attention/signatures.hpp"
#include "poslab/experiment/precision.hpp"

namespace poslab::experiments::extrapolation {
namespace {

using attention::OffsetContext;
using attention::SignatureKind;

template <class S>
attention::OffsetSignatures<S> signatures(const host::Scheme& scheme, const std::vector<OffsetContext>& contexts,
                                          const host::Weights<S>& weights) {
  const std::vector<View<const S>> views = weights.layer(0);
  if (attention::natural_kind(scheme) == SignatureKind::offset)
    return attention::offset_signatures<S>(scheme, contexts, attention::Offsets::causal, views);
  attention::OffsetSignatures<S> signatures;
  for (const auto& [context, count] : contexts) {
    const Array<double> positions = ExperimentInput::positions(0, count);
    signatures.rows.push_back(attention::position_signatures<S>(scheme, context, positions, views));
  }
  return signatures;
}

using Level = std::vector<double>;  // [W]: what is taken off each column

template <class S>
void copy_row(const Array<S>& from, Index row, const Level& level, Array<double>& to, Index to_row) {
  for (Index a = 0; a < from.extent(1); ++a)
    to(to_row, a) = static_cast<double>(from(row, a)) - level[static_cast<std::size_t>(a)];
}

// The signatures of every context that is needed.
template <class S>
class Tables {
 public:
  Tables(const Extrapolation& at, const ExperimentInput& input, const std::vector<MeasuredPosition>& measured,
         const host::Weights<S>& weights)
      : one_for_all_(same_in_all_contexts(input.scheme)), lengths_(contexts(measured)) {
    const Index L = at.train_length;
    if (one_for_all_) lengths_.erase(lengths_.begin(), lengths_.end() - 1);
    if (!one_for_all_ && lengths_.front() > L) lengths_.insert(lengths_.begin(), L);
    std::vector<OffsetContext> wanted;
    for (const Index length : lengths_) wanted.push_back({{length, L, true}, served(input.scheme, length)});
    tables_ = signatures<S>(input.scheme, wanted, weights);
  }
  /// The codes of the context of this length, one of those of the measured positions, or L.
  const Array<S>& in(Index context) const {
    const auto found = std::lower_bound(lengths_.begin(), lengths_.end(), context);
    return tables_.rows[static_cast<std::size_t>(found - lengths_.begin())];
  }
  /// How far the first L codes of a context are from those of the context of length L, on average, in the columns in
  /// which softmax cancels that; exactly 0 in the others, and where they are the same.
  Level level_of(Index context, Index L) const {
    const Array<S>&there = in(context), &trained = in(L);
    Level level(static_cast<std::size_t>(there.extent(1)), 0.0);
    for (Index a = 0; a < tables_.cancelling; ++a)
      for (Index p = 0; p < L; ++p)
        level[static_cast<std::size_t>(a)] +=
            (static_cast<double>(there(p, a)) - static_cast<double>(trained(p, a))) / static_cast<double>(L);
    return level;
  }
  Level no_level() const { return Level(static_cast<std::size_t>(tables_.rows[0].extent(1)), 0.0); }
  /// The rounding of differences of codes, from which a level is subtracted.
  double rounding() const {
    double largest = 0;
    for (const Array<S>& table : tables_.rows)
      for (const S x : table.flat()) largest = std::max(largest, std::abs(static_cast<double>(x)));
    return 64 * static_cast<double>(std::numeric_limits<S>::epsilon()) * largest *
           std::sqrt(static_cast<double>(tables_.rows[0].extent(1)));
  }
  bool one_for_all() const { return one_for_all_; }

 private:
  bool one_for_all_;
  std::vector<Index> lengths_;
  attention::OffsetSignatures<S> tables_;
};

// By context; none where one table is for all.
struct Levels {
  std::map<Index, Level> of_context;
  Level none;

  const Level& of(Index context) const {
    const auto found = of_context.find(context);
    return found == of_context.end() ? none : found->second;
  }
  bool are_nothing() const {
    return std::all_of(of_context.begin(), of_context.end(), [](const auto& one) {
      return std::all_of(one.second.begin(), one.second.end(), [](double x) { return x == 0; });
    });
  }
};

// The codes of the trained positions, then those of the measured ones that are defined, each less the level of its
// context.
template <class S>
Array<double> all_rows(const Tables<S>& tables, Index L, const std::vector<MeasuredPosition>& measured,
                       const Levels& levels) {
  const auto defined =
      std::count_if(measured.begin(), measured.end(), [](const MeasuredPosition& one) { return one.defined; });
  Array<double> rows{L + defined, tables.in(L).extent(1)};
  for (Index p = 0; p < L; ++p) copy_row(tables.in(L), p, levels.none, rows, p);
  Index next = L;
  for (const MeasuredPosition& one : measured)
    if (one.defined) copy_row(tables.in(one.context_length), one.position, levels.of(one.context_length), rows, next++);
  return rows;
}

// Root mean square over the trained rows [L, W] of their distance from the same rows of a longer context.
template <class S>
double apart(View<const double> trained, const Array<S>& longer, const Level& level) {
  double squares = 0;
  for (Index p = 0; p < trained.shape[0]; ++p)
    for (Index a = 0; a < trained.shape[1]; ++a) {
      const double difference = static_cast<double>(longer(p, a)) - level[static_cast<std::size_t>(a)] - trained(p, a);
      squares += difference * difference;
    }
  return std::sqrt(squares / static_cast<double>(trained.shape[0]));
}

}  // namespace

bool same_in_all_contexts(const host::Scheme& scheme) {
  const bool of_offsets = attention::natural_kind(scheme) == SignatureKind::offset;
  return scheme.claims(POSLAB_LENGTH_FREE) && (!of_offsets || scheme.claims(POSLAB_RELATIVE));
}

template <class S>
Codes draw_codes(const Extrapolation& at, const ExperimentInput& input, const std::vector<MeasuredPosition>& measured) {
  const Index L = at.train_length;
  const Tables<S> tables(at, input, measured, draw_weights<S>(input));
  Levels levels{{}, tables.no_level()};
  if (!tables.one_for_all())
    for (const Index length : contexts(measured)) levels.of_context[length] = tables.level_of(length, L);
  Codes codes{all_rows(tables, L, measured, levels), L, {}};
  if (!levels.are_nothing()) codes.rounding = tables.rounding();
  for (const Index multiple : at.multiples()) {
    const bool whole = served(input.scheme, multiple * L) == multiple * L;
    const double moved = !whole ? std::numeric_limits<double>::quiet_NaN()
                         : multiple == 1 || tables.one_for_all()
                             ? 0
                             : apart(codes.trained(), tables.in(multiple * L), levels.of(multiple * L));
    codes.moved.push_back(moved <= codes.rounding ? 0 : moved);
  }
  return codes;
}

Array<double> trained_and_tested(const Extrapolation& at, const ExperimentInput& input,
                                 const std::vector<MeasuredPosition>& measured, const host::Weights<double>& weights) {
  const Tables<double> tables(at, input, measured, weights);
  return all_rows(tables, at.train_length, measured, Levels{{}, tables.no_level()});
}

template Codes draw_codes<float>(const Extrapolation&, const ExperimentInput&, const std::vector<MeasuredPosition>&);
template Codes draw_codes<double>(const Extrapolation&, const ExperimentInput&, const std::vector<MeasuredPosition>&);

}  // namespace poslab::experiments::extrapolation
