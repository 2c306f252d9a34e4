// SPDX-License-Identifier: Apache-2.0
// What the cells of a variant say: does the mean logit fall with distance, for which contents, how soon?
#pragma once

#include "poslab/experiment/point.hpp"

namespace poslab::experiments::distance_profile {

data::AnswerColumn column();
data::Answer answer(const Point& point);

}  // namespace poslab::experiments::distance_profile
