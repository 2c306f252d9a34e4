// SPDX-License-Identifier: Apache-2.0
// Reads a dump in each way that its shapes allow.
// Dimension letters: N positions, A axes of a position, H heads, K head width, D model width, P planes, B batches.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "observation.hpp"
#include "roles.hpp"

namespace poslab::identify {

/// Its name, and its shape behind that: "cos [2048, 64]"
Caption caption_of(const DumpArray& array);
std::string shape_text(const std::vector<Index>& shape);
/// Throws BadDump with the array's shape and what is wrong with it.
[[noreturn]] void refuse(const DumpArray& array, const std::string& what);
/// Throws BadDump where a batch of so many numbers is another than the first: one alone is looked at.
void require_same_batches(const DumpArray& array, std::size_t numbers_of_one);

/// How the axes of arrays of heads lie, and whether logits are looked at behind the query.
struct Reading {
  bool heads_first = true;
  bool causal = false;
  std::optional<double> scale = {};  ///< on q.k; else the scheme's own
};

class Reader {
 public:
  Reader(const Dump& dump, const Request& request) : request_(request), roles_(roles_of(dump, request)) {}

  /// One for each reading that the shapes allow; throws BadDump where there is none.
  std::vector<Evidence> all();

 private:
  const DumpArray* array(Role role) const;
  void find_length();
  static Index rows_of(const DumpArray& a);
  std::vector<Reading> possible_readings() const;
  Evidence read(const Reading& reading);
  void require_length(const DumpArray& a, Index N);
  void require_heads(const DumpArray& a, Index H);
  static void require_finite(const DumpArray& a);
  void finish_model();
  void set_positions();
  Array<double> positions_of(const DumpArray& a) const;
  const DumpArray* batched() const;
  bool has_row_for_each_batch(const DumpArray& positions) const;
  static std::vector<double> of_one_batch(const DumpArray& positions);

  // read_heads.cpp: queries, keys and values, and what comes of them
  HeadRows heads_of(const DumpArray& a, const Reading& reading);
  static HeadRows for_every_query(HeadRows x, Index H);
  void take_heads(const DumpArray& a, const HeadRows& x);
  void note_rotary_width(const HeadRows& before, const HeadRows& after);
  void read_contents(const Reading& reading);

  // read_arrays.cpp: tables, cosines and sines, biases, lists
  void read_table();
  void read_planes();
  void read_bias(const Reading& reading);
  void leave_out_masked(const DumpArray& a, std::vector<double>& numbers);
  void read_lists();

  const Request& request_;
  std::vector<ArrayRole> roles_;
  std::optional<Index> N_;
  Index N_here_ = 0, head_width_ = 0, model_width_ = 0, planes_ = 0;
  host::Model model_;
  std::vector<Index> grid_;
  Evidence evidence_;
};

}  // namespace poslab::identify
