# SPDX-License-Identifier: Apache-2.0
"""The page of a run: `python3 -m poslab.report RESULTS -o PAGE`."""
