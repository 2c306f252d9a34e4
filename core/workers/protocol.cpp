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
  std::uint64_t draws_weights, skip_size;
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

std::string pack_contents(const std::string& hash, std::string_view contents) {
  return numbered(hash.size(), hash).append(contents);
}

std::pair<std::string, std::string> unpack_contents(std::string_view body) {
  const std::uint64_t size = take_number(body);
  if (size > body.size()) throw data::NotPacked(data::NotPacked::Problem::ends_too_soon);
  return {std::string(body.substr(0, size)), std::string(body.substr(size))};
}

std::string pack_forecast(const data::Forecast& forecast) {
  return raw(Numbers{forecast.estimate.bytes, forecast.estimate.operations, forecast.draws_weights,
                     forecast.skip.size()}) +
         forecast.skip + forecast.misfit;
}

data::Forecast unpack_forecast(std::string_view body) {
  const Numbers numbers = taken<Numbers>(body);
  if (numbers.skip_size > body.size()) throw data::NotPacked(data::NotPacked::Problem::ends_too_soon);
  return {std::string(body.substr(0, numbers.skip_size)),
          numbers.draws_weights != 0,
          {numbers.bytes, numbers.operations},
          std::string(body.substr(numbers.skip_size))};
}

}  // namespace poslab::workers::message
