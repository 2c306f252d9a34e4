// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/commands.hpp"

int main(int count, char** words) { return poslab::app::main_program({words + 1, words + count}); }
