# SPDX-License-Identifier: Apache-2.0
"""Sources in VHDL as Verilog: GHDL synthesises them with the generics of a build, and everything else reads Verilog.

The module of the top entity has the generics that were given as parameters, with these values, so that a build names
them as it names parameters of Verilog.
"""

import hashlib
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from limbtrace.refmodels.errors import shown
from limbtrace.rtl_bridge.core.core import Core
from limbtrace.rtl_bridge.core.file_list import VHDL
from limbtrace.rtl_bridge.description.formula import FormulaError, evaluate
from limbtrace.rtl_bridge.elaboration.ghdl_names import NamesError, clear
from limbtrace.rtl_bridge.elaboration.vhdl_libraries import VhdlNames, advice, plain
from limbtrace.rtl_bridge.interface.verilog_words import RESERVED, literal
from limbtrace.rtl_bridge.programs.ghdl import SIMULATE, GhdlNetlist, VhdlError, VhdlFiles, analyse, ghdl
from limbtrace.vectors import cache
from limbtrace.vectors.errors import ToolError

_INTEGERS = ("integer", "natural", "positive")
_BITS = ("std_logic", "std_ulogic", "bit")
_VECTORS = ("std_logic_vector", "std_ulogic_vector", "bit_vector", "unsigned", "signed", "u_unsigned", "u_signed")
_ENTITY = re.compile(r"\bentity\s+(\w+)\s+is\b(.*?)\bend\b", re.IGNORECASE | re.DOTALL)
_COMMENTS = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
"""Of Verilog."""


def is_vhdl(path: Path) -> bool:
    """True if a source is VHDL, by the end of its name."""
    return path.suffix.lower() in VHDL


@dataclass(frozen=True)
class Generic:
    """A generic of an entity, as the text says."""

    name: str
    type: str
    """Its type without constraint, in lower case."""
    constraint: str
    default: str

    @property
    def is_number(self) -> bool:
        """True if core.toml may give it a value."""
        return self.type in (*_INTEGERS, *_BITS, "boolean")

    @property
    def is_scalar(self) -> bool:
        """True if GHDL takes a value for it in a simulation too."""
        return self.type not in _VECTORS

    @property
    def integer(self) -> int | None:
        """The default, if it is an integer or a truth value."""
        words = {"false": 0, "true": 1, "'0'": 0, "'1'": 1}
        text = self.default.replace("_", "").lower()
        return words[text] if text in words else int(text) if re.fullmatch(r"\d+", text) else None


@dataclass(frozen=True)
class Entity:
    """An entity with its generics."""

    name: str
    generics: tuple[Generic, ...]
    path: Path
    has_ports: bool


def entities(paths: Iterable[Path]) -> dict[str, Entity]:
    """The entities of some sources by their names in lower case."""
    found = {}
    for path in paths:
        for name, body in _ENTITY.findall(plain(path.read_text(encoding="utf-8", errors="replace"))):
            has_ports = re.search(r"\bport\s*\(", body, re.IGNORECASE) is not None
            found[name.lower()] = Entity(name, tuple(_generics(body)), path, has_ports)
    return found


def _generics(body: str) -> Iterator[Generic]:
    begin = re.search(r"\bgeneric\s*\(", body, re.IGNORECASE)
    if begin is None:
        return
    depth, end = 1, begin.end()
    while depth and end < len(body):
        depth += {"(": 1, ")": -1}.get(body[end], 0)
        end += 1
    for entry in body[begin.end() : end - 1].split(";"):
        names, _, rest = re.sub(r"\s+", " ", entry).partition(":")
        kind, _, default = rest.partition(":=")
        kind = re.sub(r"^\s*in\s", "", kind).strip()
        base, constraint = re.fullmatch(r"([\w.]*)\s*(.*)", kind).groups()  # type: ignore[union-attr]
        for name in names.removeprefix("constant ").split(","):
            yield Generic(name.strip(), base.lower().rpartition(".")[2], constraint, default.strip())


