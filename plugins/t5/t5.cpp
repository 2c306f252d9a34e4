// SPDX-License-Identifier: Apache-2.0
// T5's relative bias: a learned number per head and bucket of distances; near distances have their own bucket, far ones
// share logarithmically wider ones.
#include <poslab/scheme.hpp>
#include <poslab/sdk/buckets.hpp>

using namespace poslab;

struct T5 {
  static constexpr Card card{
      .id = "t5",
      .title = "T5 relative bias",
      .version = "1.2",
      .paper = "Raffel et al. 2020, arXiv:1910.10683",
      .summary = "A learned bias per head and bucket of distances, logarithmically wider with distance.",
      .formula = "logit(i, j) = q_i . k_j + E[bucket(j - i), h]",
      .used_in = "T5, mT5, FLAN-T5, UL2, LongT5"};
  int buckets, max_distance;
  bool bidirectional, scaled, per_layer;
  static constexpr std::tuple params{
      integer(&T5::buckets, "buckets", 32, between(2, 65536), "rows of the table")
          .usual({32, 8, 16, 64, 128, 320, 12, 24, 48}),
      integer(&T5::max_distance, "max_distance", 128, between(2, 1048576),
              "distances from here on share the last bucket")
          .usual({128, 16, 32, 64, 8})
          .in("position"),
      flag(&T5::bidirectional, "bidirectional", false,
           "half of the buckets for keys after the query; else those share bucket 0"),
      flag(&T5::scaled, "scaled", false,
           "logits with the usual 1 / sqrt(K); T5 itself has none and puts it into its initial weights"),
      flag(&T5::per_layer, "per_layer", false, "every layer has its own table; in T5 all share the first layer's")};
  // What logits lack is in the matrix that makes queries: deviation 1 / sqrt(D K) where keys have 1 / sqrt(D)
  // (Mesh TensorFlow's attention, transformers' T5PreTrainedModel).
  Traits traits(const Model& m) const {
    const Traits all = Traits().claims(relative | content_free | length_free | bounded);
    return scaled ? all : all.logit_scale(1).initial_query_scale(1 / std::sqrt(m.K));
  }

  Buckets bucket;  // of an offset = key - query
  void prepare() { bucket = Buckets("t5", buckets, max_distance, bidirectional); }

  std::vector<Weight> weights(const Model& m) const {
    const Weight table = normal("table", {buckets, m.H}, 1 / std::sqrt(m.D), "what a bucket adds to a head's logits");
    return {per_layer ? table.each_layer() : table};
  }

  template <class S>
  S bias(int head, double offset, Weights<const S> w) const {
    return w[0](bucket(offset), head);
  }
  template <class S>
  void bias_gradient(int head, double offset, S gradient, Weights<const S>, Weights<S> dw) const {
    dw[0](bucket(offset), head) += gradient;
  }
};
POSLAB_SCHEME(T5)
