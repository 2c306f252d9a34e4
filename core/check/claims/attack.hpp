// SPDX-License-Identifier: Apache-2.0
// What the attacks on claims share: which positions are tried, how a counter-example is made smaller, and what is said
// of claims that are made and of claims that are not.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "calls/make_call.hpp"
#include "calls/place.hpp"
#include "poslab/data/catalogue.hpp"
#include "trial.hpp"

namespace poslab::check {

// What counts as equal: the tolerances that the experiments declare for the same questions (a test holds the two
// together), none of our own.

/// relative-shift, content_error: the change of a logit over the rms logit.
inline constexpr data::Tolerance logit_rounding{1e-13, 0, 4e-16, 0, false};
/// norm-preservation, isometry_error: the change of an inner product over the norms.
inline constexpr data::Tolerance isometry_rounding{1e-14, 0, 0, 0, false};
/// norm-preservation, ratio_mean: the ratio of two norms.
inline constexpr data::Tolerance norm_rounding{1e-14, 0, 0, 0, false};
/// uniqueness, collisions: codes this near, over their rms norm, cannot be told apart.
inline constexpr double collision = 1e-9;

/// Positions (rows), and by how much they move, for claims about moves.
struct Attack {
  Tensor positions;
  std::vector<double> shift;  ///< one number an axis, or empty
  bool causal = false;        ///< the mask of which the scheme is told
  Index layer = 0;            ///< which asks
};

/// What came of an attack.
struct AttackResult {
  enum class Kind { not_possible, stood, refuted };  ///< not possible: the plugin refused, or a number was not finite
  Kind kind = Kind::stood;
  std::string counter_example;  ///< of a refuted claim
  bool is_refuted() const { return kind == Kind::refuted; }
};
inline AttackResult not_possible() { return {AttackResult::Kind::not_possible, ""}; }
inline AttackResult stood() { return {AttackResult::Kind::stood, ""}; }
inline AttackResult refuted(std::string by) { return {AttackResult::Kind::refuted, std::move(by)}; }
using Refute = std::function<AttackResult(const Attack&)>;

/// The counter-example of the smallest attack that still refutes: rows are taken away, numbers moved to zero and the
/// first layer asked as long as it does. Positions stay within what the instance serves.
std::string smallest_refutation(const Instance& instance, Attack attack, const Refute& refute, Index min_rows);

/// Attacks with `rows` positions, small ones first, then far and scattered ones up to 10^6; with shifts if `moves`.
/// Where real positions are served some positions and some shifts are quarters. Where both masks are, they alternate.
/// Layers 0, 1 and 2 take turns.
std::vector<Attack> attacks_on(const Instance& instance, Index rows, bool moves, const std::string& key);
/// Every `step`th attack, for claims of which each costs many calls.
std::vector<Attack> every(std::size_t step, const std::vector<Attack>& attacks);
/// The first 1024 positions, as far as they are served: the very first with seven others in each attack, so that one of
/// them alone that is wrong is met.
std::vector<Attack> dense_attacks(const Instance& instance);

/// Attacks one claim of one instance, and counts.
class Attacker {
 public:
  Attacker(const Instance& attacked, bool claims_it) : instance(attacked), is_claimed(claims_it) {}
  const Instance& instance;
  const bool is_claimed;

  /// Throws Failed at the first attack that refutes; where the claim is made, with the smallest that does.
  void attack_all(const std::vector<Attack>& attacks, const Refute& refute, Index min_rows);
  void count(int attacks) { made_ += attacks; }
  void count_impossible(int attacks) { impossible_ += attacks; }
  /// What the verdict says besides, as of attacks that were left out.
  void note(const std::string& sentence) { note_ = sentence; }
  int made() const { return made_; }
  int impossible() const { return impossible_; }
  const std::string& noted() const { return note_; }

 private:
  int made_ = 0, impossible_ = 0;
  std::string note_;
};

struct Claim {
  std::string name;  ///< as those who do not make it read it
  std::function<bool(const Instance&)> is_made;
  std::function<void(Attacker&)> attack;  ///< makes none where the claim says nothing about the instance's operations
};
/// Attacks the claim on every instance. Throws Failed if one that makes it is refuted; else the check's sentence. If no
/// instance makes it: throws NotPerformed, and notes for the parent if none could be refuted.
std::string attack_claim(Trial& trial, const Claim& claim);
/// The same for a claim that instances make by a bit.
std::string attack_claim(Trial& trial, const std::string& name, poslab_claim bit, void (*attack)(Attacker&));

/// Whether the instance serves all positions of an attack, before and after the move.
bool is_served(const Instance& instance, const Attack& attack);
/// Normal weights, as training could leave them, but for those on which `transform` depends: as frequencies they rotate
/// by weight times position, and tolerances are for the scheme's own sizes. Nothing where none is another than drawn.
std::vector<Tensor> normal_but_frequencies(const Instance& instance, const std::string& key);
/// Contents (attack_contents) at the attack's positions, in the shortest context that holds them.
Inputs attack_inputs(const Instance& instance, const Attack& attack, const std::vector<Tensor>& weights, int kind = 0);
/// Logits [H, N, N] of all positions against all, before the mask, from every operation in the order of the model; one
/// head more for `encode`: <x + e(m), y + e(n)> / sqrt(D). Nothing if the plugin refuses, or a number is not finite or
/// -infinity.
std::optional<Tensor> logits_of(const Instance& instance, const Inputs& inputs);
/// [H, N, N]: what a query reads, along a drawn vector, of a value that goes to it alone, both sides transformed, with
/// what `mix` adds; zeros where there is none of these. Under a causal mask what it hides is left out. Nothing where a
/// call does not succeed.
std::optional<Tensor> reads_of(const Instance& instance, const Inputs& inputs);
/// How far two logits may be apart, from the rms of all: logit_rounding.
double logit_tolerance(const Tensor& a, const Tensor& b, double largest_position = 0);
/// Whether two numbers differ by more than `most`: equal infinities do not, nan does from everything.
bool differ(double a, double b, double most);

/// ", under a causal mask, in layer 1" as far as it is so.
std::string circumstances(const Attack& attack);
/// "0.25, but 0.5", with as many digits as it takes to tell them apart.
std::string one_but_other(double one, double other, const char* between = ", but ");

/// Position n of [N, A]: "3", or "(3, 4)".
std::string point_text(const Tensor& positions, Index n);
std::string point_text(const std::vector<double>& point);
Tensor moved(Tensor positions, const std::vector<double>& shift);
/// Contents of attacks: random, all equal, all zero.
Contents attack_contents(const Instance& instance, Index count, int kind);
inline constexpr int content_kinds = 3;
const char* content_text(int kind);

}  // namespace poslab::check
