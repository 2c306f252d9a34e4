// SPDX-License-Identifier: Apache-2.0
// Which arrays of a checkpoint are weights of schemes: folders of models as they are published, with arrays of one
// number.
#include "poslab/import/checkpoint.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "catch.hpp"
#include "poslab/base/error.hpp"

using namespace poslab;
using importing::checkpoint_arrays;
using importing::CheckpointArray;

namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

// A folder that is removed at the end.
struct ModelFolder {
  fs::path path;
  explicit ModelFolder(const std::string& configuration)
      : path(fs::temp_directory_path() / ("poslab-checkpoint-" + std::to_string(::getpid()))) {
    fs::create_directory(path);
    write("config.json", configuration);
  }
  ModelFolder(const ModelFolder&) = delete;
  ModelFolder& operator=(const ModelFolder&) = delete;
  ~ModelFolder() { fs::remove_all(path); }

  void write(const std::string& name, const std::string& contents) const {
    std::ofstream(path / name, std::ios::binary) << contents;
  }
  void write_arrays(const std::string& file, const Names& names) const {
    std::string header, numbers;
    for (const std::string& name : names) {
      const std::size_t begin = numbers.size();
      numbers.append(4, '\0');
      header += (header.empty() ? "{" : ", ") + ("\"" + name) +
                R"(": {"dtype": "F32", "shape": [1], "data_offsets": [)" + std::to_string(begin) + ", " +
                std::to_string(begin + 4) + "]}";
    }
    header += "}";
    std::string size;
    for (std::size_t i = 0; i < 8; ++i) size += static_cast<char>((header.size() >> (8 * i)) & 255);
    write(file, size + header + numbers);
  }
  // "learned.table=wpe.weight"
  Names arrays() const {
    Names found;
    for (const CheckpointArray& one : checkpoint_arrays(path.string()))
      found.push_back(one.scheme + "." + one.weight + "=" + one.array);
    return found;
  }
};

std::string configuration(const std::string& family, const std::string& others = "") {
  return R"({"hidden_size": 16, "num_attention_heads": 4, "max_position_embeddings": 8, "model_type": ")" + family +
         "\"" + others + "}";
}

}  // namespace

TEST_CASE("an array is known by the end of its name, from a dot on") {
  const ModelFolder gpt(configuration("gpt2"));
  gpt.write_arrays("model.safetensors",
                   {"h.0.xwpe.weight", "wpe.weight.scale", "transformer.wpe.weight", "wte.weight"});
  CHECK(gpt.arrays() == Names{"learned.table=transformer.wpe.weight"});
  gpt.write_arrays("model.safetensors", {"wpe.weight"});
  CHECK(gpt.arrays() == Names{"learned.table=wpe.weight"});
}

TEST_CASE("layers with arrays of their own keep their numbers, and T5's one table has none") {
  const ModelFolder bert(configuration("bert", R"(, "position_embedding_type": "relative_key")"));
  const std::string name = ".attention.self.distance_embedding.weight";
  bert.write_arrays("model.safetensors", {"bert.encoder.layer.0" + name, "bert.encoder.layer.11" + name,
                                          "bert.encoder.layer." + name, "bert.encoder.layer.x" + name});
  CHECK(bert.arrays() == Names{"bert-relative.distance_embedding/0=bert.encoder.layer.0" + name,
                               "bert-relative.distance_embedding/11=bert.encoder.layer.11" + name});
  const std::string table = ".layer.0.SelfAttention.relative_attention_bias.weight";
  bert.write("config.json", configuration("t5", R"(, "d_kv": 4)"));
  bert.write_arrays("model.safetensors", {"encoder.block.0" + table});
  CHECK(bert.arrays() == Names{"t5.table=encoder.block.0" + table});
  bert.write("config.json", configuration("umt5", R"(, "d_kv": 4)"));
  bert.write_arrays("model.safetensors", {"encoder.block.0" + table, "encoder.block.1" + table});
  CHECK(bert.arrays() == Names{"t5.table/0=encoder.block.0" + table, "t5.table/1=encoder.block.1" + table});
}

TEST_CASE("of an encoder with sines and a decoder with a table, the decoder's is the table") {
  const ModelFolder whisper(configuration("whisper", R"(, "max_target_positions": 4)"));
  whisper.write_arrays("model.safetensors",
                       {"model.encoder.embed_positions.weight", "model.decoder.embed_positions.weight"});
  CHECK(whisper.arrays() == Names{"learned.table=model.decoder.embed_positions.weight"});
  whisper.write("config.json", configuration("bart"));
  CHECK_THROWS_WITH(whisper.arrays(), check::contains("choose one: --weights learned.table="));
}

TEST_CASE("a table that is narrower than the model is refused by its reason") {
  const ModelFolder albert(configuration("albert", R"(, "embedding_size": 8)"));
  const std::string table = "albert.embeddings.position_embeddings.weight";
  albert.write_arrays("model.safetensors", {table});
  CHECK_THROWS_WITH(albert.arrays(), check::contains("is 8 wide"));
  albert.write("config.json", configuration("albert", R"(, "embedding_size": 16)"));
  CHECK(albert.arrays() == Names{"learned.table=" + table});
}

TEST_CASE("the files of an index lie in the model's folder") {
  const ModelFolder gpt(configuration("gpt2"));
  gpt.write_arrays("a.safetensors", {"wte.weight"});
  gpt.write_arrays("b.safetensors", {"wpe.weight"});
  gpt.write("model.safetensors.index.json",
            R"({"weight_map": {"wte.weight": "a.safetensors", "wpe.weight": "b.safetensors"}})");
  CHECK(gpt.arrays() == Names{"learned.table=wpe.weight"});
  const std::string outside = "../" + gpt.path.filename().string() + "/b.safetensors";
  for (const std::string& index :
       Names{R"({"weight_map": {"wpe.weight": ")" + outside + "\"}}", R"({"weight_map": {"wpe.weight": 3}})",
             R"({"weight_map": [1]})", "[]", "{", ""}) {
    INFO(index);
    gpt.write("model.safetensors.index.json", index);
    CHECK_THROWS_AS(gpt.arrays(), base::FileError);
  }
}