def kept(name: str, recipe: str, sources: Iterable[tuple[str, Path]], make: Callable[[], str]) -> Path:
    """A file of that name that GHDL and we make of some sources, made now or before; `recipe` is what else it needs.

    Raises what `make` raises, and ToolError where the file cannot be written.
    """
    programs = [*Path(__file__).parent.glob("ghdl*.py"), *Path(__file__).resolve().parents[1].glob("programs/ghdl*.py")]
    own = b"".join(path.read_bytes() for path in sorted(programs))  # what is made of the sources depends on them too
    key = hashlib.sha256(f"{ghdl().version}\0{recipe}".encode() + own)
    for name_of, path in sources:
        key.update(f"{name_of}\0".encode() + path.read_bytes() + b"\0")
    target = cache.folder() / f"{Path(name).stem.lower()}-ghdl-{key.hexdigest()[:16]}" / name
    if not (target.is_file() and target.stat().st_size):
        try:
            text = make().encode()
            target.parent.mkdir(parents=True, exist_ok=True)
            part = target.with_name(f".{target.name}.{key.hexdigest()[:8]}")
            with cache.locked(target.parent):
                part.write_bytes(text)
                part.replace(target)
        except OSError as error:
            raise ToolError(f"{error.filename or target}: {error.strerror}; LIMBTRACE_BUILD says where") from error
    return target.resolve()


_HOLLOW = "limbtrace_ports"
"""An architecture without anything in it."""


@dataclass(frozen=True)
class Conversion:
    """Entities that are to be converted into one file of Verilog."""

    sources: tuple[tuple[str, Path], ...]
    """(name, path) of all VHDL in compilation order; names are relative, and messages have them."""
    standard: str
    tops: tuple[tuple[str, Mapping[str, int]], ...]
    """(entity, values of some of its generics); the first one gives the file its name."""
    spelled: tuple[str, ...] = ()
    """Names as a description writes them: VHDL takes upper and lower case for the same, and Verilog does not."""
    renamed: str | None = None
    """An entity below the first one whose module is to have that name; GHDL adds the generics to it."""
    hollow: bool = False
    """Only the ports of the first entity, whatever is in its architectures."""
    libraries: tuple[tuple[str, str], ...] = ()
    """(name, library) of sources that are not in `work`."""
    sandboxed: bool = field(default=False, compare=False)

    @cached_property
    def entities(self) -> dict[str, Entity]:
        """All entities by their names in lower case."""
        return entities(path for _, path in self.sources)

    @property
    def place(self) -> Path:
        """The file of Verilog, made now or before. Raises VhdlError, ToolError."""
        name = self.tops[0][0]
        given = [(top, dict(values)) for top, values in self.tops]
        recipe = (self.standard, given, sorted(self.spelled), self.renamed, self.hollow, sorted(self.libraries))
        return kept(f"{name}.v", repr(recipe), self.sources, self._text)

    def library(self, entity: str) -> str | None:
        """The library of an entity, None for `work`."""
        path = self.entities[entity.lower()].path if entity.lower() in self.entities else None
        return next((dict(self.libraries).get(name) for name, other in self.sources if other == path), None)

    def advice(self) -> str | None:
        """A sentence about a unit that is not in the library in which it is looked for."""
        return advice(VhdlNames.read(dict(self.sources), dict(self.libraries)))

    def _files(self, top: str, more: Sequence[str] = ()) -> VhdlFiles:
        """The sources, and more files that belong to a top."""
        libraries, own = dict(self.libraries), self.library(top)
        libraries |= {name: own for name in more if own}
        return VhdlFiles((*(name for name, _ in self.sources), *more), libraries, own)

    def _text(self) -> str:
        modules: dict[str, str] = {}
        head = f"// Made from VHDL by {ghdl().version}, for these values alone of the parameters of its modules.\n"
        with tempfile.TemporaryDirectory(prefix="limbtrace-") as folder:
            for k, (top, values) in enumerate(self.tops):
                work = Path(folder) / str(k)
                for name, path in self.sources:
                    (work / name).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(path, work / name)
                files = self._files(top)
                given = self.given(top, values)
                hollow = _HOLLOW if self.hollow and not k else None
                if hollow is not None:
                    analyse(work, files, top, self.standard, sandboxed=self.sandboxed)
                    files = self._files(top, [f"{hollow}.vhd"])
                    (work / files.names[-1]).write_text(f"architecture {hollow} of {top} is begin end;\n")
                netlist = GhdlNetlist(work, files, top, self.standard, given, self.sandboxed, hollow)
                text = self._synthesised(netlist, values)
                renamed = [self.renamed] if self.renamed and not k else []
                for module, body in self._modules(text, top, values, renamed).items():
                    if modules.setdefault(module, body) != body:
                        raise VhdlError(f"the entities {self.tops[0][0]} and {top} need a {module} each, not the same")
        return head + "\n".join(modules.values())

    def _synthesised(self, netlist: GhdlNetlist, values: Mapping[str, int]) -> str:
        """The Verilog of an entity, with a name of its own for each net. Raises VhdlError, ToolError."""
        try:
            return clear(netlist.verilog(), netlist.dump, {netlist.top.lower(): values})
        except NamesError as error:
            raise netlist.refused(str(error)) from None

    def given(self, top: str, values: Mapping[str, int]) -> dict[str, str]:
        """The generics as GHDL reads them. Raises VhdlError."""
        entity = self.entities.get(top.lower())
        if entity is None:
            return {name: str(value) for name, value in values.items()}
        known = {generic.name.lower(): generic for generic in entity.generics}
        for name in values:
            if name.lower() not in known:
                names = ", ".join(generic.name for generic in entity.generics) or "none"
                raise VhdlError(f"build.{name} is no generic of the entity {entity.name}, which has {names}")
        numbers = {name: generic.integer for name, generic in known.items()} | {k.lower(): v for k, v in values.items()}
        whole = {name: number for name, number in numbers.items() if number is not None}
        return {name: _text_of(known[name.lower()], name, value, whole) for name, value in values.items()}

    def _modules(self, text: str, top: str, values: Mapping[str, int], renamed: Iterable[str]) -> dict[str, str]:
        """The modules of what GHDL wrote, by their names, without those that stand for components."""
        spelled = {name.lower(): name for name in sorted(self.spelled)} | {top.lower(): top}
        rewritten = _Rewriter(spelled).text(text)
        found = {name: whole for whole, name in re.findall(r"^(module (\w+)\n.*?^endmodule\n)", rewritten, re.M | re.S)}
        hollow = [name for name, body in found.items() if self._is_component(name, body)]
        modules = {name: body for name, body in found.items() if name not in hollow}
        if top not in modules:
            raise ToolError(f"{ghdl().version} made no module {top} of the entity {top}")
        for wanted in renamed:
            if wanted not in modules:
                modules = _renamed(modules, wanted, top)
        if values:
            header = ", ".join(f"parameter {name} = {literal(value)}" for name, value in values.items())
            modules[top] = modules[top].replace(f"module {top}\n", f"module {top}\n  #({header})\n", 1)
        return modules

    def _is_component(self, name: str, body: str) -> bool:
        """True if a module is empty and no entity of ours: GHDL writes one for each component that is not bound."""
        rest = body.partition(");\n")[2].removesuffix("endmodule\n").strip()
        return not rest and not any(re.fullmatch(rf"{entity}(_\w+)?", name, re.I) for entity in self.entities)


