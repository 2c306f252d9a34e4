// SPDX-License-Identifier: Apache-2.0
// What the C functions share: the variant behind the handle, arrays as views, and errors as texts.
#pragma once

#include <fmt/format.h>

#include <cstring>
#include <new>
#include <vector>

#include "poslab/base/error.hpp"
#include "poslab/data/refusal.hpp"
#include "poslab/host/library.hpp"
#include "poslab/host/scheme.hpp"
#include "poslab/library.h"

struct poslab_variant {
  std::shared_ptr<const poslab::host::Plugin> plugin;
  poslab::host::Scheme scheme;
};

namespace poslab::capi {

inline base::Error not_understood(const std::string& problem) { return {base::Error::Kind::argument, problem}; }

inline std::int32_t say(poslab_error* error, std::int32_t code, const char* text) {
  if (!error) return code;
  error->code = code;
  std::strncpy(error->text, text, sizeof error->text - 1);
  error->text[sizeof error->text - 1] = 0;
  return code;
}

/// What `work` throws becomes a code and its sentence.
template <class Work>
std::int32_t guarded(poslab_error* error, const Work& work) noexcept {
  try {
    work();
    return POSLAB_OK;
  } catch (const data::Refused& refused) {
    return say(error, POSLAB_REFUSED, refused.what());
  } catch (const data::PositionOutOfRange& out_of_range) {
    return say(error, POSLAB_OUT_OF_RANGE, out_of_range.what());
  } catch (const host::PluginRefused& refused) {
    return say(error, POSLAB_NOT_UNDERSTOOD, refused.what());
  } catch (const std::bad_alloc&) {
    return say(error, POSLAB_OUT_OF_MEMORY, "there is not enough memory");
  } catch (const base::Error& failure) {
    const bool is_asked_wrongly =
        failure.kind == base::Error::Kind::argument || failure.kind == base::Error::Kind::request;
    return say(error, is_asked_wrongly ? std::int32_t{POSLAB_NOT_UNDERSTOOD} : std::int32_t{POSLAB_FAILED},
               failure.what());
  } catch (const std::exception& failure) {
    return say(error, POSLAB_FAILED, failure.what());
  } catch (...) {
    return say(error, POSLAB_FAILED, "something was thrown that is no exception");
  }
}

inline constexpr std::int32_t scalar_of(float /*of*/) { return POSLAB_F32; }
inline constexpr std::int32_t scalar_of(double /*of*/) { return POSLAB_F64; }

/// A null pointer is a view of nothing.
template <class S>
base::View<S> view_of(const char* name, const poslab_view* array) {
  using Scalar = std::remove_const_t<S>;
  if (!array) return {};
  if (array->scalar != scalar_of(Scalar{})) throw not_understood(fmt::format("{} has another scalar type", name));
  if (array->rank < 0 || array->rank > base::max_rank)
    throw not_understood(fmt::format("{} has {} dimensions, and 0 to 4 are possible", name, array->rank));
  base::View<S> view(static_cast<Scalar*>(array->data), array->rank, {1, 1, 1, 1});
  for (int axis = 0; axis < array->rank; ++axis) view.shape[base::at(axis)] = array->shape[axis];
  if (!base::checked_product(view.shape)) throw not_understood(fmt::format("{} has no possible shape", name));
  if (!view.data && !view.empty()) throw not_understood(fmt::format("{} has no data", name));
  return view;
}

template <class S>
std::vector<base::View<S>> views_of(const char* name, const poslab_view* const* arrays, std::int64_t count) {
  std::vector<base::View<S>> views;
  for (std::int64_t w = 0; arrays && w < count; ++w) views.push_back(view_of<S>(name, arrays[w]));
  return views;
}

/// Calls `work` with a number of the call's scalar type.
template <class Work>
void with_scalar(const poslab_call& call, const Work& work) {
  if (call.scalar == POSLAB_F32) return work(float{});
  if (call.scalar == POSLAB_F64) return work(double{});
  throw not_understood(fmt::format("there is no scalar type {}", call.scalar));
}

/// The call's weights, which must be as many as the scheme declares.
template <class S>
std::vector<base::View<const S>> weights_of(const host::Scheme& scheme, const poslab_call& call) {
  const auto declared = std::ssize(scheme.weights());
  if (call.weight_count != declared || (declared > 0 && !call.weights))
    throw not_understood(
        fmt::format("scheme \"{}\" has {} weights, and {} are given", scheme.info().id, declared, call.weight_count));
  return views_of<const S>("a weight", call.weights, call.weight_count);
}

inline host::Context context_of(const host::Scheme& scheme, const poslab_call& call, base::Index positions) {
  return {call.length > 0 ? call.length : positions,
          call.train_length > 0 ? call.train_length : scheme.model().train_length, call.causal != 0};
}

}  // namespace poslab::capi
