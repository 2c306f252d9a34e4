// SPDX-License-Identifier: Apache-2.0
// What a dump shows of a scheme, as rows of numbers that any variant can be asked for: through the host, so that no
// formula is written a second time.
// Dimension letters: N positions, A axes of a position, H heads, K head width, P planes, B batches.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "poslab/host/scheme.hpp"
#include "poslab/identify/evidence.hpp"
#include "poslab/identify/verdict.hpp"
#include "poslab/numerics/format.hpp"

namespace poslab::identify {

using base::Array;
using base::View;

/// A variant with the weights that it has.
struct Candidate {
  std::shared_ptr<const host::Scheme> scheme;
  host::Weights<double> weights;
  std::vector<View<const double>> views() const { return std::as_const(weights).layer(0); }
};

/// For which positions numbers are made.
struct Setting {
  View<const double> positions;  ///< [N, A]
  host::Context context;
};

/// Angles beside those of a scheme, of which cosines and sines are made: longer by a share of themselves.
struct Beside {
  double cosines = 0, sines = 0;
};

/// What is said of the arrays that something was read from.
struct Caption {
  std::string name;  ///< "cos, sin", "q_rot"
  std::string text;  ///< to be read, and not to be taken apart: "cos, sin [2048, 64]", "q [1, 2, 32, 64] and q_rot"
};

class Observation {
 public:
  Observation(Kind kind, Caption caption) : kind_(kind), caption_(std::move(caption)) {}
  virtual ~Observation() = default;

  Kind kind() const { return kind_; }
  const Caption& caption() const { return caption_; }
  Index rows() const { return rows_; }
  Index columns() const { return columns_; }
  /// [rows, columns]; NaN: not looked at, as behind a mask.
  const std::vector<double>& numbers() const { return numbers_; }
  double number(Index row, Index column) const { return numbers_[static_cast<std::size_t>(row * columns_ + column)]; }

  virtual bool suits(const host::Scheme& scheme) const = 0;
  /// Rows first .. first + count - 1 of what the candidate makes, out [count, columns]. Throws base::Error where it
  /// cannot.
  virtual void predict(const Candidate& candidate, const Setting& setting, Index first, Index count,
                       std::span<double> out) const = 0;
  /// How large the numbers are whose rounding makes this one's error.
  virtual double size(Index row, Index column) const = 0;
  virtual Place place(Index row, Index column) const = 0;
  /// Whether each row is of one position, in order: then positions can be changed row by row.
  virtual bool by_position() const { return true; }
  /// Whether rows of the same position have the same numbers, wherever they lie: no contents enter them.
  virtual bool is_of_position_alone() const { return false; }
  /// Whether numbers are compared by their ratio.
  virtual bool relative() const { return false; }
  /// What a slip makes of it; null where that means nothing for this kind. Of `this`, which must outlive it.
  virtual std::shared_ptr<const Observation> with_sides_exchanged() const { return nullptr; }
  virtual std::shared_ptr<const Observation> transposed() const { return nullptr; }
  virtual std::shared_ptr<const Observation> with_layout_exchanged() const { return nullptr; }
  virtual std::shared_ptr<const Observation> applied_twice() const { return nullptr; }
  virtual std::shared_ptr<const Observation> up_to_constants() const { return nullptr; }
  /// With head h where head `order[h]` was; null where no head is told from another.
  virtual std::shared_ptr<const Observation> with_heads(const std::vector<Index>&) const { return nullptr; }
  /// What only the first tokens have to do with; null where rows say that.
  virtual std::shared_ptr<const Observation> of_first(Index) const { return nullptr; }
  /// Whether it shows no positions: what was rotated is what it was before, what is added is 0.
  virtual bool is_unchanged() const { return false; }
  /// As predict, with cosines and sines rounded before they are used; false where none are.
  virtual bool predict_with_rounded_tables(const Candidate&, const Setting&, const numerics::Format&, const Beside&,
                                           Index, Index, std::span<double>) const {
    return false;
  }

 protected:
  void set(Index rows, Index columns, std::vector<double> numbers) {
    rows_ = rows, columns_ = columns, numbers_ = std::move(numbers);
  }

 private:
  Kind kind_;
  Caption caption_;
  Index rows_ = 0, columns_ = 0;
  std::vector<double> numbers_;
};

/// Whether all numbers that are looked at are 0, and any are.
bool is_zero(const Observation& observation);

/// x [B, H, N, K], whatever the order in the dump.
struct HeadRows {
  Index B = 1, H = 1, N = 1, K = 1;
  std::vector<double> numbers;
  View<const double> batch(Index b) const { return {numbers.data() + b * H * N * K, {H, N, K}}; }
};

std::unique_ptr<Observation> observe_table(const Caption& caption, Index N, Index D, std::vector<double> numbers);
/// Either may be empty; [N, P] each.
std::unique_ptr<Observation> observe_planes(const Caption& caption, Index N, Index P,
                                            const std::vector<double>& cosines, const std::vector<double>& sines);
std::unique_ptr<Observation> observe_frequencies(const Caption& caption, std::vector<double> frequencies);
std::unique_ptr<Observation> observe_rotated(const Caption& caption, host::Side side, HeadRows before,
                                             const HeadRows& after);
/// [H, Nq, Nk]: the last Nq of Nk positions ask. `up_to_rows`: a row may be off by a constant, which the softmax takes
/// away. `causal`: keys after the query are not looked at.
std::unique_ptr<Observation> observe_bias(const Caption& caption, Index H, Index Nq, Index Nk,
                                          const std::vector<double>& numbers, bool up_to_rows, bool causal);
/// [H]: minus the bias one position back.
std::unique_ptr<Observation> observe_slopes(const Caption& caption, std::vector<double> slopes);

/// Another observation whose numbers were divided by `factor` before they were looked at.
std::shared_ptr<const Observation> divided(std::shared_ptr<const Observation> of, double factor);
/// Another that was made at other positions than the setting has.
std::shared_ptr<const Observation> at_other_positions(std::shared_ptr<const Observation> of,
                                                      std::function<double(double)> map);

struct Contents {
  HeadRows query, key, value;       ///< before any position enters them; value may have no numbers
  std::vector<double> layer_input;  ///< [N, D] or empty
  std::optional<double> scale;      ///< on q.k; the scheme's own if none is given
};
/// [B, H, N, N]
std::unique_ptr<Observation> observe_logits(const Caption& caption, std::shared_ptr<const Contents> contents,
                                            std::vector<double> logits, bool causal);
/// [B, H, N, K]
std::unique_ptr<Observation> observe_outputs(const Caption& caption, std::shared_ptr<const Contents> contents,
                                             HeadRows outputs, bool causal);

/// The channels that a variant rotates together at a position: of plane m the first and the second, in order of the
/// first; planes that stand still as its style would have them.
using PlaneChannels = std::vector<std::pair<Index, Index>>;  // [P]
PlaneChannels plane_channels(const Candidate& candidate, const Setting& setting, Index P);

}  // namespace poslab::identify
