// SPDX-License-Identifier: Apache-2.0
// HDF5 1.10 leaks some of what it has half read when it refuses a file, and these tests give it hundreds to refuse.
// Handles that we forget to close are found in another way: closing their file fails then (H5F_CLOSE_SEMI).
extern "C" const char* __lsan_default_suppressions();  // NOLINT(bugprone-reserved-identifier): the sanitizer's name
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5_serial"; }
