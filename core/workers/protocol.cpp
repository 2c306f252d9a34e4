// SPDX-License-Identifier: Apache-2.0
#include "protocol.hpp"

#include <cstring>

#include "poslab/data/cell.hpp"
#include "poslab/data/pack.hpp"

namespace poslab::workers::message {
namespace {

// The numbers of a forecast as they lie in memory: both sides are one program on one machine.
struct Numbers {
  double bytes, operations;
  std::uint64_t draws_weights;
};

template <class T>
T taken(std::string_view& body) {
  T value;
  if (body.size() < sizeof value) throw data::NotPacked(data::NotPacked::Problem::ends_too_soon);
  std::memcpy(&value, body.data(), sizeof value);
  body.remove_prefix(sizeof value);
  return value;
}

template <class T>
std::string raw(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

}  // namespace

std::string numbered(std::uint64_t number, std::string_view rest) { return raw(number).append(rest); }

std::uint64_t take_number(std::string_view& body) { return taken<std::uint64_t>(body); }

std::string pack_forecast(const data::Forecast& forecast) {
  return raw(Numbers{forecast.estimate.bytes, forecast.estimate.operations, forecast.draws_weights}) + forecast.skip;
}

data::Forecast unpack_forecast(std::string_view body) {
  const Numbers numbers = taken<Numbers>(body);
  return {std::string(body), numbers.draws_weights != 0, {numbers.bytes, numbers.operations}};
}

}  // namespace poslab::workers::message
