// SPDX-License-Identifier: Apache-2.0
// What a model's published configuration says about positions: schemes with their parameters, layer by layer, and what
// was made of each key. Facts only; `poslab import` makes the sentences.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "poslab/data/value.hpp"

namespace poslab::importing {

/// How a configuration says by which frequencies planes rotate: transformers 4 reads `rope_theta` and `rope_scaling`,
/// transformers 5 `rope_parameters`, where it also puts what it finds under the old names.
enum class Form { transformers_4, transformers_5 };

/// Layers that encode positions alike.
struct LayerKind {
  std::string name = {};  ///< "sliding_attention", "encoder"; empty where all layers are of one kind
  std::string scheme = "none";
  data::Values set = {};  ///< what differs from the scheme's defaults, or is known to be the same
  std::int64_t heads = 0, head_width = 0;
  bool operator==(const LayerKind&) const = default;
};

/// A key that was read, and what its value became.
struct UsedKey {
  std::string key;  ///< "text_config.rope_scaling.factor"
  std::string value;
  std::string meaning;  ///< "factor", "heads"
};

/// What the configuration does not say, and its readers take.
struct AssumedValue {
  std::string meaning, value;
};

/// What a study of poslab does not say of this model, with the names and numbers of the case.
struct Limit {
  enum class Kind {
    unknown_family,     ///< subject: its model_type
    layout,             ///< which channels are paired is not said
    width,              ///< subject: hidden_size, which is not heads times head width, amount: that
    table_width,        ///< subject: the key of the table's width, which is not heads times head width, amount: that
    other_width,        ///< subject: layers whose heads are not as wide; amount: their head width
    also,               ///< subject: what these layers do beside it, as a variant
    window,             ///< subject: its key; amount: the keys that are not masked
    logit_scale,        ///< subject: its key; logits are scaled by amount^-1/2
    logit_factor,       ///< subject: its key, if one says it; logits are multiplied by amount
    logit_by_layer,     ///< subject: its key; logits are divided by the number of their layer, from 1, too
    bias_scale,         ///< the bias is divided by the root of the head width, too
    no_attention,       ///< subject: layers that have no attention
    value_side,         ///< values rotate, too, and the output back
    scaling,            ///< subject: a scaling of m-rope, which has none
    other_part,         ///< subject: a part of the model with a configuration of its own
    stages,             ///< later stages have more heads, of the same width
    resampled,          ///< the table is resampled to other image sizes
    unrotated_tokens,   ///< class and register tokens do not rotate
    projections_shared  ///< positions share the projections of the contents
  };
  Kind kind;
  std::string subject = {};
  double amount = 0;
};

/// Where a reader of the one form takes another value than a reader of the other.
struct Difference {
  std::string layers;     ///< name of their kind
  std::string parameter;  ///< "base"; "scheme" where they take different schemes
  data::Value by_transformers_4, by_transformers_5;
};

struct Model {
  std::string family;  ///< its model_type; may be empty
  Form form = Form::transformers_4;
  std::int64_t heads = 0, head_width = 0;
  std::vector<LayerKind> kinds;            ///< in order of their first layer
  std::vector<std::size_t> kind_of_layer;  ///< empty: not known, or an encoder and a decoder
  std::vector<std::int64_t> grid;          ///< rows and columns of an image's patches; empty: a sequence
  std::int64_t max_positions = 0;          ///< as the configuration has it; 0: it says none
  std::vector<UsedKey> used;               ///< in order of reading
  std::vector<AssumedValue> assumed;
  std::vector<std::string> not_understood;  ///< keys about positions that nothing was made of
  std::vector<Limit> limits;
  std::vector<Difference> differences;
  std::string refused_by_other = {};            ///< what a reader of the other form says in place of reading it
  std::vector<std::string> read_by_other = {};  ///< keys that only a reader of the other form reads
};

/// Reads the text of a config.json. Throws base::Error: damaged for what is no JSON object or a value of the wrong
/// type, request for a configuration that says too little, or what no scheme can do.
Model read_configuration(const std::string& text);
/// The same from a file, or from the config.json of a model's folder. Throws base::FileError, too.
Model read_model(const std::string& path);

/// The kinds of the first layers, as many as are repeated over all of them, by which a study says its `layers`; empty
/// where they are not known, or encode alike.
std::vector<std::size_t> repeated_layers(const Model& model);

/// A study (TOML) with the model's schemes, its layers where these differ, and a few experiments that serve them;
/// `source` is named in its title.
std::string study_text(const Model& model, const std::string& source);

/// Writes it where no file is yet. Throws base::FileError.
void write_study(const std::string& path, const std::string& text);

/// "rope(base=500000.0, style=half-split)"
std::string variant_text(const LayerKind& kind);

}  // namespace poslab::importing
