// SPDX-License-Identifier: Apache-2.0
#include "forecast_queue.hpp"

#include "poslab/data/pack.hpp"
#include "protocol.hpp"

namespace poslab::workers {

ForecastQueue::ForecastQueue(const std::vector<const data::Cell*>& cells,
                             const std::function<std::string(const data::Cell&)>& hash_of)
    : cells_(cells), hash_of_(hash_of), forecasts_(cells.size()) {}

bool ForecastQueue::is_hopeless(std::size_t index) const {
  if (failures_.empty()) return false;
  const auto failures = failures_.find(hash_of_(*cells_[index]));
  return failures != failures_.end() && failures->second >= most_failures;
}

bool ForecastQueue::skip_hopeless() {
  while (answered_ < cells_.size() && asked_ <= answered_ && is_hopeless(answered_)) asked_ = ++answered_;
  return answered_ < cells_.size();
}

std::optional<std::string> ForecastQueue::next_question() {
  if (asked_ >= cells_.size() || asked_ >= answered_ + most_ahead || is_hopeless(asked_)) return std::nullopt;
  const std::size_t index = asked_++;
  return message::numbered(index, data::pack(*cells_[index]));
}

bool ForecastQueue::take_answer(std::string_view body) {
  if (message::take_number(body) != answered_ || answered_ >= asked_) return false;
  forecasts_[answered_] = message::unpack_forecast(body);
  ++answered_;
  return true;
}

void ForecastQueue::give_up_first() {
  ++failures_[hash_of_(*cells_[answered_])];
  ++answered_;
}

}  // namespace poslab::workers
