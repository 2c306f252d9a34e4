"""New scheme: a vector for each position, added to the embeddings. Change it into yours; core/sdk/writing-a-scheme-in-python.md has the
rest.

    poslab check new_scheme.py
"""

import numpy as np
import poslab


@poslab.define(id="new-scheme", title="New scheme", version="0.1", paper="Author et al. 2026, arXiv:0000.00000",
               claims={"content_free", "length_free", "bounded"}, real_positions=True, summary="A sine of its own frequency in each channel.",
               formula="code[c] = sin(position base^(-c / D) + c)")
class NewScheme:
    base = poslab.real(10000.0, above=1, sentence="the slowest sine has a wavelength of 2 pi base, about")

    def encode(self, positions, d_model):  # [N] -> [N, D]
        channel = np.arange(d_model)
        return np.sin(positions[:, None] * self.base ** (-channel / d_model) + channel)
