# SPDX-License-Identifier: Apache-2.0
"""A comparison of trained schemes over tasks and seeds, with errors: `poslab.league.League(run)`.

Any results file has one whose trainings (length-generalisation, language-model) have several schemes and several repeats.
"""

from poslab.league.league import League
from poslab.league.order import Order, order_beside
from poslab.league.scores import is_league, scores_of, trains

__all__ = ["League", "Order", "is_league", "order_beside", "scores_of", "trains"]
