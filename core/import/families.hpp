// SPDX-License-Identifier: Apache-2.0
// Families of models, one row each: by which reader their configuration is read, and what it means where it is silent.
#pragma once

#include <string>
#include <vector>

#include "keys.hpp"

namespace poslab::importing {

/// One way to rotate: that of all layers, or of the layers of a type.
struct Ladder {
  std::string type = {};  ///< of its layers in `layer_types`; empty: all
  std::vector<const char*> base_keys = {"rope_theta", "rotary_emb_base"};  ///< outside of scaling tables
  double base = 1e4;                                                       ///< where none of them is there
  double base_of_5 = 0;              ///< what transformers 5 takes then; 0: the same
  bool base_keys_of_4_only = false;  ///< transformers 5 has used them up before it comes to these layers
  bool scaled = true;                ///< whether `rope_scaling` is for these layers
  double part = 1;                   ///< of a head that rotates, where nothing says it
  const char* scaling = nullptr;     ///< where the table names none
  const char* width_key = nullptr;   ///< head width of these layers, if they have one of their own
  std::int64_t width = 0;            ///< where that key is not there
};

enum class Layers {
  same,         ///< all layers encode positions alike
  by_type,      ///< as the ladder of their type has it; layers of a type without one have no positions
  no_rope_list  ///< `no_rope_layers`: 1 rotates; else every `no_rope_layer_interval`-th does not
};

struct Family;

/// What is being read, and how.
struct Reading {
  const Keys& keys;
  const Family& family;
  Form form;
};

void read_rotary(const Reading& reading, Model& model);

struct Family {
  std::vector<std::string> types;                      ///< values of model_type
  void (*read)(const Reading&, Model&) = read_rotary;  ///< adds kinds of layers, and the layers
  std::vector<Ladder> ladders = {{}};
  bool interleaved = false;  ///< channels (2m, 2m + 1) rotate together, else (m, m + R/2)
  Layers layers = Layers::same;
  std::int64_t interval =
      0;  ///< from one layer with full attention to the next, or that does not rotate, where no list says it
  const char* other_type = "sliding_attention";  ///< what the layers between are then
  bool first_is_full = false;                    ///< counted from layer 0 on, else from layer interval - 1
  std::int64_t head_width = 0;                   ///< where nothing says it; 0: the width over the heads
  std::int64_t row_offset = 0;           ///< learned: rows before the one of position 0, beside max_position_embeddings
  std::int64_t original_length = 0;      ///< original_max_position_embeddings, where nothing says it
  bool scales_logits = false;            ///< mscale_all_dim is for the logits' scale, too
  bool scales_logits_by_5_only = false;  ///< which transformers 4 leaves as it is
  const char* window_key = "sliding_window";
  double logit_factor = 0;            ///< multiplies logits where no key says it; 0: the head width's power -1/2
  std::int64_t embedding_width = 0;   ///< where `embedding_size` is not there; 0: that of the model, whatever it says
  bool bias_per_layer = false;        ///< T5: every layer has a table of its own
  bool has_own_scaling = false;       ///< its readers take a scaling of their own where the table is not there
  bool only_transformers_5 = false;   ///< transformers 4.57 does not know it
  std::vector<double> sections = {};  ///< m-rope
  bool in_turns = false;              ///< m-rope: planes take turns
};

/// Null for a model_type that is not in the table.
const Family* family_of(const std::string& model_type);
/// What the keys themselves tell. Throws base::Error if they tell nothing about positions.
Family guessed_family(const Keys& keys);

// The other readers.
void read_m_rope(const Reading& reading, Model& model);
void read_latent(const Reading& reading, Model& model);  ///< DeepSeek's latent attention: a part of its own rotates
void read_deepseek_v4(const Reading& reading, Model& model);
void read_fixed_rotary(const Reading& reading, Model& model);  ///< GPT-J: a base that no key says
void read_alibi(const Reading& reading, Model& model);
void read_falcon(const Reading& reading, Model& model);
void read_mpt(const Reading& reading, Model& model);
void read_t5(const Reading& reading, Model& model);
void read_deberta(const Reading& reading, Model& model);
void read_learned(const Reading& reading, Model& model);
void read_bert(const Reading& reading, Model& model);
void read_roberta(const Reading& reading, Model& model);
void read_whisper(const Reading& reading, Model& model);
void read_vit(const Reading& reading, Model& model);
void read_dinov3(const Reading& reading, Model& model);
void read_swin(const Reading& reading, Model& model);

// What readers share.

/// Width, heads, width of a head.
struct Sizes {
  std::int64_t width, heads, head_width;
};
/// Reads them, notes where heads times head width is another number than the width. `own_width` is that of a head where
/// another key than the usual ones says it.
Sizes sizes_of(const Reading& reading, std::int64_t own_width = 0);
/// Notes how many positions the model is said to serve; 0: nothing says it.
std::int64_t max_positions(const Reading& reading);
/// The same, where a scheme needs it: a table has as many rows.
std::int64_t required_positions(const Reading& reading);
LayerKind kind_of(const char* scheme, const Sizes& sizes);
/// Notes a window, and a scale of the logits that is not the head width's.
void note_attention(const Reading& reading, std::int64_t head_width);
/// Notes by what logits are multiplied, if it is not the head width's power -1/2. `key` says it, or is empty.
void note_logit_factor(const Reading& reading, const std::string& key, double factor, std::int64_t head_width);
/// Adds `learned` for all layers.
void add_table(const Reading& reading, Model& model, std::int64_t rows, std::int64_t row_offset);

}  // namespace poslab::importing
