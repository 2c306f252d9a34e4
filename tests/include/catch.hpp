// SPDX-License-Identifier: Apache-2.0
// The one include of every test: Catch2 2.13 (Debian 12) or 3.x, under the same names.
#pragma once

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_approx.hpp>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_all.hpp>
#include <catch2/matchers/catch_matchers_all.hpp>
namespace check {
using Catch::Approx;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
inline auto contains(const std::string& text) { return Catch::Matchers::ContainsSubstring(text); }
inline auto starts_with(const std::string& text) { return Catch::Matchers::StartsWith(text); }
}  // namespace check
#else
#include <catch2/catch.hpp>
namespace check {
using Catch::Detail::Approx;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
inline auto contains(const std::string& text) { return Catch::Matchers::Contains(text); }
inline auto starts_with(const std::string& text) { return Catch::Matchers::StartsWith(text); }
}  // namespace check
#endif
