# SPDX-License-Identifier: Apache-2.0
"""A description guessed from what is seen of the RTL: ports by name, width and comment, formulas by the model."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product

from refmodels.errors import ParameterError
from refmodels.settings import Given
from rtl_bridge.core.bind import names_of
from rtl_bridge.core.core import FILL_IN
from rtl_bridge.core.draft import Draft, DraftLine, Value
from rtl_bridge.core.formula import evaluate
from rtl_bridge.core.sketch import Sketch, SketchParameter, SketchPort, Term
from vectors.request import Multiplier

EXAMPLES = ("p256", "2^255-19", "sike-p434", "sike-p503")
"""Moduli that formulas are tried with where none is given; some models take special ones only."""
WIDE = 4
"""An operand, a modulus or a result has at least that many bits."""

_PAIRS = (
    ("a", "b"), ("x", "y"), ("lhs", "rhs"), ("op_a", "op_b"), ("opa", "opb"), ("operand_a", "operand_b"),
    ("in_a", "in_b"), ("in1", "in2"), ("in0", "in1"), ("x1", "x2"), ("op1", "op2"), ("multiplicand", "multiplier"),
    ("mul_a", "mul_b"), ("a_in", "b_in"), ("din_a", "din_b"), ("src_a", "src_b"), ("num1", "num2"), ("u", "v"),
)  # fmt: skip
_MODULUS = re.compile(r"^(p|m|q|mod|modulus|modul|prime|md|op_m|op_p|mod_p|mod_m|field|n|in_m|in_p|in_n)$")
_INVERSE = re.compile(
    r"(prime|minus_inv|neg_inv|ninv|n0inv|pinv|minv|inverse|^(mp|pp|np|n0|mu|inv|p_inv|m_inv|n_inv|p1)$)"
)
_SQUARE = re.compile(r"^(r2|rr|r_2|rsq|r_sq|r_squared|r2modp|r2modm|r2modn|r2_mod_[pmn]|rr_mod_[pmn])$")
_RESULT = re.compile(r"^(z|r|res|result|product|prod|out|dout|rsp|s|c|q|y|o|data|ret|res_data|out_data|mont|monpro)$")
_START = re.compile(r"^(start|go|begin|st|launch|req|run|kick|trigger|exec|enable|en|load|ld|valid|vld|in_valid|new)")
_DONE = re.compile(r"(done|finish|complete|eoc|ack|there|^end$|valid|vld|ready|rdy)")
_BUSY = re.compile(r"(busy|active|running|working)")
_VALID = re.compile(r"(valid|vld|^i?v$|^ov$|_v$)")
_READY = re.compile(r"(ready|rdy|^[io]r$|_r$)")
_COUNTS = {"bits": "N", "nbits": "N", "len": "N", "length": "N"}
_DIGITS = re.compile(r"^(words?|digits?|limbs?|nwords|num_words|n_words)$")
_OFF = re.compile(r"(test|scan|fault|inject|debug|dbg|dft|spoil|flush|clear|abort|stall|hold)")
_ON = re.compile(r"^(en|enable|ce|clk_en|clken|clock_enable|cen)$")
_DEBUG = re.compile(r"^(dbg|debug|probe|mon|trace)_")
_VALUES = {"x": "a", "y": "b", "m": "p", "n": "p", "modulus": "p", "mod": "p"}


def plain(name: str) -> str:
    """A port without what only says its direction."""
    text = re.sub(r"^(i|o|in|out|s|m)_(?=[a-z]{2})", "", name.lower())
    return re.sub(r"(?<=.)_(i|o|in|out|ni|no|d|q)$", "", text)


class Guess:
    """The description of a sketch for a model, or for none; `settings` are those that were asked for.

    Raises ParameterError where the model does not take the modulus or the settings.
    """

    def __init__(self, sketch: Sketch, name: str, model: str | None, prime: str | None, settings: Given) -> None:
        self._sketch, self._name, self._model, self._given = sketch, name, model, settings
        self._why_model = ""
        self._left = {port.name: port for port in sketch.ports}
        self._tried = list(_resolved(model, prime, settings)) if model else []
        self._open_inputs: list[DraftLine] = []
        self._read()

    @property
    def draft(self) -> Draft:
        """The description."""
        protocol = self._protocol_lines()
        tables: list[tuple[str, Iterable[DraftLine]]] = [("", self._top_lines())]
        tables += [("settings", self._setting_lines()), ("ranges", self._range_lines()), ("build", self._build_lines())]
        tables += [("clock", [self._port_line("port", self._clock, "the clock")]), ("reset", self._reset_lines())]
        tables += [("protocol", protocol)]
        tables += [("[input]", lines) for lines in self._input_lines()]
        tables += [("[operand]", lines) for lines in self._operand_lines()]
        tables += [("memory", self._memory_lines()), ("result", self._result_lines())]
        kept = tuple((name, tuple(lines)) for name, lines in tables)
        return Draft(tuple((name, lines) for name, lines in kept if lines), tuple(self._remarks()))

    # What each port is.

    def _read(self) -> None:
        sketch = self._sketch
        self._clock = self._left.pop(sketch.clock or "", None)
        self._reset = self._left.pop(sketch.reset.port, None) if sketch.reset else None
        self._bus = next((p.name for p in sketch.ports if re.search(r"awvalid", p.name, re.IGNORECASE)), None)
        if self._bus:
            self._prefix = re.split(r"awvalid", self._bus, flags=re.IGNORECASE)[0]
            for name in [name for name in self._left if name.lower().startswith(self._prefix.lower())]:
                del self._left[name]
        self._debug = [p for p in [*self._left.values()] if p.direction == "output" and _DEBUG.search(p.name)]
        for port in self._debug:
            del self._left[port.name]
        self._setup = self._one("input", re.compile(r"^(setup|set_up|load_p|load_m|ld_mod)"))
        self._read_memory()
        self._read_handshake()
        self._read_operands()

    def _read_memory(self) -> None:
        write = re.compile(r"^(wr|write|w|ld|load|mem_w|we|wen)")
        self._enable = self._data = self._address = self._select = self._taken_by = None
        self._read_address = self._read_data = self._read_product = None
        data = [
            p for p in self._wide("input") if re.search(r"^(wr|write|w|ld|mem_w|in)?_?(data|din|word)", plain(p.name))
        ]
        if data and (address := self._some("input", re.compile(r"(wr|write|w|ld|mem_w|in)_?(addr|adr|address)"), data)):
            self._data, self._address = self._take(data[0]), self._take(address)
            self._enable = self._one("input", re.compile(r"^(wr|write|w|ld|mem_w)?_?(en|we|wen|enable)"))
            self._enable = self._enable or self._one("input", write)
            self._select = self._several("input", re.compile(r"(wr|write|w|ld)_?(sel|select|bank|which|op)"))
            self._taken_by = self._several("input", re.compile(r"(wr|write|w)_?(way|product|unit|tag)"))
        pattern = re.compile(r"^(rd|read|r|res|out)_?(addr|adr|address)")
        if address := self._several("input", pattern):
            self._read_address = address
            outputs = self._wide("output")
            named = [p for p in outputs if re.search(r"(data|dout|word)", p.name.lower())] or outputs
            self._read_data = self._take(named[0]) if named else None
            self._read_product = self._several("input", re.compile(r"^(rd|read|r)_?(way|product|unit|tag)"))

    def _read_handshake(self) -> None:
        bits = {
            side: [p for p in self._left.values() if p.has_one_bit and p.direction == side]
            for side in ("input", "output")
        }

        def named(side: str, pattern: re.Pattern[str]) -> list[SketchPort]:
            return [p for p in bits[side] if pattern.search(plain(p.name)) or pattern.search(p.name.lower())]

        both = [named(side, pattern) for side in ("input", "output") for pattern in (_VALID, _READY)]
        self._tag = self._taker = None
        self._in_words = False
        self._handshake: dict[str, SketchPort | None] = {}
        if self._bus:
            self._kind = "axi4-lite"
        elif all(both):
            in_valid, out_ready, out_valid, in_ready = (found[0] for found in both)
            self._kind = "valid-ready"
            self._handshake = {
                "in_valid": in_valid,
                "in_ready": in_ready,
                "out_valid": out_valid,
                "out_ready": out_ready,
            }
        else:
            start = next(iter(named("input", _START)), None)
            ready, valid = (next(iter(named("output", pattern)), None) for pattern in (_READY, _VALID))
            loads = start is not None and plain(start.name).startswith(("load", "ld"))
            if valid and start and (ready or loads or self._setup):
                self._kind, self._in_words = "word-serial", True
                key = "load" if loads and not ready else "start"
                self._handshake = {key: start, **({"ready": ready} if ready else {}), "valid": valid}
            else:
                self._kind = "start-done"
                busy = next(iter(named("output", _BUSY)), None)
                rest = [p for p in bits["output"] if p is not busy]
                done = next((p for p in named("output", _DONE) if p is not busy), rest[0] if len(rest) == 1 else None)
                self._handshake = {"start": start, **({"busy": busy} if busy else {}), "done": done}
        for port in self._handshake.values():
            if port is not None:
                self._take(port)
        if self._in_words:
            self._tag = self._any("output", re.compile(r"(^|_)(tag|(r|res|result|out)_(lm|unit|id|slot))$"))
            self._taker = self._any("output", re.compile(r"^(lm|unit|slot|taker)$"))

    def _read_operands(self) -> None:
        inputs = {plain(p.name): p for p in self._wide("input")}
        self._constants: list[tuple[SketchPort, str, str]] = []
        unary = bool(self._tried) and self._tried[0].model.unary
        widest = max((p.width for p in inputs.values()), default=0)
        pair = next(((x, y) for x, y in _PAIRS if x in inputs and y in inputs), None)
        for name, port in inputs.items():
            what = self._constant(name, port, widest, in_memory=self._data is not None)
            if what and name not in (pair or ()):
                self._constants.append((self._take(port), *what))
        self._operands: list[tuple[str, SketchPort, str]] = []
        rest = [p for p in inputs.values() if p.name in self._left]
        if self._data is None and not self._bus:
            if pair:
                both = [inputs[name] for name in pair]
                self._operands = [(to, self._take(port), "by its name") for to, port in zip("ab", both, strict=True)]
            elif unary and rest:
                self._operands = [("a", self._take(rest[0]), "the first wide input that is nothing else")]
            elif len(rest) >= 2:
                rest = sorted(rest, key=lambda p: -p.width)[:2]
                order = [p for p in self._sketch.ports if p in rest]
                why = "one of the two widest inputs that are nothing else, in their order"
                self._operands = [(to, self._take(port), why) for to, port in zip("ab", order, strict=True)]
            if unary:
                self._operands = self._operands[:1]
        outputs = self._wide("output")
        named = [p for p in outputs if _RESULT.search(plain(p.name))]
        self._result: SketchPort | None = None
        if self._read_data is None and not self._bus and (named or outputs):
            self._result = self._take((named or outputs)[0])
            self._result_why = (
                "by its name" if named else "the wide output" if len(outputs) == 1 else "the first wide output"
            )

    def _constant(self, name: str, port: SketchPort, widest: int, *, in_memory: bool) -> tuple[str, str] | None:
        """(value, why) of an input that does not change during a product."""
        names, constants = self._names, list(self._tried[0].params.constants) if self._tried else []
        said = port.comment.split(",")[0].split(";")[0].strip()
        if _INVERSE.search(name):
            return next((c for c in constants if c.endswith("'")), "p'"), "by its name"
        if _SQUARE.search(name):
            return next((c for c in constants if c.startswith("R^2")), "R^2 mod p"), "by its name"
        if said in constants:
            return said, "by its comment"
        if _MODULUS.search(name) and not in_memory and (name != "n" or port.width * 2 > widest):
            return "p", "by its name"
        for text, why in ((said, "by its comment"), (port.name, "by its name"), (name, "by its name")):
            if text and text in names:
                return text, why
        if name in _COUNTS:
            return _COUNTS[name], "by its name"
        if _DIGITS.search(name) and self._count:
            return self._count, "by its name"
        return None

    # Ports by side and name.

    def _take(self, port: SketchPort) -> SketchPort:
        return self._left.pop(port.name)

    def _wide(self, side: str) -> list[SketchPort]:
        return [p for p in self._left.values() if p.direction == side and p.width >= WIDE]

    def _matching(self, side: str, pattern: re.Pattern[str], kind: Callable[[SketchPort], bool]) -> SketchPort | None:
        found = (p for p in self._left.values() if p.direction == side and kind(p) and pattern.search(plain(p.name)))
        return next(found, None)

    def _one(self, side: str, pattern: re.Pattern[str]) -> SketchPort | None:
        found = self._matching(side, pattern, lambda p: p.has_one_bit)
        return self._take(found) if found else None

    def _several(self, side: str, pattern: re.Pattern[str]) -> SketchPort | None:
        found = self._matching(side, pattern, lambda p: not p.has_one_bit)
        return self._take(found) if found else None

    def _any(self, side: str, pattern: re.Pattern[str]) -> SketchPort | None:
        found = self._matching(side, pattern, lambda p: True)
        return self._take(found) if found else None

    def _some(self, side: str, pattern: re.Pattern[str], but: Sequence[SketchPort]) -> SketchPort | None:
        return self._matching(side, pattern, lambda p: p not in but)

    # What the model says.

    @cached_property
    def _names(self) -> Mapping[str, int]:
        return names_of(self._tried[0]) if self._tried else {"N": 256}

    @cached_property
    def _digit(self) -> str | None:
        """Name of the bits of a digit."""
        return next((x for x in ("k", "w", "d", "r", "r1") if x in self._radix_names), None) or (
            "w" if "w" in self._names else None
        )

    @cached_property
    def _radix_names(self) -> Sequence[str]:
        parameters = self._tried[0].model.parameters if self._tried else ()
        return next((tuple(p.aliases) for p in parameters if p.name == "radix"), ())

    @cached_property
    def _count(self) -> str | None:
        """Name of the number of digits of the modulus."""
        taken = (self._digit, *self._radix_names)
        return next((x for x in ("n", "s", "e", "k", "m") if x in self._names and x not in taken), None)

    @cached_property
    def _log_r(self) -> str | None:
        """A formula of the number of bits of R: the first that is right for every modulus that was tried."""
        if not self._tried or self._tried[0].params.domain is None:
            return None
        names = list(self._names)
        texts = [*names[1:], *(f"{x} * {y}" for x, y in product(names[1:], repeat=2) if x != y), "N"]
        texts += [f"{x} * ({y} + {c})" for x, y in product(names[1:], repeat=2) if x != y for c in (1, 2)]
        tried = [*self._tried, *(m for first in self._tried for m in _longer(first))]
        return next((text for text in texts if all(_is_log_r(text, m) for m in tried)), None)

    @cached_property
    def _whole_port(self) -> SketchPort | None:
        """A port as wide as the modulus."""
        modulus = next((port for port, value, _ in self._constants if value == "p"), None)
        return modulus or self._result or next((port for _, port, _ in self._operands), None)

    def _terms(self, port: SketchPort | None) -> Mapping[Term, int]:
        return (port.terms or {}) if port else {}

    @cached_property
    def _digit_port(self) -> SketchPort | None:
        """A port of one digit."""
        inverse = next((port for port, value, _ in self._constants if value.endswith("'")), None)
        whole = self._whole_port
        if inverse and (whole is None or inverse.width < whole.width):
            return inverse
        serial = self._in_words and self._setup is not None
        return self._data or (self._operands[0][1] if serial and self._operands else None)

    def _role(self, name: str) -> str:
        """What a parameter of the RTL counts: digit, whole, count, steps, or nothing that is seen in a width."""
        digit = [term for term in self._terms(self._digit_port) if name in term]
        if digit and digit[0] == (name,):
            return "digit"
        whole = self._terms(self._whole_port)
        if (name,) in whole:
            return "whole"
        if pairs := [term for term in whole if name in term and len(term) == 2]:
            (x, y) = pairs[0]
            lower = {
                text: text.lower() in self._radix_names or text.lower() in ("w", "word", "width") for text in (x, y)
            }
            if lower[x] != lower[y]:
                return "digit" if lower[name] else "count"
            return "digit" if name == x else "count"
        if any((name,) in self._terms(port) for _, port, _ in self._operands):
            return "steps"
        return ""

    def _formula(self, parameter: SketchParameter) -> DraftLine:
        """The value of an RTL parameter."""
        name, default, role = parameter.name, parameter.default, self._role(parameter.name)
        has_digits = any(self._role(p.name) == "digit" for p in self._sketch.parameters)
        digit, count = self._digit, self._count
        note = parameter.comment
        found: tuple[str | int, str] | None = None
        stem = re.sub(r"_?max$|^max_?", "", name, flags=re.IGNORECASE)
        if stem != name and stem:
            few = default is not None and default < 64
            base = next((x for x in (stem.lower(), stem) if x in self._names and (x != "N")), None) if few else "N"
            found = (f"max({base}, {default})", "as many as the modulus needs") if base and default else None
        elif role == "digit" and digit:
            found = digit, "bits of a digit, by the width of a port"
        elif role == "count" and count:
            found = count, "digits, by the width of a port"
        elif role == "whole":
            whole = f"{digit} * {count}" if has_digits and digit and count else "N"
            found = whole, "bits of the modulus, by the width of a port"
        elif role == "steps" and self._log_r:
            found = self._log_r, "bits of R, by the width of an operand"
        elif same := next((x for x in (name, name.lower()) if x in self._names), None):
            found = same, f"the {same} of the model has this name"
        elif default is not None:
            found = default, "its default"
        if found is None or (role and not self._model and role != "whole"):
            return DraftLine(name, FILL_IN, open="a formula over the parameters of the model", note=note)
        return DraftLine(name, found[0], guess=found[1], note=note)

    # The tables.

    def _top_lines(self) -> Iterator[DraftLine]:
        sketch = self._sketch
        yield DraftLine("format", "limbtrace-core/1")
        yield DraftLine("name", self._name)
        if self._model:
            yield DraftLine("model", self._model, guess=self._why_model)
        else:
            yield DraftLine("model", FILL_IN, open="the algorithm, one of `limbtrace models`")
        yield from self._compare_line()
        if sketch.cells:
            yield DraftLine("cells", sketch.cells)
        spare = f"not needed by {sketch.top}: {', '.join(sketch.spare[:8])}" if sketch.spare else ""
        yield DraftLine("files", sketch.files, note=spare)
        yield DraftLine("top", sketch.top)
        yield DraftLine("timeout", "N * N + 256", guess="most clock cycles of a product, far more than it needs")

    def _compare_line(self) -> Iterator[DraftLine]:
        if not self._tried:
            return
        reduced = all(m.params.result_limit <= m.modulus.modulus for m in self._tried)
        modulus = next((port for port, value, _ in self._constants if value == "p"), None)
        if (
            not reduced
            and modulus
            and self._result
            and self._result.terms == modulus.terms
            and self._result.width == modulus.width
        ):
            yield DraftLine("compare", "residue", guess="the result is no wider than the modulus, so it is below it")

    def _setting_lines(self) -> Iterator[DraftLine]:
        given = dict(self._given)
        yield from (DraftLine(name, value) for name, value in given.items())
        port, whole = self._digit_port, self._whole_port
        fixed = port is not None and port.terms is not None and set(port.terms) <= {()}
        if self._radix_names and "radix" not in given and fixed and port and not self._bus:
            yield DraftLine("radix", f"2^{port.width}", guess=f"{port.name} has {port.width} bits")
        if "passes" not in self._names or "passes" in given:
            return
        digits = {p.name for p in self._sketch.parameters if self._role(p.name) == "digit"}
        for _, operand, _ in self._operands:
            more = {t: c - self._terms(whole).get(t, 0) for t, c in self._terms(operand).items()}
            extra = [count for term, count in more.items() if len(term) == 1 and term[0] in digits and count > 0]
            if extra:
                yield DraftLine(
                    "passes", f"n + {extra[0]}", guess=f"{operand.name} has {extra[0]} digit more than the modulus"
                )

    def _range_lines(self) -> Iterator[DraftLine]:
        whole = self._whole_port
        if whole and whole.terms is not None and set(whole.terms) == {()} and self._digit_port is not whole:
            yield DraftLine("N", [2, whole.width], guess=f"bits of the modulus; {whole.name} has {whole.width}")

    def _build_lines(self) -> Iterator[DraftLine]:
        yield from (self._formula(parameter) for parameter in self._sketch.parameters)

    def _port_line(self, key: str, port: SketchPort | None, what: str, guess: str = "") -> DraftLine:
        if port is None:
            return DraftLine(key, FILL_IN, open=f"the port that is {what}")
        return DraftLine(key, port.name, guess=guess, note=port.comment)

    def _reset_lines(self) -> Iterator[DraftLine]:
        reset = self._sketch.reset
        if reset is None:
            yield DraftLine("port", FILL_IN, open="the port that is the reset")
            yield DraftLine("active", "low", guess="high or low")
            yield DraftLine("synchronous", True, guess="false if it works without a clock edge")
            return
        why = "" if reset.seen else "by its name"
        yield DraftLine("port", reset.port, guess=why, note=self._reset.comment if self._reset else "")
        yield DraftLine("active", reset.active, guess=why)
        yield DraftLine(
            "synchronous", reset.synchronous, guess="" if reset.seen else "false if it works without a clock edge"
        )

    def _protocol_lines(self) -> Iterator[DraftLine]:
        yield DraftLine("kind", self._kind, guess="start-done, valid-ready, word-serial or axi4-lite")
        if self._bus:
            yield DraftLine("prefix", self._prefix, guess=f"as in {self._bus}")
            yield DraftLine("start", FILL_IN, open="{ offset, value } of the write that starts a product")
            yield DraftLine("done", FILL_IN, open="{ offset, mask } of the register that shows done")
            yield DraftLine("load", FILL_IN, open='a list of { value = "a", offset, words }, for a, b and constants')
            return
        if self._in_words:
            count = self._count if self._digit_port and self._data is None else None
            yield DraftLine("words", count or 1, guess="words of an operand")
            yield DraftLine("products", 1, guess="most products in the core at the same time")
        meaning = {"start": "high when a product begins", "done": "high when the result is there"}
        for key, port in self._handshake.items():
            yield self._port_line(key, port, meaning.get(key, key), "by its name")
        if self._tag:
            yield self._port_line("tag", self._tag, "", "by its name")
        if self._taker:
            yield self._port_line("taker", self._taker, "", "by its name")
        if self._setup:
            yield self._setup_line(self._setup)

    def _setup_line(self, setup: SketchPort) -> DraftLine:
        """Constants that are loaded word by word, on the ports of the operands unless they have their own."""
        own = {value for _, value, _ in self._constants}
        inverse = next((c for m in self._tried[:1] for c in m.params.constants if c.endswith("'")), None)
        if "p" in own or len(self._operands) < 2 or not self._count or inverse is None:
            what = f'{{ port = "{setup.name}", words = ..., load = [{{ port = ..., value = "p" }}] }}'
            return DraftLine("setup", FILL_IN, open=what, note=setup.comment)
        ports = [port.name for _, port, _ in self._operands]
        loads: list[Value] = [{"port": ports[0], "value": "p"}]
        loads += [] if inverse in own else [{"port": ports[1], "value": inverse, "words": 1}]
        value: Value = {"port": setup.name, "words": self._count, "load": loads}
        return DraftLine("setup", value, guess="constants on the ports of the operands", note=setup.comment)

    def _input_lines(self) -> Iterator[list[DraftLine]]:
        for port, value, why in self._constants:
            yield [DraftLine("port", port.name, note=port.comment), DraftLine("value", value, guess=why)]
        for port in [p for p in self._left.values() if p.direction != "output"]:
            name = plain(port.name)
            tie = (0, "held at 0") if _OFF.search(name) else (1, "held at 1") if _ON.search(name) else None
            known = DraftLine("value", tie[0], guess=tie[1]) if tie else None
            what = "its constant value, or give the port its place elsewhere"
            yield [DraftLine("port", port.name, note=port.comment), known or DraftLine("value", FILL_IN, open=what)]

    def _operand_lines(self) -> Iterator[list[DraftLine]]:
        if self._data is not None or self._bus:
            return
        unary = bool(self._tried) and self._tried[0].model.unary
        for k, name in enumerate("a" if unary else "ab"):
            port, why = self._operands[k][1:] if k < len(self._operands) else (None, "")
            line = self._port_line("port", port, f"operand {name}", why)
            yield [DraftLine("name", name), line, *self._overlapping(port)]

    def _overlapping(self, port: SketchPort | None) -> Iterator[DraftLine]:
        """Keys of a port whose digits have more bits than their weight: (D + x) * (K + y) bits with x > 0."""
        terms = self._terms(port)
        pair = next((term for term in terms if len(term) == 2), None)
        if pair is None or not self._tried or not (self._digit and self._count):
            return
        digit, count = pair if self._role(pair[0]) == "digit" else pair[::-1]
        overlap, more = terms.get((count,), 0), terms.get((digit,), 0)
        if overlap and terms[pair] == 1 and terms.get((), 0) == overlap * more:
            yield DraftLine("weight", self._digit, guess=f"digits of {digit} bits and {overlap} that overlap")
            yield DraftLine("digits", f"{self._count} + {more}" if more else self._count, guess="by the width")

    def _memory_lines(self) -> Iterator[DraftLine]:
        if self._data is None:
            return
        if self._handshake.get("busy"):
            yield DraftLine("locked", True, guess="writes are ignored while the core is busy")
        yield self._port_line("enable", self._enable, "high in a write", "by its name")
        for key, port in (("select", self._select), ("product", self._taken_by), ("address", self._address)):
            if port:
                yield self._port_line(key, port, "", "by its name")
        yield self._port_line("data", self._data, "", "by its name")
        yield self._depth()
        loads = list(self._loads())
        if loads:
            yield DraftLine("load", loads, guess="by the comment at the select, or in the usual order")

    def _depth(self) -> DraftLine:
        most = next((p.name for p in self._sketch.parameters if "max" in p.name.lower()), None)
        if most:
            return DraftLine("depth", f"{most} + 1", guess="most words of a value")
        return DraftLine("depth", FILL_IN, open="most words of a value, over the parameters of the RTL")

    def _loads(self) -> Iterator[Mapping[str, str | int]]:
        said = dict(re.findall(r"(\d+)\s*=\s*([^,;]+?)\s*(?:,|;|$)", self._select.comment)) if self._select else {}
        constants = list(self._tried[0].params.constants) if self._tried else []
        chosen = {int(number): text for number, text in said.items()} or {0: "a", 1: "b", 2: "p"}
        for number, text in chosen.items():
            value = text if text in constants else _VALUES.get(text.lower(), text.lower())
            yield {"value": value, "select": number, "words": self._words(value)}

    def _words(self, value: str) -> str:
        """Words of a value that is loaded."""
        width = self._data.width if self._data else 1
        fixed = self._data is None or not any(self._role(p.name) == "digit" for p in self._sketch.parameters)
        if fixed or not self._digit or not self._count:
            return f"(N + {width - 1}) // {width}"
        if value == "b" and "passes" in self._names:
            return "passes"
        return f"{self._count} + 1" if "passes" in self._names else self._count

    def _result_lines(self) -> Iterator[DraftLine]:
        if self._bus:
            yield DraftLine("offset", FILL_IN, open="byte address of the low word of the result")
            yield DraftLine("words", FILL_IN, open="words of the result")
        elif self._read_data is not None:
            for key, port in (
                ("product", self._read_product),
                ("address", self._read_address),
                ("data", self._read_data),
            ):
                if port:
                    yield self._port_line(key, port, "", "by its name")
            yield DraftLine("words", self._words("a"), guess="words of the result")
            yield self._depth()
        else:
            yield self._port_line("port", self._result, "the result", self._result_why if self._result else "")
            if self._in_words:
                yield DraftLine("words", (self._count if self._digit_port else None) or 1, guess="words of the result")
            yield from self._overlapping(self._result)

    def _remarks(self) -> Iterator[str]:
        spare = [p.name for p in self._left.values() if p.direction == "output"] + [p.name for p in self._debug]
        if spare:
            yield f"Outputs that nothing above names: {', '.join(spare)}."
        yield "To compare signals inside of the core with steps of the model, add rows such as:"
        yield '  [[row]]  signal = "q_reg", match = "event", step = "q", when = "q_valid"'


def _resolved(model: str, prime: str | None, settings: Given) -> Iterator[Multiplier]:
    """Multipliers that formulas are tried with. Raises ParameterError where the model takes none."""
    if prime is not None:
        yield Multiplier.resolve(model, prime, settings)
    found, error = 0, None
    for example in EXAMPLES:
        try:
            yield Multiplier.resolve(model, example, settings)
            found += 1
        except ParameterError as wrong:
            error = wrong
    if error is not None and not found and prime is None:
        raise error


PLAIN = "modmul"
"""The model of a core that shows no sign of another one."""
_OTHER = re.compile(r"mont|redc|redm|mwr|r2mm|mm2|cios|fios|iddmm|squar|sqr|barrett|reduc|_rr?$", re.IGNORECASE)
"""Names of cores that return something else than a*b mod p."""


def plainly(sketch: Sketch, name: str) -> Guess:
    """The description without a model that anybody named: of a*b mod p for operands, result and modulus of one width.

    A further constant, or a name that stands for something else, speaks against it.
    """
    guess = Guess(sketch, name, PLAIN, None, {})
    ports = [*(port for _, port, _ in guess._operands), *([guess._result] if guess._result else [])]
    widths = {(port.width, str(port.terms)) for port in (*ports, *(port for port, _, _ in guess._constants))}
    names = [sketch.top, *(port.name for port in sketch.ports)]
    plain = [value for _, value, _ in guess._constants] == ["p"] and len(ports) == 3 and len(widths) == 1
    if not plain or guess._in_words or any(map(_OTHER.search, names)):
        return Guess(sketch, name, None, None, {})
    guess._why_model = "a*b mod p; montgomery if the core returns a*b/R"
    return guess


def _longer(multiplier: Multiplier) -> Iterator[Multiplier]:
    """A multiplier with one more pass, where the model has passes: their default is that of another name."""
    if "passes" in (named := multiplier.params.named):
        yield Multiplier.resolve(
            multiplier.model.id, multiplier.prime, {**multiplier.settings, "passes": named["passes"] + 1}
        )


def _is_log_r(text: str, multiplier: Multiplier) -> bool:
    domain = multiplier.params.domain
    return domain is not None and 1 << min(evaluate(text, names_of(multiplier)), 1 << 16) == domain
