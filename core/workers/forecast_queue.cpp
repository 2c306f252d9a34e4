// SPDX-License-Identifier: Apache-2.0
#include "plugin_probe.hpp"

#include "poslab/data/pack.hpp"
#include "protocol.hpp"

namespace poslab::workers {

namespace {

constexpr const char* ended_worker = "the worker that asked it ended";

}  // namespace

ForecastQueue::ForecastQueue(const std::vector<const data::Cell*>& cells) : cells_(cells), forecasts_(cells.size()) {}

bool ForecastQueue::skip_hopeless() {
  if (is_hopeless() && asked_ <= answered_)
    for (asked_ = cells_.size(); answered_ < asked_; ++answered_)
      forecasts_[answered_].estimate.why_unknown = ended_worker;
  return answered_ < cells_.size();
}

std::optional<std::string> ForecastQueue::next_question() {
  if (asked_ >= cells_.size() || asked_ >= answered_ + max_ahead || is_hopeless()) return std::nullopt;
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
  ++failures_;
  forecasts_[answered_].estimate.why_unknown = ended_worker;
  ++answered_;
}

}  // namespace poslab::workers
