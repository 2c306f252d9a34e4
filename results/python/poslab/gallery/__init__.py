# SPDX-License-Identifier: Apache-2.0
"""A page for each scheme of a run, and an index of them: `python3 -m poslab.gallery RESULTS -o FOLDER`."""
