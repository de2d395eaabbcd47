# SPDX-License-Identifier: Apache-2.0
"""What protocols of other packages need.

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
from limbtrace.rtl_bridge.description.writer import FILL_IN as FILL_IN
from limbtrace.rtl_bridge.description.writer import DraftLine as DraftLine
from limbtrace.rtl_bridge.interface.module_ports import SketchPort as SketchPort
from limbtrace.rtl_bridge.interface.pins import Pin as Pin
from limbtrace.rtl_bridge.interface.port_pool import Ports as Ports
from limbtrace.rtl_bridge.interface.port_types import DesignPort as DesignPort
from limbtrace.rtl_bridge.protocols import register as register
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
from limbtrace.rtl_bridge.protocols.view import DescriptionView as DescriptionView
from limbtrace.rtl_bridge.protocols.view import LayoutView as LayoutView
from limbtrace.rtl_bridge.protocols.view import RolesView as RolesView
from limbtrace.rtl_bridge.protocols.view import ShellView as ShellView