def _renamed(modules: Mapping[str, str], wanted: str, top: str) -> dict[str, str]:
    """The modules with the one that was made of the entity `wanted` under that name."""
    names = [name for name in modules if re.fullmatch(rf"{wanted}_\w+", name, re.IGNORECASE)]
    if len(names) > 1:  # entities whose names begin with it
        names = [name for name in names if re.search(rf"\b{name}\b", modules[top])] or names
    if not names:
        return dict(modules)
    old = names[0]
    changed = {name: re.sub(rf"\b{old}\b", wanted, body) for name, body in modules.items()}
    return {wanted if name == old else name: body for name, body in changed.items()}


def _text_of(generic: Generic, name: str, value: int, numbers: Mapping[str, int]) -> str:
    """The value of a generic as GHDL reads it. Raises VhdlError."""
    said = f"build.{name} is {shown(value)}, and the generic {generic.name} is "
    if generic.type in _BITS or generic.type == "boolean":
        if value not in (0, 1):
            raise VhdlError(f"{said}a {generic.type}: 0 or 1")
        return f"'{value}'" if generic.type in _BITS else ("false", "true")[value]
    if generic.type in _VECTORS:
        ends = re.fullmatch(r"\((.*?)\s+(?:downto|to)\s+(.*)\)", generic.constraint, re.IGNORECASE)
        try:
            width = abs(evaluate(ends[1].lower(), numbers) - evaluate(ends[2].lower(), numbers)) + 1 if ends else 0
        except FormulaError:
            width = 0
        if not width:
            raise VhdlError(f"{said}a {generic.type} whose width is not a formula of other generics")
        if value >> width:
            raise VhdlError(f"{said}a {generic.type} of {width} bits")
        return f"{value:0{width}b}"
    if generic.type == "string" or generic.type in ("real", "time", "character"):
        raise VhdlError(f"{said}a {generic.type}, for which core.toml has no value; its default in the VHDL counts")
    if value >> 31:
        raise VhdlError(f"{said}of type {generic.type}, of at most 31 bits")
    return str(value)


