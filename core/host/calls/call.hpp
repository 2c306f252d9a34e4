// SPDX-License-Identifier: Apache-2.0
// One call across the boundary: arrays checked and wrapped on the way in, numbers checked on the way out.
#pragma once

#include <array>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "poslab/host/scheme.hpp"

namespace poslab::host {

/// An array as the plugin sees it; a copy of one that is not 64-byte aligned, as the boundary promises.
template <class S>
struct Crossing {
  poslab_view view{};
  View<S> original;     ///< where a copy goes back to; only for outputs
  base::Array<S> copy;  ///< empty: the caller's own memory is handed over
  const char* name = "";
  const char* of = "";  ///< of which weight, if any

  void wrap(const char* name_, View<const S> array);
  void give_back();
};

/// Collects the arrays of one call, makes it, and checks what came back. Lives on the stack of one operation.
template <class S>
class Call {
 public:
  Call(const Scheme& scheme, Operation operation, const Context& context, Index layer);

  void positions(Positions positions);
  void tile(const Tile& tile);
  void weights(std::span<const View<const S>> views);
  void weight_gradients(std::span<const View<S>> views);
  const poslab_view* input(const char* name, View<const S> array, std::initializer_list<Index> shape);
  const poslab_view* output(const char* name, View<S> array, std::initializer_list<Index> shape);
  /// Null for an array that is not there.
  const poslab_view* optional_input(const char* name, View<const S> array, std::initializer_list<Index> shape);
  const poslab_view* optional_output(const char* name, View<S> array, std::initializer_list<Index> shape);

  /// Runs the forward function, or the gradient; throws as Scheme's operations promise.
  void forward(const poslab_plugin& table, const void* self);
  void gradient(const poslab_plugin& table, const void* self);

  poslab_call fields{};  ///< for what has no function above
  Index first_row = 0;   ///< of the caller's array, where this call is about a part of it

 private:
  std::string where() const;
  void require_shape(const char* name, const View<const S>& array, std::initializer_list<Index> shape) const;
  void require_finite(const Crossing<S>& written) const;
  std::string place_of(const std::vector<Index>& index, Index row) const;
  void run(poslab_operation function, const void* self);

  const Scheme& scheme_;
  Operation operation_;
  bool is_gradient_ = false;
  std::array<Crossing<double>, 2> positions_;
  std::array<Crossing<S>, 5> inputs_, outputs_;
  std::size_t input_count_ = 0, output_count_ = 0;
  std::vector<Crossing<S>> weights_, weight_gradients_;
  std::vector<const poslab_view*> weight_pointers_, weight_gradient_pointers_;
};

extern template class Call<float>;
extern template class Call<double>;

}  // namespace poslab::host
