# SPDX-License-Identifier: Apache-2.0
"""RTL that simulators read in their own way or order, and Yosys in another one: found in sources before a proof.

Each finding is `file:line: sentence`.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, islice
from typing import Any

from pyslang.analysis import AnalysisManager, DriverFlags, DriverKind, DriverSource
from pyslang.ast import (
    ArgumentDirection,
    AssignmentExpression,
    BinaryExpression,
    BinaryOperator,
    BlockStatement,
    CallExpression,
    ConcatenationExpression,
    ConcurrentAssertionStatement,
    ContinuousAssignSymbol,
    ConversionExpression,
    DisableForkStatement,
    EdgeKind,
    ElementSelectExpression,
    EventListControl,
    EventTriggerStatement,
    ForLoopStatement,
    HierarchicalValueExpression,
    ImmediateAssertionStatement,
    ImplicitEventControl,
    InstanceSymbol,
    IntegerLiteral,
    MemberAccessExpression,
    NamedValueExpression,
    NetSymbol,
    ParameterSymbol,
    PortSymbol,
    PrimitiveInstanceSymbol,
    ProceduralAssignStatement,
    ProceduralBlockKind,
    ProceduralDeassignStatement,
    RangeSelectExpression,
    ReplicationExpression,
    SignalEventControl,
    StatementBlockKind,
    SubroutineSymbol,
    TimedStatement,
    UnaryExpression,
    UnbasedUnsizedIntegerLiteral,
    VariableLifetime,
    VariableSymbol,
    WaitForkStatement,
    WaitOrderStatement,
    WaitStatement,
)

from limbtrace.rtl_bridge.elaboration import slang
from limbtrace.rtl_bridge.proof.constant_overflow import overflows
from limbtrace.rtl_bridge.proof.stale_reads import STEPS, stale_reads, updated
from limbtrace.rtl_bridge.proof.tri_state import TriStateNets

_EDGES = (EdgeKind.PosEdge, EdgeKind.NegEdge, EdgeKind.BothEdges)
_TIMED = (WaitStatement, WaitForkStatement, WaitOrderStatement, EventTriggerStatement, DisableForkStatement)
_FORCED = (ProceduralAssignStatement, ProceduralDeassignStatement)
_EXACT = (
    BinaryOperator.CaseEquality,
    BinaryOperator.CaseInequality,
    BinaryOperator.WildcardEquality,
    BinaryOperator.WildcardInequality,
)
"""Operators that take an x for what it is."""


def races(read: slang.ReadSources, reset: str | None = None) -> list[str]:
    """Findings in the order of processes and nets; `reset`: an input that changes apart from the edges of the clock."""
    return list(dict.fromkeys(_RaceFinder(read, reset).everything()))


class _Process:
    """A process, a continuous assignment or a subroutine."""

    def __init__(self, analyzed: Any) -> None:
        self.symbol = analyzed.analyzedSymbol
        signals = (each.symbol for each in analyzed.readSet if isinstance(each.symbol, (NetSymbol, VariableSymbol)))
        self.reads = {symbol.hierarchicalPath: symbol for symbol in signals}
        self.drives = {_path(driver): driver.symbol for driver in analyzed.drivers if driver.symbol is not None}
        called = (call.subroutine for call in analyzed.callExpressions)
        self.calls = [subroutine for subroutine in called if isinstance(subroutine, SubroutineSymbol)]
        self.called: set[str] = set()
        """What it drives by subroutines."""
        self.kind = getattr(self.symbol, "procedureKind", None)
        body = getattr(self.symbol, "body", None)
        timing = body.timing if isinstance(body, TimedStatement) else None
        self.is_implicit = isinstance(timing, ImplicitEventControl)
        """True for `always @*`."""
        events = timing.events if isinstance(timing, EventListControl) else [timing]
        waiting = [event for event in events if isinstance(event, SignalEventControl)]
        self.edges = {event.edge for event in waiting}
        calculated = {
            each.hierarchicalPath for event in waiting if not _is_plain(event.expr) for each in _named(event.expr)
        }
        plain = {each.hierarchicalPath for event in waiting if _is_plain(event.expr) for each in _named(event.expr)}
        self.edge_signals = [each for event in waiting if event.edge in _EDGES for each in _named(event.expr)]
        self._reads, self._waits = _ranges(analyzed.readSet), _ranges(analyzed.sensitivityList.reads)
        self.waits_for = self._waits.keys() - (calculated - plain)
        self._bounds: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for driver in analyzed.drivers:
            if driver.symbol is not None:
                self._bounds[_path(driver)].append(driver.bounds)

    def waits(self, path: str) -> bool:
        """True if it runs whenever a bit changes that it reads of a signal."""
        if path not in self.waits_for:
            return False
        waits = sorted(self._waits[path])
        for low, high in self._reads.get(path, ()):
            for start, end in waits:
                if start <= low <= end:
                    low = end + 1
            if low <= high:
                return False
        return True

    def own_reads(self) -> set[str]:
        """Signals of which it reads bits that it drives."""
        return {
            path
            for path, reads in self._reads.items()
            if any(one[0] <= other[1] and other[0] <= one[1] for one in reads for other in self._bounds.get(path, ()))
        }

    @property
    def is_clocked(self) -> bool:
        return not self.edges.isdisjoint(_EDGES)

    @property
    def is_hardware(self) -> bool:
        """True for what runs all the time."""
        return not isinstance(self.symbol, SubroutineSymbol) and self.kind not in (
            ProceduralBlockKind.Initial,
            ProceduralBlockKind.Final,
        )


class _RaceFinder:
    """Findings in a design."""

    def __init__(self, read: slang.ReadSources, reset: str | None) -> None:
        self._read, self._reset = read, reset
        self._manager = AnalysisManager()
        found: list[_Process] = []
        self._manager.addProcListener(lambda analyzed: found.append(_Process(analyzed)))
        self._manager.analyze(read.compilation)
        self._processes = list(found)
        found.clear()  # the manager keeps this list, and must not keep itself by it
        self._of_parameters = set[tuple[int, int, int]]()
        """Places of expressions in values of parameters."""
        self._subroutines = {
            each.symbol.hierarchicalPath: each for each in self._processes if isinstance(each.symbol, SubroutineSymbol)
        }
        for process in self._processes:
            for subroutine in self._called(process):
                process.drives |= {
                    path: symbol for path, symbol in subroutine.drives.items() if path not in process.drives
                }
                process.called |= subroutine.drives.keys()
        self._outside: dict[str, Any] = {}
        """Variables that something other than a process reads: a port, by its path."""
        self._made_of: dict[str, set[str]] = defaultdict(set)
        """By the path of a signal that logic or a port makes: those that it is made of."""
        for process in self._processes:
            if process.is_hardware and not process.is_clocked:
                for path in process.drives:
                    self._made_of[path] |= process.reads.keys()
        self._symbols: list[Any] = []

    def everything(self) -> Iterator[str]:
        """All findings."""
        found: list[str] = []
        self._read.compilation.getRoot().visit(lambda node: found.extend(self._node(node)))
        yield from found
        for process in self._processes:
            if process.is_hardware and not process.is_clocked:
                yield from self._incomplete(process)
        yield from self._blocking()
        yield from self._glitches()
        for symbol in self._symbols:
            yield from self._drivers(symbol)

    def _is_local(self, symbol: Any) -> bool:
        """True for a variable of a subroutine, which runs as a part of each process that calls it."""
        return symbol.hierarchicalPath.rpartition(".")[0] in self._subroutines

    def _say(self, location: Any, sentence: str) -> str:
        return f"{slang.place(self._read.manager, location)}: {sentence}"

    # One node

    def _node(self, node: Any) -> Iterator[str]:
        if isinstance(node, (NetSymbol, VariableSymbol)) and not self._is_local(node):
            self._symbols.append(node)
        if isinstance(node, NetSymbol) and node.initializer is not None:
            for symbol in _named(node.initializer):
                self._outside.setdefault(symbol.hierarchicalPath, node)
                self._made_of[node.hierarchicalPath].add(symbol.hierarchicalPath)
        if isinstance(node, (NetSymbol, ContinuousAssignSymbol)) and node.delay is not None:
            yield self._say(node.location, "a delay, which hardware does not have")
        if isinstance(node, PortSymbol) and node.direction != ArgumentDirection.In and node.internalSymbol is not None:
            self._outside[node.internalSymbol.hierarchicalPath] = node
        if isinstance(node, InstanceSymbol):
            self._connections(node)
        if isinstance(node, _TIMED):
            yield self._say(node.sourceRange.start, "a process that waits, or is waited for, at another place than @")
        if isinstance(node, _FORCED):
            yield self._say(node.sourceRange.start, "a procedural assign or force, which wins over other drivers")
        if isinstance(node, BlockStatement) and node.blockKind != StatementBlockKind.Sequential:
            yield self._say(node.sourceRange.start, "fork, whose statements have no order")
        if isinstance(node, PrimitiveInstanceSymbol) and node.delay is not None:
            yield self._say(node.location, "a delay, which hardware does not have")
        if isinstance(node, (ImmediateAssertionStatement, ConcurrentAssertionStatement)) and self._acts(node):
            yield self._say(node.syntax.sourceRange.start, "an assertion with side effects, which some tools leave out")
        if isinstance(node, VariableSymbol) and node.initializer is not None and self._is_kept(node):
            yield self._say(
                node.location, f"{node.name} is static and keeps its value between calls, which Yosys does not model"
            )
        yield from self._constants(node)
        if isinstance(node, (BinaryExpression, UnaryExpression)) and self._is_with_unknown(node):
            yield self._say(node.sourceRange.start, "an operator on x or z, whose value is x in simulators alone")

    def _constants(self, node: Any) -> Iterator[str]:
        """The first operation on constants, if any, whose value depends on the simulator."""
        if isinstance(node, ParameterSymbol) and node.initializer is not None:
            node.initializer.visit(lambda each: self._of_parameters.add(_place(each)))
        elif not isinstance(node, BinaryExpression) or _place(node) in self._of_parameters:
            return
        for _ in islice(overflows(node, self._read.compilation.getRoot()), 1):
            place = node.location if isinstance(node, ParameterSymbol) else node.sourceRange.start
            yield self._say(
                place, "a constant expression that some simulators evaluate in more bits than its operands have"
            )

    def _is_kept(self, variable: Any) -> bool:
        """True for a static variable of a subroutine with a first value, which Yosys takes for that of each call."""
        path = variable.hierarchicalPath
        return variable.lifetime == VariableLifetime.Static and any(
            path.startswith(f"{each}.") for each in self._subroutines
        )

    def _acts(self, assertion: Any) -> bool:
        """True if an assertion changes a variable, itself or by what it calls."""

        def changes(node: Any) -> bool:
            if isinstance(node, CallExpression) and isinstance(node.subroutine, SubroutineSymbol):
                called = self._subroutines.get(node.subroutine.hierarchicalPath)
                own = f"{node.subroutine.hierarchicalPath}."
                return called is not None and any(not path.startswith(own) for path in called.drives)
            return isinstance(node, AssignmentExpression) or (isinstance(node, UnaryExpression) and node.op in STEPS)

        found: list[bool] = []
        assertion.visit(lambda node: found.append(changes(node)))
        return any(found)

    def _connections(self, instance: Any) -> None:
        for connection in instance.portConnections:
            port, expression = connection.port, connection.expression
            if expression is None:
                continue
            inside = getattr(getattr(port, "internalSymbol", None), "hierarchicalPath", None)
            outside = [symbol.hierarchicalPath for symbol in _named(expression)]
            if getattr(port, "direction", None) == ArgumentDirection.Out:
                if inside is not None:
                    for path in outside:
                        self._made_of[path].add(inside)
                continue
            if inside is not None:
                self._made_of[inside].update(outside)
            for path in outside:
                self._outside.setdefault(path, expression)

    @staticmethod
    def _is_with_unknown(node: Any) -> bool:
        if isinstance(node, UnaryExpression):
            return _is_unknown(node.operand)
        return node.op not in _EXACT and (_is_unknown(node.left) or _is_unknown(node.right))

    # Processes

    def _incomplete(self, process: _Process) -> Iterator[str]:
        """Signals at whose changes a process does not run, or of which it reads what an earlier run has left."""
        place = process.symbol.location
        body = process.symbol.body if process.kind is not None else None
        own = process.own_reads() | updated(body) if body is not None else set()
        later = set[str]().union(*(_later(body) for body in self._bodies(process)))
        for symbol in stale_reads(body, own - later).values() if own else ():
            yield self._say(
                place,
                f"it reads {symbol.name} before it assigns it, which is the value of an earlier run in some simulators",
            )
        is_always_comb = process.kind in (ProceduralBlockKind.AlwaysComb, ProceduralBlockKind.AlwaysLatch)
        for path in sorted(own & later):
            if is_always_comb or not process.waits(path):
                yield self._say(place, f"it reads {process.drives[path].name} and does not wait for its changes")
        if is_always_comb:
            return
        if process.is_implicit and not process.waits_for - process.drives.keys():
            yield self._say(place, "it waits for changes of what it reads, and reads nothing, so that it never runs")
        wanted = dict(process.reads) if process.edges else {}
        for subroutine in self._called(process):
            inside = f"{subroutine.symbol.hierarchicalPath}."
            wanted |= {path: symbol for path, symbol in subroutine.reads.items() if not path.startswith(inside)}
        for path, symbol in wanted.items():
            if not process.waits(path) and path not in process.drives:
                yield self._say(place, f"it reads {symbol.name} and does not wait for its changes")

    def _blocking(self) -> Iterator[str]:
        """Variables that a clock edge changes at once, and that something else reads at this edge or later."""
        readers: dict[str, list[_Process]] = defaultdict(list)
        for process in self._processes:
            if process.is_hardware:
                for path in process.reads:
                    readers[path].append(process)
        for process in self._processes:
            if not (process.is_hardware and process.is_clocked):
                continue
            later = {path for body in self._bodies(process) for path in _later(body)}
            for path, symbol in process.drives.items():
                elsewhere = any(path not in reader.drives for reader in readers[path])
                if path not in later and (elsewhere or path in self._outside):
                    why = "is assigned by = at a clock edge and read outside this process, which depends on their order"
                    yield self._say(process.symbol.location, f"{symbol.name} {why}")

    def _glitches(self) -> Iterator[str]:
        """Edges of what logic makes of several signals: where these change at once, there is an edge or none."""
        for process in self._processes:
            if process.is_hardware:
                for symbol in process.edge_signals:
                    if len(self._sources(symbol.hierarchicalPath)) > 1:
                        why = "at whose edges it runs, is made of several signals, and may have a glitch"
                        yield self._say(process.symbol.location, f"{symbol.name}, {why}")

    def _sources(self, path: str) -> set[str]:
        """The registers and inputs that a signal is made of, but for the reset."""
        waiting, seen, sources = [path], set[str](), set[str]()
        while waiting:
            path = waiting.pop()
            if path in seen:
                continue
            seen.add(path)
            if path in self._made_of:
                waiting += self._made_of[path]
            elif path.count(".") > 1 or path.rpartition(".")[2] != self._reset:
                sources.add(path)
        return sources

    def _bodies(self, process: _Process) -> Iterator[Any]:
        if process.kind is not None:
            yield process.symbol.body
        for subroutine in self._called(process):
            yield subroutine.symbol.body

    def _called(self, process: _Process) -> Iterator[_Process]:
        """The subroutines that a process calls, and those that these call."""
        waiting, seen = list(process.calls), set[str]()
        while waiting:
            path = waiting.pop().hierarchicalPath
            if path not in seen and path in self._subroutines:
                seen.add(path)
                yield self._subroutines[path]
                waiting += self._subroutines[path].calls

    # Drivers

    def _drivers(self, symbol: Any) -> Iterator[str]:
        drivers = list(self._manager.getDrivers(symbol))
        if isinstance(symbol, NetSymbol):
            own = [each for each in drivers if not _is_input(each)]
            if _overlapping(own) and not TriStateNets(self._read, self._manager).are_resolved(symbol, own):
                why = "has several drivers; a proof takes condition ? value : 'z, with the same bits of it"
                yield self._say(symbol.location, f"{symbol.name} {why}")
            return
        written = [driver for driver in drivers if driver.kind == DriverKind.Procedural]
        first = [driver for driver in written if _is_initial(driver)]
        if _overlapping(first):
            yield self._say(symbol.location, f"{symbol.name} has several initial values")
        running = [each for each in written if not _is_initial(each) and each.source != DriverSource.Final]
        path = symbol.hierarchicalPath
        writers = [each for each in self._processes if each.is_hardware and path in each.drives]
        by_calls = len(writers) > 1 and any(path in each.called for each in writers)
        if (_overlapping(running) or by_calls) and not self._is_of_loops(path, writers):
            yield self._say(symbol.location, f"{symbol.name} is written by several processes, which have no order")

    def _is_of_loops(self, path: str, writers: list[_Process]) -> bool:
        """True if every process that writes a variable has it as the variable of its loops."""
        return all(any(path in _loops(body) for body in self._bodies(each)) for each in writers)


def _path(driver: Any) -> str:
    return str(driver.symbol.hierarchicalPath) if driver.symbol is not None else ""


def _ranges(reads: Iterable[Any]) -> dict[str, list[tuple[int, int]]]:
    """Ranges of bits, by the paths of their signals."""
    found: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for read in reads:
        if isinstance(read.symbol, (NetSymbol, VariableSymbol)):
            found[read.symbol.hierarchicalPath].append(read.bitRange)
    return found


def _is_plain(event: Any) -> bool:
    """True for signals and constant parts of them, at each of whose changes an event happens."""
    while isinstance(event, ConversionExpression):
        event = event.operand
    if isinstance(event, ConcatenationExpression):
        return all(_is_plain(each) for each in event.operands)
    if isinstance(event, ElementSelectExpression):
        return _is_plain(event.value) and not _named(event.selector)
    if isinstance(event, RangeSelectExpression):
        return _is_plain(event.value) and not _named(event.left) and not _named(event.right)
    if isinstance(event, MemberAccessExpression):
        return _is_plain(event.value)
    return isinstance(event, (NamedValueExpression, HierarchicalValueExpression))


def _place(node: Any) -> tuple[int, int, int]:
    """Where an expression stands; another symbol or type has a place of its own kind."""
    where = getattr(node, "sourceRange", None)
    if where is None:
        return 0, 0, 0
    return int(where.start.buffer.id), int(where.start.offset), int(where.end.offset)


def _is_input(driver: Any) -> bool:
    return bool(driver.flags & DriverFlags.InputPort)


def _is_initial(driver: Any) -> bool:
    return driver.source == DriverSource.Initial or bool(driver.flags & DriverFlags.Initializer)


def _overlapping(drivers: Iterable[Any]) -> bool:
    """True if two drivers of different processes, assignments or instances have a bit in common."""
    pairs = combinations([(driver.containingSymbol, driver.bounds) for driver in drivers], 2)
    return any(one != other and a[0] <= b[1] and b[0] <= a[1] for (one, a), (other, b) in pairs)


def _later(body: Any) -> set[str]:
    """Paths of what is assigned by <= in a process."""
    return _collected(
        body,
        lambda node: _named(node.left) if isinstance(node, AssignmentExpression) and node.isNonBlocking else (),
    )


def _loops(body: Any) -> set[str]:
    """Paths of the variables that a process has for its loops."""

    def of(node: Any) -> Iterable[Any]:
        if isinstance(node, ForLoopStatement):
            return [symbol for first in node.initializers for symbol in _named(first)]
        return ()

    return _collected(body, of)


def _collected(body: Any, of: Callable[[Any], Iterable[Any]]) -> set[str]:
    found: set[str] = set()
    body.visit(lambda node: found.update(symbol.hierarchicalPath for symbol in of(node)))
    return found


def _named(expression: Any) -> list[Any]:
    """The nets and variables in an expression."""
    found: list[Any] = []

    def look(node: Any) -> None:
        symbol = getattr(node, "symbol", None)
        if isinstance(symbol, (NetSymbol, VariableSymbol)):
            found.append(symbol)

    expression.visit(look)
    return found


def _is_unknown(operand: Any) -> bool:
    """True for a constant with an x or z, also repeated or beside others."""
    while isinstance(operand, ConversionExpression):
        operand = operand.operand
    if isinstance(operand, ReplicationExpression):
        return _is_unknown(operand.concat)
    if isinstance(operand, ConcatenationExpression):
        return any(_is_unknown(each) for each in operand.operands)
    if isinstance(operand, (IntegerLiteral, UnbasedUnsizedIntegerLiteral)):
        return bool(operand.value.hasUnknown)
    if isinstance(operand, NamedValueExpression) and isinstance(operand.symbol, ParameterSymbol):
        return bool(getattr(operand.symbol.value.value, "hasUnknown", False))
    return False
