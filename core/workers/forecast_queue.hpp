// SPDX-License-Identifier: Apache-2.0
// The cells of one plugin whose needs a worker forecasts: some questions are sent ahead, and the answers arrive in
// their order.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "poslab/data/cell.hpp"

namespace poslab::workers {

class ForecastQueue {
 public:
  static constexpr std::size_t most_ahead = 256;  ///< questions that are sent before they are answered
  static constexpr int most_failures = 3;         ///< after so many, nobody asks what the other cells need

  /// `cells` must outlive this.
  explicit ForecastQueue(const std::vector<const data::Cell*>& cells);

  /// Leaves out what is not worth asking; false if nothing is left to wait for.
  bool skip_hopeless();
  /// The body of the next message to send; nothing if enough are on their way.
  std::optional<std::string> next_question();
  /// False for an answer to another question. Throws data::NotPacked.
  bool take_answer(std::string_view body);
  /// The first cell without an answer has ended its worker: what it needs stays unknown.
  void give_up_first();
  /// The questions that have no answer have to be sent again, to another worker.
  void ask_again() { asked_ = answered_; }
  std::vector<data::Forecast> take_forecasts() { return std::exchange(forecasts_, {}); }

 private:
  bool is_hopeless() const { return failures_ >= most_failures; }

  const std::vector<const data::Cell*>& cells_;
  std::vector<data::Forecast> forecasts_;
  int failures_ = 0;
  std::size_t answered_ = 0, asked_ = 0;
};

}  // namespace poslab::workers
