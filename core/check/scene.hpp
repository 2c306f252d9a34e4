// SPDX-License-Identifier: Apache-2.0
// What a call is made of: positions, weights, contents; and calls of every operation made of them.
// Dimension letters: N positions, Nq query positions, Nk key positions, A axes, D model width, H heads, K head width.
#pragma once

#include <string>
#include <vector>

#include "subject.hpp"

namespace poslab::check {

/// Positions [count, A] in rising order of their rows. `consecutive`: from 0, or the lowest served if that is greater,
/// row by row through a grid where there are several axes; a range that is too short is gone through again.
Block consecutive(const Subject& subject, Index count);
/// Random ones within [-reach, reach] as far as they are served, 0 among them; quarters, too, if `fractions`.
Block scattered(const Subject& subject, Index count, double reach, const std::string& key, bool fractions = false);

/// How far the weights are from what the scheme draws.
enum class WeightScale { drawn, normal, large, zero };
const char* to_text(WeightScale scale);
/// One block per declared weight. drawn: as declared; normal: standard normal; large: eight times that; zero.
std::vector<Block> weights_of(const host::Scheme& scheme, WeightScale scale, const std::string& key);

/// The numbers of a sequence, before any position enters.
struct Contents {
  Block query, key;   ///< [H, N, K]
  Block layer_input;  ///< [N, D]
};
Contents normal_contents(const Subject& subject, Index count, const std::string& key, double factor = 1);

/// A setting from which every operation's call can be made.
struct Scene {
  Block positions;  ///< [N, A], of the keys
  Contents contents;
  std::vector<Block> weights;
  Index first_query = 0, queries = 0;  ///< the tile: rows of `positions`
  bool causal = false;
  Index length = 0, train_length = 64;
  std::string key;  ///< of what else is drawn
};

/// Standard contents and drawn weights; all positions are queries.
Scene scene_of(const Subject& subject, Block positions, const std::string& key, WeightScale scale = WeightScale::drawn);

/// The forward call: `score` finds scale * q.k + bias in its output, `mix` random attention rows; `encode` and `bias`
/// nan.
Call forward_call(const Subject& subject, const Scene& scene, Operation operation, int scalar = POSLAB_F64,
                  int side = POSLAB_QUERY);
/// The gradient call, all gradients wanted and zero, for the gradient of a loss by the output that is random; nothing
/// of the loss lies where a causal mask hides.
Call gradient_call(const Subject& subject, const Scene& scene, Operation operation, int scalar = POSLAB_F64,
                   int side = POSLAB_QUERY);
/// scale * q.k + bias [H, Nq, Nk], what `score` finds.
Block plain_logits(const Subject& subject, const Call& call);

enum class Which { forward, all };
/// Every call that a subject answers: each operation and (of few queries, as they cost much more) its gradient, both
/// scalars, both sides of transform.
std::vector<Call> all_calls(const Subject& subject, const Scene& scene, Which which = Which::all);

// What most checks do with them.
inline constexpr Index few_positions = 9;  // odd, so that vector code has a remainder
Scene usual_scene(const Subject& subject);
const char* scalar_text(const Call& call);
/// "gradient of bias in float64"
std::string where(const Call& call);
/// "positions -3 to 1024"
std::string positions_text(const Call& call);
/// Makes the call; throws Failed unless it is answered with OK.
Answer succeed(const Subject& subject, Call& call, const Guard& guard = {});
/// Throws Failed if an output holds nan or an infinity that is not allowed. Hidden entries count, too: the mask, which
/// comes later, is added to them.
void require_finite(const Subject& subject, Call& call);
/// One axis of several may end earlier than the plugin can say; then it refuses positions there itself, naming a
/// number.
bool is_named_refusal(const Subject& subject, const Answer& answer);

}  // namespace poslab::check
