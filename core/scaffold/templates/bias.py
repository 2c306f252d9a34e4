"""New scheme: a number for each offset, added to the logits. Change it into yours; core/sdk/writing-a-scheme-in-python.md has the rest.

    poslab check new_scheme.py
"""

import numpy as np
import poslab


@poslab.define(id="new-scheme", title="New scheme", version="0.1", paper="Author et al. 2026, arXiv:0000.00000",
               claims={"relative", "content_free", "length_free", "symmetric"}, real_positions=True,
               summary="Lowers logits with the logarithm of the distance.", formula="logit -= slope_h log(1 + |i - j|)")
class NewScheme:
    first_slope = poslab.real(1.0, at_least=0, sentence="of head 0; each head has half the slope of the one before")

    def bias(self, q, k, heads):  # positions [Nq], [Nk] -> [H, Nq, Nk]
        slope = self.first_slope * 2.0 ** -np.arange(heads)
        return -slope[:, None, None] * np.log1p(abs(q[:, None] - k[None, :]))
