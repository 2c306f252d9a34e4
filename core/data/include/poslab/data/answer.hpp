// SPDX-License-Identifier: Apache-2.0
// What an experiment says of a variant: one cell of the table that a run ends with.
#pragma once

#include <cstdint>
#include <string>

namespace poslab::data {

enum class Mark : std::uint8_t {
  none = 0,        ///< a number that is neither good nor bad, or no number at all
  yes = 1,
  no = 2,
  partly = 3,      ///< of a part only, or at some points and not at others
  cannot_tell = 4  ///< the error is too large for a yes or a no
};
const char* to_text(Mark mark);

struct Answer {
  Mark mark = Mark::none;
  std::string number;    ///< what fits into a table, without its unit: "1.42 ± 0.03"
  std::string sentence;  ///< the same in full, with unit and condition
};

/// The column of an experiment in the table of answers.
struct AnswerColumn {
  std::string heading;  ///< "relative"
  std::string unit;     ///< of the numbers: "rms", "sd"; empty: none
  std::string legend;   ///< what mark and number say, in one line of 100 characters
};

}  // namespace poslab::data
