// SPDX-License-Identifier: Apache-2.0
#include "list.hpp"

namespace poslab::check {

std::string check_symbols(Trial&), check_linking(Trial&), check_version(Trial&), check_sizes(Trial&),
    check_table(Trial&);                                     // file_checks.cpp
std::string check_creates(Trial&);                           // create_checks.cpp
std::string check_parameters(Trial&), check_errors(Trial&);  // refusal_checks.cpp
std::string check_returns(Trial&), check_quiet(Trial&), check_floating_point(Trial&),
    check_empty(Trial&);                                                           // calls/call_checks.cpp
std::string check_writing(Trial&), check_bounds(Trial&), check_inputs(Trial&);     // calls/array_checks.cpp
std::string check_repeatable(Trial&), check_order(Trial&), check_threads(Trial&);  // calls/repeat_checks.cpp
std::string check_split(Trial&);                                                   // calls/split_checks.cpp
std::string check_finite(Trial&);                                                  // calls/finite_checks.cpp
std::string check_precision(Trial&), check_linear(Trial&);                         // calls/number_checks.cpp
std::string check_far(Trial&), check_limits(Trial&);                               // calls/position_checks.cpp
std::string check_gradients(Trial&);                                               // gradients/gradient_checks.cpp
std::string check_by_hand(Trial&);                                                 // gradients/by_hand.cpp
std::string check_isometry(Trial&), check_constant_norm(Trial&);                   // claims/vectors.cpp
std::string check_relative(Trial&), check_symmetric(Trial&);                       // claims/relative_symmetric.cpp
std::string check_content_free(Trial&);                                            // claims/content_free.cpp
std::string check_length_free(Trial&);                                             // claims/length_free.cpp
std::string check_bounded(Trial&);                                                 // claims/bounded.cpp
std::string check_unique(Trial&);                                                  // claims/unique.cpp
std::string check_frequencies(Trial&);                                             // claims/frequencies.cpp
std::string check_causal(Trial&);                                                  // claims/causal.cpp

const std::vector<Check>& checks() {
  constexpr bool gate = true;
  static const std::vector<Check> all{
      {"symbols", "exports one symbol, and the loader finds all that it needs", check_symbols, gate},
      {"linking", "looks for its libraries in places that do not depend on where it is run", check_linking},
      {"version", "built for a version of the boundary that this poslab knows", check_version, gate},
      {"sizes", "its structs reach at least as far as in version 1.0", check_sizes, gate},
      {"table", "its table keeps the rules of plugin.h", check_table, gate},
      {"creates", "makes its default variant, and says why it refuses others", check_creates, gate},
      {"returns", "every operation returns: no exception, no exit, no crash, in time", check_returns, gate},
      {"parameters", "values outside the declared ranges are refused by name and range", check_parameters},
      {"errors", "whatever fails says why, in the caller's buffer", check_errors},
      {"quiet", "writes nothing to stdout or stderr", check_quiet},
      {"floating-point", "leaves rounding, traps and denormals as they were", check_floating_point},
      {"empty", "accepts empty arrays, and calls for no gradient", check_empty},
      {"writing", "overwrites or adds, as plugin.h says of each output", check_writing},
      {"bounds", "touches nothing outside its arrays", check_bounds},
      {"inputs", "leaves its inputs as they were", check_inputs},
      {"repeatable", "the same call gives the same bits", check_repeatable},
      {"order", "no call depends on those before it", check_order},
      {"split", "other tiles of the same positions agree within 4 ulp", check_split},
      {"threads", "many threads get the bits that one gets", check_threads},
      {"finite", "every number is finite; -infinity only where it says so", check_finite},
      {"far", "far and negative positions give finite numbers or are refused", check_far},
      {"limits", "serves its first and last position, and nothing beyond", check_limits},
      {"precision", "float32 agrees with float64", check_precision},
      {"linear", "transform is linear in x", check_linear},
      {"gradients", "every gradient agrees with central differences", check_gradients},
      {"by-hand", "gradients by hand agree with derived ones", check_by_hand},
      {"isometry", "claim: transform keeps norms and inner products", check_isometry},
      {"relative", "claim: logits depend on positions through their difference only", check_relative},
      {"symmetric", "claim: logits are the same for both signs of the offset", check_symmetric},
      {"content-free", "claim: its part does not depend on x, q or k", check_content_free},
      {"length-free", "claim: nothing depends on context length or train length", check_length_free},
      {"bounded", "claim: no output grows without limit", check_bounded},
      {"constant-norm", "claim: all rows of encode have one norm", check_constant_norm},
      {"unique", "claim: positions 0 to n - 1 differ", check_unique},
      {"frequencies", "transform turns by the frequencies that it declares", check_frequencies},
      {"causal", "what a causal mask hides is not read", check_causal}};
  return all;
}

}  // namespace poslab::check