class _Rewriter:
    """GHDL's Verilog with names that every tool takes, spelled as a description spells them.

    VHDL's names may be words of Verilog or SystemVerilog; these get an underscore at their end, which no other name of
    VHDL has.
    """

    _TOKEN = re.compile(
        r"/\*.*?\*/|//[^\n]*|\"[^\"\n]*\"|\\\S+\s|\d*'[sS]?[bodhBODH]\s*[0-9a-fA-FxXzZ_?]+|"
        r"\$\w+|[A-Za-z_][\w$]*|\d+|\s+|.",
        re.DOTALL,
    )
    _HEADS = ("module", "endmodule", "assign", "always", "initial", "reg", "wire", "localparam", "integer")
    """Words with which a line of GHDL's begins."""
    _PORTS = ("input", "output", "inout", "parameter")
    _ALWAYS = ("begin", "end", "if", "else", "case", "or", "signed")
    """Words of VHDL too, or of expressions."""

    def __init__(self, spelled: Mapping[str, str]) -> None:
        self._spelled = spelled

    def text(self, text: str) -> str:
        """The text with its names changed."""
        tokens = self._TOKEN.findall(text)
        following, ahead_of = "", []
        for token in reversed(tokens):
            ahead_of.append(following)
            following = following if token.isspace() else token
        parts, before, fresh = [], "", True
        for k, (token, ahead) in enumerate(zip(tokens, reversed(ahead_of), strict=True)):
            name = token[1:-1] if token[0] == "\\" else token
            if name[:1].isalpha() and name.isidentifier():
                blank = tokens[k + 1 : k + 2] and tokens[k + 1].isspace()
                own = token[0] != "\\" and self._is_word(token, before, ahead, fresh=fresh, blank=bool(blank))
                token = token if own else self._named(name)
            parts.append(token)
            if not token.isspace():
                before, fresh = token, False
            fresh = fresh or "\n" in token or token[:2] == "/*"
        return "".join(parts)

    def _named(self, name: str) -> str:
        lower = name.lower()
        if lower in RESERVED:
            return f"{lower}_"
        return self._spelled.get(lower, name)

    def _is_word(self, token: str, before: str, ahead: str, *, fresh: bool, blank: bool) -> bool:
        """True if a token is a word of the language, and not a name that happens to be one."""
        follows = bool(re.match(r"[A-Za-z_\\]", ahead))
        if token in self._ALWAYS:
            return True
        if token in self._HEADS:
            return fresh and (token == "endmodule" or (blank and (follows or ahead[:1] in ("[", "@", "(", "#"))))
        if token in self._PORTS:
            return (before in ("(", ",", "#") or fresh) and blank and (follows or ahead[:1] in ("[", ""))
        if token in ("posedge", "negedge"):
            return follows and ahead != "or"
        if token in ("casez", "casex", "endcase"):
            return fresh and (token == "endcase" or ahead == "(")
        return token == "default" and ahead == ":"


def as_verilog(core: Core, top: str, files: Sequence[Path], parameters: Mapping[str, int]) -> tuple[Path, ...]:
    """The sources with one file of Verilog, the first of them, in place of those in VHDL.

    Raises ParameterError("core") for VHDL that cannot be converted, and ToolError where GHDL is missing or fails.
    """
    verilog = [path for path in files if not is_vhdl(path)]
    sources = [path for path in files if is_vhdl(path)]
    if not sources:
        return tuple(files)
    core.check_places(sources)
    conversion = Conversion(
        sources=tuple(relative_names(core.folder, sources)),
        standard=core.file.vhdl,
        tops=tuple(_converted_tops(core, top, sources, verilog, parameters)),
        spelled=spelled_names(core),
        renamed=core.file.top if top != core.file.top else None,
        libraries=libraries_of(core, sources),
        sandboxed=core.sandboxed,
    )
    return (_converted(core, conversion), *verilog)


