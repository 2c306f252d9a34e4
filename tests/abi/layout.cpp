// SPDX-License-Identifier: Apache-2.0
// The same layout, seen by a C++20 compiler.
#include "layout.c"  // NOLINT(bugprone-suspicious-include): the same source, by another compiler
