// SPDX-License-Identifier: Apache-2.0
// What effective-dimension asks and measures, as data.
#include "poslab/experiment/declare.hpp"

namespace poslab::experiments::effective_dimension {
namespace {

// Singular values are off by some 1e-16 of the largest one, times the square root of their number.
const data::Tolerance rounding{.absolute = 1e-12, .relative = 1e-11};

void add_codes(std::vector<data::MeasureInfo>& measures) {
  measures.push_back({.name = "participation",
                      .sentence = "how many directions the codes fill alike",
                      .definition = "(tr G)^2 / tr G^2, G = Phi Phi^T the Gram matrix of the codes; 0 for codes of 0",
                      .null_value = "0",
                      .tolerance = rounding});
  measures.push_back({.name = "participation_centred",
                      .sentence = "the same of the codes less their mean over positions",
                      .definition = "participation of Phi less the mean of its rows",
                      .null_value = "0",
                      .tolerance = {.absolute = 1e-9, .relative = 1e-9}});
  measures.push_back({.name = "directions_99",
                      .unit = "directions",
                      .sentence = "how few directions hold 0.99 of the codes' squared norm",
                      .definition = "least k with lambda_1 + .. + lambda_k >= 0.99 tr G",
                      .null_value = "0",
                      .tolerance = exact()});
  measures.push_back({.name = "spectrum",
                      .dimensions = {"order"},
                      .sentence = "share of each direction in the codes' squared norm",
                      .definition = "lambda_k / tr G, eigenvalues of G in falling order",
                      .null_value = "0",
                      .tolerance = rounding});
}

void add_kernel(std::vector<data::MeasureInfo>& measures) {
  measures.push_back({.name = "kernel_participation",
                      .dimensions = {"head"},
                      .sentence = "how many directions the position scores of all pairs fill alike",
                      .definition = "(sum sigma)^2 / sum sigma^2, singular values of P_h [N, N]",
                      .null_value = "1",
                      .tolerance = rounding});
  measures.push_back({.name = "kernel_participation_centred",
                      .dimensions = {"head"},
                      .sentence = "the same of what a softmax over keys sees of the scores",
                      .definition = "the same of P_h less the mean of each row; 0 where that is 0 but for rounding",
                      .null_value = "0",
                      .tolerance = {.absolute = 1e-9, .relative = 1e-9}});
  measures.push_back({.name = "kernel_spectrum",
                      .dimensions = {"head", "rank"},
                      .sentence = "share of each direction in the position scores",
                      .definition = "sigma_k / sum sigma, in falling order",
                      .null_value = "1, then 0",
                      .tolerance = rounding});
}

}  // namespace

data::ExperimentInfo describe() {
  data::ExperimentInfo info;
  info.id = "effective-dimension";
  info.version = "1.0";
  info.title = "Effective dimension";
  info.question = "How many directions do the codes of N positions fill, of those that they have?";
  info.axes = {length_axis(256)};
  info.dimensions = {
      {.name = "order", .unit = "1", .sentence = "of an eigenvalue, the largest being 0"},
      {.name = "rank", .unit = "1", .sentence = "of a singular value, the largest being 0", .within = {"length"}},
      {.name = "head", .unit = "1", .sentence = "the head's number, from 0", .within = {"heads"}},
  };
  add_codes(info.measures);
  add_kernel(info.measures);
  return info;
}

}  // namespace poslab::experiments::effective_dimension
