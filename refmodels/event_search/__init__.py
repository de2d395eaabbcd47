# SPDX-License-Identifier: Apache-2.0
"""Reachable events of a model at given parameters: operands that were seen to cause them, or the reason why not.

`places` has the order in which events are looked at, `products` runs products, `candidates` judges what constructors
offer, and `occurrences` puts them together.
"""

from limbtrace.refmodels.event_search.occurrences import RUN_EVERY as RUN_EVERY
from limbtrace.refmodels.event_search.occurrences import Occurrences as Occurrences
from limbtrace.refmodels.event_search.places import NOT_FOUND as NOT_FOUND
from limbtrace.refmodels.event_search.places import REACHABLE as REACHABLE
from limbtrace.refmodels.event_search.places import UNREACHABLE as UNREACHABLE
from limbtrace.refmodels.event_search.places import Occurrence as Occurrence
from limbtrace.refmodels.event_search.places import Place as Place
from limbtrace.refmodels.event_search.products import MOST_PAIRS as MOST_PAIRS
from limbtrace.refmodels.event_search.products import MOST_STEPS as MOST_STEPS
