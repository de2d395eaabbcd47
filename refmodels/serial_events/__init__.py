# SPDX-License-Identifier: Apache-2.0
"""Events that digit-serial Montgomery products share: quotient digits, the accumulator, operands, the result.

`accumulator` says how a model keeps its accumulator; the other modules make events from that, by subject.
"""

from limbtrace.refmodels.serial_events.accumulator import ATTEMPTS as ATTEMPTS
from limbtrace.refmodels.serial_events.accumulator import A as A
from limbtrace.refmodels.serial_events.accumulator import Accumulator as Accumulator
from limbtrace.refmodels.serial_events.accumulator import B as B
from limbtrace.refmodels.serial_events.accumulator import ByPass as ByPass
from limbtrace.refmodels.serial_events.accumulator import Pass as Pass
from limbtrace.refmodels.serial_events.accumulator import Places as Places
from limbtrace.refmodels.serial_events.accumulator import product_carry as product_carry
from limbtrace.refmodels.serial_events.accumulator import total_value as total_value
from limbtrace.refmodels.serial_events.carries import carry_event as carry_event
from limbtrace.refmodels.serial_events.carries import ones_event as ones_event
from limbtrace.refmodels.serial_events.carries import ripple_event as ripple_event
from limbtrace.refmodels.serial_events.extremes import operand_digit_events as operand_digit_events
from limbtrace.refmodels.serial_events.extremes import operand_events as operand_events
from limbtrace.refmodels.serial_events.extremes import quotient_digit as quotient_digit
from limbtrace.refmodels.serial_events.extremes import quotient_events as quotient_events
from limbtrace.refmodels.serial_events.steps import drawn as drawn
from limbtrace.refmodels.serial_events.steps import step_event as step_event
from limbtrace.refmodels.serial_events.values import around_modulus as around_modulus
from limbtrace.refmodels.serial_events.values import range_event as range_event
from limbtrace.refmodels.serial_events.values import run_events as run_events
from limbtrace.refmodels.serial_events.values import word_events as word_events
