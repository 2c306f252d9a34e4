// SPDX-License-Identifier: Apache-2.0
#include "protocol.hpp"

#include <cstring>
#include <utility>

#include "poslab/data/cell.hpp"
#include "poslab/data/pack.hpp"

namespace poslab::workers::message {
namespace {

// The numbers of a forecast as they lie in memory: both sides are one program on one machine.
struct Numbers {
  double bytes, operations;
  std::uint64_t draws_weights, skip_size, misfit_size;
};

// The same of a progress.
struct Steps {
  std::uint64_t done, total, tokens;
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

// A part that others follow: its size first.
std::string_view taken_part(std::string_view& body) {
  const auto size = taken<std::uint64_t>(body);
  if (size > body.size()) throw data::NotPacked(data::NotPacked::Problem::ends_too_soon);
  const std::string_view part = body.substr(0, size);
  body.remove_prefix(size);
  return part;
}

std::string packed_progress(const data::Progress& progress) {
  return raw(Steps{progress.done, progress.total, progress.tokens}) +
         progress.sentence.substr(0, data::most_progress_sentence);
}

}  // namespace

std::string numbered(std::uint64_t number, std::string_view rest) { return raw(number).append(rest); }

std::uint64_t take_number(std::string_view& body) { return taken<std::uint64_t>(body); }

std::string pack_task(std::uint64_t number, const data::Cell& cell, const data::CheckpointPointer& checkpoint) {
  const std::string packed = data::pack(cell);
  std::string body = numbered(number, numbered(packed.size(), packed));
  return checkpoint ? body.append(checkpoint->bytes) : body;
}

UnpackedTask unpack_task(std::string_view body) {
  const std::uint64_t number = take_number(body);
  data::Cell cell = data::unpack_cell(taken_part(body));
  return {number, std::move(cell), std::string(body)};
}

std::string pack_progress(std::uint64_t number, const data::Progress& progress) {
  return numbered(number, packed_progress(progress));
}

std::string pack_checkpoint(std::uint64_t number, const data::Checkpoint& checkpoint) {
  const std::string progress = packed_progress(checkpoint.progress);
  return numbered(number, numbered(progress.size(), progress)).append(checkpoint.bytes);
}

data::Progress unpack_progress(std::string_view rest) {
  const Steps steps = taken<Steps>(rest);
  if (rest.size() > data::most_progress_sentence) throw data::NotPacked(data::NotPacked::Problem::too_long);
  return {steps.done, steps.total, steps.tokens, std::string(rest)};
}

data::Checkpoint unpack_checkpoint(std::string_view rest) {
  data::Progress progress = unpack_progress(taken_part(rest));
  if (rest.size() > data::most_checkpoint) throw data::NotPacked(data::NotPacked::Problem::too_long);
  return {std::move(progress), std::string(rest)};
}

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
                     forecast.skip.size(), forecast.misfit.size()}) +
         forecast.skip + forecast.misfit + forecast.estimate.why_unknown;
}

data::Forecast unpack_forecast(std::string_view body) {
  const Numbers numbers = taken<Numbers>(body);
  const auto next = [&](std::uint64_t size) {
    if (size > body.size()) throw data::NotPacked(data::NotPacked::Problem::ends_too_soon);
    std::string text(body.substr(0, size));
    body.remove_prefix(size);
    return text;
  };
  data::Forecast forecast{.skip = next(numbers.skip_size), .draws_weights = numbers.draws_weights != 0};
  forecast.misfit = next(numbers.misfit_size);
  forecast.estimate = {numbers.bytes, numbers.operations, next(body.size())};
  return forecast;
}

}  // namespace poslab::workers::message
