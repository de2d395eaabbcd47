# SPDX-License-Identifier: Apache-2.0
"""The interface for protocols of other packages.

A package names its subclass of `Protocol` by an entry point of the group `limbtrace.protocols`, or calls `register`.
The views say what a protocol may use of the rest. The names here stay when modules move.
"""

from limbtrace.rtl_bridge.description.table import COUNT_BITS as COUNT_BITS
from limbtrace.rtl_bridge.description.table import SLACK as SLACK
from limbtrace.rtl_bridge.description.table import Formula as Formula
from limbtrace.rtl_bridge.description.table import Order as Order
from limbtrace.rtl_bridge.description.table import SignalName as SignalName
from limbtrace.rtl_bridge.description.table import Table as Table
from limbtrace.rtl_bridge.description.table import VerilogName as VerilogName
from limbtrace.rtl_bridge.description.tables import Clock as Clock
from limbtrace.rtl_bridge.description.tables import LoadedValue as LoadedValue
from limbtrace.rtl_bridge.description.tables import Memory as Memory
from limbtrace.rtl_bridge.description.tables import Operand as Operand
from limbtrace.rtl_bridge.description.tables import Result as Result
from limbtrace.rtl_bridge.description.tables import Row as Row
from limbtrace.rtl_bridge.description.tables import half_of_signed as half_of_signed
from limbtrace.rtl_bridge.description.writer import FILL_IN as FILL_IN
from limbtrace.rtl_bridge.description.writer import DraftLine as DraftLine
from limbtrace.rtl_bridge.description.writer import Value as Value
from limbtrace.rtl_bridge.description.writer import port_line as port_line
from limbtrace.rtl_bridge.interface.module_ports import ConstantPort as ConstantPort
from limbtrace.rtl_bridge.interface.module_ports import OperandPort as OperandPort
from limbtrace.rtl_bridge.interface.module_ports import SketchPort as SketchPort
from limbtrace.rtl_bridge.interface.pins import Pin as Pin
from limbtrace.rtl_bridge.interface.pins import Pins as Pins
from limbtrace.rtl_bridge.interface.port_pool import LOADS as LOADS
from limbtrace.rtl_bridge.interface.port_pool import READY as READY
from limbtrace.rtl_bridge.interface.port_pool import START as START
from limbtrace.rtl_bridge.interface.port_pool import VALID as VALID
from limbtrace.rtl_bridge.interface.port_pool import Ports as Ports
from limbtrace.rtl_bridge.interface.port_pool import level as level
from limbtrace.rtl_bridge.interface.port_pool import plain as plain
from limbtrace.rtl_bridge.interface.port_types import DesignPort as DesignPort
from limbtrace.rtl_bridge.protocols import register as register
from limbtrace.rtl_bridge.protocols.axi import bus_of as bus_of
from limbtrace.rtl_bridge.protocols.axi import port_of as port_of
from limbtrace.rtl_bridge.protocols.base import WATCHED as WATCHED
from limbtrace.rtl_bridge.protocols.base import Protocol as Protocol
from limbtrace.rtl_bridge.protocols.base import Wire as Wire
from limbtrace.rtl_bridge.protocols.base import fits as fits
from limbtrace.rtl_bridge.protocols.connection import Connection as Connection
from limbtrace.rtl_bridge.protocols.connection import HandshakeRule as HandshakeRule
from limbtrace.rtl_bridge.protocols.fields import CYCLE_BITS as CYCLE_BITS
from limbtrace.rtl_bridge.protocols.fields import Field as Field
from limbtrace.rtl_bridge.protocols.fields import pack as pack
from limbtrace.rtl_bridge.protocols.recognition import Recognition as Recognition
from limbtrace.rtl_bridge.protocols.view import BoundView as BoundView
from limbtrace.rtl_bridge.protocols.view import CoreView as CoreView
from limbtrace.rtl_bridge.protocols.view import DescriptionView as DescriptionView
from limbtrace.rtl_bridge.protocols.view import LayoutView as LayoutView
from limbtrace.rtl_bridge.protocols.view import MemoryView as MemoryView
from limbtrace.rtl_bridge.protocols.view import PlanView as PlanView
from limbtrace.rtl_bridge.protocols.view import RolesView as RolesView
from limbtrace.rtl_bridge.protocols.view import ShellView as ShellView
from limbtrace.rtl_bridge.protocols.view import TrialView as TrialView
from limbtrace.vectors.errors import ToolError as ToolError
