// SPDX-License-Identifier: Apache-2.0
#include "protocol.hpp"

#include <utility>

#include "poslab/data/pack.hpp"

namespace poslab::workers::message {
namespace {

// Without a copy, since a cell and contents may be large.
std::string_view taken_text(std::string_view& body) {
  const std::uint64_t size = take_number(body);
  if (size > body.size()) throw data::NotPacked(data::NotPacked::Problem::ends_too_soon);
  const std::string_view text = body.substr(0, size);
  body.remove_prefix(size);
  return text;
}

std::string packed(data::Progress progress) {
  progress.sentence.resize(std::min(progress.sentence.size(), data::max_progress_sentence));
  return data::bytes_of(progress.done, progress.total, progress.tokens, progress.sentence);
}

}  // namespace

std::string numbered(std::uint64_t number, std::string_view rest) { return data::bytes_of(number).append(rest); }

std::uint64_t take_number(std::string_view& body) {
  data::Reader in(body);
  std::uint64_t number = 0;
  in(number);
  body = in.rest();
  return number;
}

std::string pack_task(std::uint64_t number, const data::Cell& cell, const data::CheckpointPointer& checkpoint) {
  const std::string body = data::bytes_of(number, data::pack(cell));
  return checkpoint ? body + checkpoint->bytes : body;
}

UnpackedTask unpack_task(std::string_view body) {
  const std::uint64_t number = take_number(body);
  data::Cell cell = data::unpack<data::Cell>(taken_text(body));
  return {number, std::move(cell), std::string(body)};
}

std::string pack_progress(std::uint64_t number, const data::Progress& progress) {
  return numbered(number, packed(progress));
}

std::string pack_checkpoint(std::uint64_t number, const data::Checkpoint& checkpoint) {
  return data::bytes_of(number, packed(checkpoint.progress)).append(checkpoint.bytes);
}

data::Progress unpack_progress(std::string_view rest) {
  data::Progress progress;
  data::read_all(rest, progress.done, progress.total, progress.tokens, progress.sentence);
  if (progress.sentence.size() > data::max_progress_sentence) throw data::NotPacked(data::NotPacked::Problem::too_long);
  return progress;
}

data::Checkpoint unpack_checkpoint(std::string_view rest) {
  data::Progress progress = unpack_progress(taken_text(rest));
  if (rest.size() > data::max_checkpoint) throw data::NotPacked(data::NotPacked::Problem::too_long);
  return {std::move(progress), std::string(rest)};
}

std::string pack_contents(const std::string& hash, std::string_view contents) {
  return data::bytes_of(hash).append(contents);
}

std::pair<std::string, std::string> unpack_contents(std::string_view body) {
  const std::string_view hash = taken_text(body);
  return {std::string(hash), std::string(body)};
}

std::string pack_forecast(const data::Forecast& forecast) {
  const auto& [bytes, operations, shared, why_unknown] = forecast.estimate;
  return data::bytes_of(forecast.skip, forecast.draws_weights, forecast.shares_work, bytes, operations, shared,
                        why_unknown, forecast.misfit);
}

data::Forecast unpack_forecast(std::string_view body) {
  data::Forecast forecast;
  auto& [bytes, operations, shared, why_unknown] = forecast.estimate;
  data::read_all(body, forecast.skip, forecast.draws_weights, forecast.shares_work, bytes, operations, shared,
                 why_unknown, forecast.misfit);
  return forecast;
}

}  // namespace poslab::workers::message