def _converted_tops(
    core: Core, top: str, sources: Sequence[Path], verilog: Sequence[Path], parameters: Mapping[str, int]
) -> list[tuple[str, Mapping[str, int]]]:
    """The entities to convert, each with its generics: the top, or those that the Verilog around them instantiates.

    Raises ParameterError("core") if there is none, or if Verilog sets generics of one.
    """
    by_name = entities(sources)
    if top.lower() in by_name:
        return [(top, parameters)]
    texts = [_COMMENTS.sub(" ", path.read_text(errors="replace")) for path in verilog]
    tops: list[tuple[str, Mapping[str, int]]] = []
    for name, entity in by_name.items():
        is_top = name == core.file.top.lower()
        uses = [use for text in texts for use in re.findall(rf"\b({name})\s*(#)?", text, re.IGNORECASE)]
        if not is_top and any(hash_sign for _, hash_sign in uses):
            why = "is an entity of VHDL that Verilog around it gives parameters, which needs a top in VHDL too"
            raise core.error(f"{entity.name} {why}")
        if uses:
            spelled = uses[0][0]
            tops.append((spelled, parameters if is_top else {}))
    if not tops:
        names = ", ".join(sorted(entity.name for entity in by_name.values())) or "none"
        raise core.error(f"no source has {top}, and the entities of those in VHDL are {names}")
    return tops


def _converted(core: Core, conversion: Conversion) -> Path:
    """The file of Verilog. Raises as `as_verilog` does, with a hint where simulation would take the VHDL."""
    try:
        return conversion.place
    except VhdlError as error:
        if said := conversion.advice():
            raise core.error(said) from None
        raise core.error(f"{error}{'' if SIMULATE in str(error) else _hint(conversion)}") from None
    except ToolError as error:
        if hint := _hint(conversion):
            raise core.error(f"{error}{hint}") from None
        raise


def _hint(conversion: Conversion) -> str:
    """A hint for VHDL that GHDL reads and cannot synthesise."""
    if len(conversion.tops) > 1 or conversion.renamed:
        return ""
    try:
        replace(conversion, hollow=True).place  # noqa: B018
    except (VhdlError, ToolError):
        return ""
    return '; ghdl = "simulate" takes VHDL that cannot be synthesised'


def relative_names(folder: Path, paths: Sequence[Path]) -> Iterator[tuple[str, Path]]:
    """(name for GHDL, path): relative to the folder; files elsewhere have a number in front of their names."""
    for k, path in enumerate(paths):
        inside = path.is_relative_to(folder) and ".." not in path.relative_to(folder).parts
        yield str(path.relative_to(folder)) if inside else f"{k}/{path.name}", path


def libraries_of(core: Core, paths: Sequence[Path]) -> tuple[tuple[str, str], ...]:
    """(name for GHDL, library) of the sources in VHDL that are not in `work`."""
    libraries = core.listing.vhdl_libraries
    return tuple((name, libraries[path]) for name, path in relative_names(core.folder, paths) if path in libraries)


_NO_NAMES = frozenset(
    """
    format name model schedule compare modulus files include defines libraries flags vhdl vhdl_libraries ghdl cells
    settings ranges build timeout synth prove file kind match step column value words weight digits radix depth below
    order products where active
    """.split()  # noqa: SIM905
)
"""Keys of a description whose values name no port or signal."""


def spelled_names(core: Core) -> tuple[str, ...]:
    """The names of ports and signals in a description, as it spells them."""
    return tuple(sorted(set(_spelled(core.file.model_dump(mode="json")))))


def _spelled(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield from re.findall(r"[A-Za-z]\w*", value)
    elif isinstance(value, dict):
        for name, entry in value.items():
            if name not in _NO_NAMES:
                yield from _spelled(entry)
    elif isinstance(value, list | tuple):
        for entry in value:
            yield from _spelled(entry)
