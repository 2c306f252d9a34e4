"""New scheme: queries and keys are rotated, plane by plane. Change it into yours; core/sdk/writing-a-scheme-in-python.md has the rest.

    poslab check new_scheme.py
"""

import numpy as np
import poslab


@poslab.define(id="new-scheme", title="New scheme", version="0.1", paper="Author et al. 2026, arXiv:0000.00000",
               claims={"isometry", "relative", "content_free", "length_free", "bounded"}, real_positions=True,
               summary="Rotates pairs of channels by angles that grow with the position.", formula="angle_m = position base^(-2 m / K)")
class NewScheme:
    base = poslab.real(10000.0, above=1, sentence="the slowest plane turns once in 2 pi base positions, about")

    def prepare(self, head_width):
        self.frequency = self.base ** (-np.arange(0, head_width, 2) / head_width)

    def inverse_frequency(self):
        return self.frequency

    def rotate(self, positions):  # [N] -> angles [N, P], of pairs of neighbouring channels
        return positions[:, None] * self.frequency
