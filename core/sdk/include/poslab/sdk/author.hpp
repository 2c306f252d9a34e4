// SPDX-License-Identifier: Apache-2.0
// What an author's struct must have and must not have, each in a sentence that says what is right. What the operations
// take and return, they check themselves.
#pragma once

#include <tuple>
#include <type_traits>
#include <vector>

#include "poslab/sdk/card.hpp"
#include "poslab/sdk/members.hpp"
#include "poslab/sdk/misspelt.hpp"
#include "poslab/sdk/model.hpp"
#include "poslab/sdk/traits.hpp"
#include "poslab/sdk/weight.hpp"

namespace poslab::sdk {

template <class Right, class T>
inline constexpr bool is = std::is_same_v<std::remove_cvref_t<T>, Right>;

template <class T>
concept has_card = requires {
  requires is<Card, decltype(T::card)>;
};
template <class T>
concept has_traits = requires(const T& scheme, const Model& model) {
  requires is<Traits, decltype(scheme.traits(model))>;
}
|| requires(const T& scheme) { requires is<Traits, decltype(scheme.traits())>; }
|| requires(const T& scheme) { requires is<Traits, decltype(scheme.traits)>; };
template <class T>
concept has_params = requires {
  std::tuple_size<std::remove_cvref_t<decltype(T::params)>>::value;
};
template <class T>
concept has_prepare = requires(T& scheme, const Model& model) {
  requires std::is_void_v<decltype(scheme.prepare(model))>;
}
|| requires(T& scheme) { requires std::is_void_v<decltype(scheme.prepare())>; };
template <class T>
concept has_weights = requires(const T& scheme, const Model& model) {
  requires is < std::vector<Weight>,
  decltype(scheme.weights(model)) > ;
}
|| requires(const T& scheme) {
  requires is < std::vector<Weight>,
  decltype(scheme.weights()) > ;
};
template <class T>
concept has_offers = requires(const T& scheme) {
  requires is<bool, decltype(scheme.offers(Operation::encode))>;
};

/// The operations that a scheme has, and what makes no sense without one of them.
template <class T>
struct Offered {
  static constexpr bool encode = members::encode::named_in<T>, rotate = members::rotate::named_in<T>,
                        transform = members::transform::named_in<T>, bias = members::bias::named_in<T>,
                        score = members::score::named_in<T>, mix = members::mix::named_in<T>;
  static constexpr bool any = encode || rotate || transform || bias || score || mix;
};

/// The members of T can be found: by a class derived from it.
template <class T>
inline constexpr bool derivable = std::is_class_v<T> && !std::is_final_v<T>;

template <class T>
struct WellFormed {
  static_assert(
      !members::card::named_in<T> || requires { &T::card; },
      "the members of a scheme must be public, for poslab reads and calls them: write struct, or public: "
      "before its card");
  static_assert(has_card<T>,
                "a scheme says what it is: static constexpr Card card{.id = \"my-scheme\", .title = \"My scheme\", "
                ".version = \"1.0\"};");
  static_assert(has_traits<T>,
                "a scheme says what it claims: static constexpr Traits traits = Traits().claims(relative | bounded); "
                "or, where that depends on parameters or the model, Traits traits() const or "
                "Traits traits(const Model&) const; Traits() if it claims nothing. It must be public.");
  static_assert(!misspells<T>());
  static_assert(!members::params::named_in<T> || has_params<T>,
                "parameters are declared as: static constexpr std::tuple params{real(&Scheme::member, \"name\", 1.0, "
                "above(0), \"a sentence\"), ...}; they must be public");
  static_assert(!members::prepare::named_in<T> || has_prepare<T>,
                "prepare has another signature than: void prepare(const Model& model), or void prepare(). It must be "
                "public.");
  static_assert(!members::weights::named_in<T> || has_weights<T>,
                "weights has another signature than: std::vector<Weight> weights(const Model& model) const, or without "
                "the model. It must be public.");
  static_assert(!members::offers::named_in<T> || has_offers<T>,
                "offers has another signature than: bool offers(Operation operation) const. It must be public.");

  using Has = Offered<T>;
  static constexpr bool needs_none() {
    if constexpr (has_card<T>)
      return T::card.family == Family::none;
    else
      return true;
  }
  static_assert(Has::any || needs_none(),
                "a scheme has at least one of the operations encode, rotate, transform, bias, score and mix; one that "
                "is to have none says so in its card: .family = Family::none");
  static_assert(!Has::rotate || !Has::transform, "a scheme has rotate(...) or transform(...), not both");
  static_assert(!members::rotate_gradient::named_in<T>,
                "rotate needs no rotate_gradient: gradients are rotated back by the SDK");
  static_assert(Has::encode || !members::encode_gradient::named_in<T>, "encode_gradient needs encode beside it");
  static_assert(Has::transform || !members::transform_gradient::named_in<T>,
                "transform_gradient needs transform beside it");
  static_assert(Has::bias || !members::bias_gradient::named_in<T>, "bias_gradient needs bias beside it");
  static_assert(Has::score || !members::score_gradient::named_in<T>, "score_gradient needs score beside it");
  static_assert(Has::mix || !members::mix_gradient::named_in<T>, "mix_gradient needs mix beside it");
};
/// Every mistake that is seen here is an error of its own.
template <class T>
inline constexpr bool well_formed = std::is_empty_v<WellFormed<T>>;

}  // namespace poslab::sdk
