// SPDX-License-Identifier: Apache-2.0
// What the attacks on claims share: logits through every operation, attacks that shrink, words for a counter-example.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "list.hpp"
#include "scene.hpp"

namespace poslab::check {

/// Logits [H, N, N] of all positions of a scene against all, before the mask, every operation at its place; one head
/// more for `encode`: <x + e(m), y + e(n)> / sqrt(D). Nothing if the plugin refuses, or a number is not finite or
/// -infinity.
std::optional<Block> logits_of(const Subject& subject, const Scene& scene);

/// Positions (rows), and how far they are moved, if that is the question.
struct Attack {
  Block positions;
  std::vector<double> shift;  ///< one number an axis, or empty
};
/// Why the claim falls under this attack; nothing if it stands.
using Refute = std::function<std::optional<std::string>(const Attack&)>;

/// The smallest attack that still refutes: rows are taken away and numbers moved to zero as long as it does. Positions
/// stay within the subject's range. Returns the words of the refutation.
std::string smallest_refutation(const Subject& subject, Attack attack, const Refute& refute, Index least_rows);

/// Attacks with `rows` positions, small ones first, then far and scattered ones up to 10^6; with shifts if `moves`.
std::vector<Attack> attacks_on(const Subject& subject, Index rows, bool moves, const std::string& key);

/// Tries every attack; throws Failed with the smallest refutation. Returns how many it stood.
int attack_all(const Subject& subject, const std::vector<Attack>& attacks, const Refute& refute, Index least_rows);

/// Runs `body` (which returns the number of attacks) on every subject that makes the claim; the sentence of the check.
std::string attack_claim(Trial& trial, const std::function<bool(const Subject&)>& claims,
                         const std::function<int(const Subject&)>& body);

/// Every `step`th attack, for claims of which each costs many calls.
std::vector<Attack> every(std::size_t step, const std::vector<Attack>& attacks);
/// Whether the subject serves all positions of an attack, before and after the move.
bool served(const Subject& subject, const Attack& attack);
/// Random contents at these positions, in the shortest context that holds them.
Scene attack_scene(const Subject& subject, const Block& positions, const std::vector<Block>& weights);
/// How far two logits may be apart, from the rms of all: tolerances.hpp.
double logit_tolerance(const Block& a, const Block& b, double largest_position = 0);
/// Equal infinities are not apart; nan is from everything.
bool apart(double a, double b, double most);

/// Position n of [N, A]: "3", or "(3, 4)".
std::string point_text(const Block& positions, Index n);
std::string point_text(const std::vector<double>& point);
Block moved(Block positions, const std::vector<double>& shift);
/// Contents of attacks: random, all equal, all zero.
Contents attack_contents(const Subject& subject, Index count, int kind);
inline constexpr int content_kinds = 3;
const char* content_text(int kind);

}  // namespace poslab::check
