// SPDX-License-Identifier: Apache-2.0
// Cycle explorer: the whole table as a waveform on a canvas, of which only what is seen is drawn.

const ROW = 30;
const HEAD = 22;
const NAMES = 96;
const LETTER = 7.3;
const WIDEST = 160;
const FIRST_SCALE = 40;
const WIDE_SCALE = 70;
const WAIT_MS = 150;

const section = document.getElementById("wave");
if (section) start(section);

async function start(root) {
  root.hidden = false;
  const cursorText = document.getElementById("cursor");
  const answer = await fetch(root.dataset.address);
  const table = await answer.json();
  if (answer.ok) new Wave(root, table, cursorText);
  else cursorText.textContent = table.detail;
}

class Wave {
  constructor(root, table, cursorText) {
    Object.assign(this, { root, table, cursorText, count: table.rows.length, first: 0, scale: FIRST_SCALE, cycle: 0, signal: 0 });
    this.values = table.rows.map((row) => row.map((cell) => cell?.slice(2) ?? null));
    this.canvas = document.getElementById("canvas");
    this.canvas.style.height = `${HEAD + ROW * table.columns.length}px`;
    this.scroll = document.getElementById("scroll");
    this.listen();
    new ResizeObserver(() => this.resize()).observe(this.canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    const linked = /^#cycle=(-?\d+)&signal=(.*)$/.exec(location.hash);
    if (linked) {
      this.signal = Math.max(0, table.columns.findIndex(({ name }) => name === decodeURIComponent(linked[2])));
      this.cycle = Number(linked[1]) - table.first_cycle;
    }
    this.linked = Boolean(linked);
  }

  get shown() { return (this.width - NAMES) / this.scale; }

  resize() {
    const ratio = window.devicePixelRatio || 1;
    const begun = this.width !== undefined;
    this.width = this.canvas.clientWidth;
    this.height = this.canvas.clientHeight;
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.ratio = ratio;
    if (!begun) this.scale = Math.min(Math.max((this.width - NAMES) / this.count, FIRST_SCALE), WIDE_SCALE);
    this.move(0, 0, !begun && !this.linked);
  }

  listen() {
    const { canvas } = this;
    const on = (id, act) => document.getElementById(id).addEventListener("click", act);
    on("in", () => this.zoom(1.6));
    on("out", () => this.zoom(1 / 1.6));
    on("all", () => { this.scale = 0; this.zoom(1); });
    on("find", () => this.find());
    document.getElementById("value").addEventListener("keydown", ({ key }) => { if (key === "Enter") this.find(); });
    this.scroll.addEventListener("input", () => { this.first = Number(this.scroll.value); this.draw(); });
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      if (event.ctrlKey || event.metaKey) this.zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, this.at(event).cycle);
      else this.pan((event.deltaX || event.deltaY) / this.scale);
    }, { passive: false });
    canvas.addEventListener("pointerdown", (event) => {
      const { cycle, signal } = this.at(event);
      this.move(cycle - this.cycle, signal - this.signal);
    });
    canvas.addEventListener("keydown", (event) => {
      const moves = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1],
        PageDown: [Math.ceil(this.shown), 0], PageUp: [-Math.ceil(this.shown), 0], Home: [-this.count, 0], End: [this.count, 0] };
      if (moves[event.key]) this.move(...moves[event.key]);
      else if (event.key === "+" || event.key === "=") this.zoom(1.6);
      else if (event.key === "-") this.zoom(1 / 1.6);
      else return;
      event.preventDefault();
    });
  }

  /** Cycle and signal under a pointer. */
  at(event) {
    return {
      cycle: Math.floor(this.first + (event.offsetX - NAMES) / this.scale),
      signal: Math.floor((event.offsetY - HEAD) / ROW),
    };
  }

  zoom(factor, around = this.cycle) {
    const least = (this.width - NAMES) / this.count;
    const scale = Math.min(Math.max(this.scale * factor, Math.min(least, WIDEST)), WIDEST);
    this.first = around - (around - this.first) * (this.scale ? this.scale / scale : 0);
    this.scale = scale;
    this.pan(0);
  }

  pan(cycles) {
    const last = Math.max(0, this.count - this.shown);
    this.first = Math.min(Math.max(0, this.first + cycles), last);
    this.scroll.max = Math.ceil(last);
    this.scroll.value = this.first;
    this.scroll.disabled = last === 0;
    this.draw();
  }

  /** Moves the cursor, and what is shown with it. */
  move(cycles, signals, silent = false) {
    this.cycle = Math.min(Math.max(0, this.cycle + cycles), this.count - 1);
    this.signal = Math.min(Math.max(0, this.signal + signals), this.table.columns.length - 1);
    if (this.cycle < this.first) this.first = this.cycle;
    if (this.cycle + 1 > this.first + this.shown) this.first = this.cycle + 1 - this.shown;
    this.pan(0);
    this.describe(silent);
  }

  /** The next cell after the cursor with the value that was typed. */
  find() {
    const text = document.getElementById("value").value.trim().toLowerCase();
    let wanted;
    try {
      wanted = BigInt(/^(0x)?[0-9a-f]+$/.test(text) && !text.startsWith("0x") ? `0x${text}` : text).toString(16);
    } catch {
      this.cursorText.textContent = "A value is written in hexadecimal, such as 0x1f.";
      return;
    }
    const width = this.table.columns.length;
    const after = this.cycle * width + this.signal;
    for (let k = 1; k <= this.count * width; k++) {
      const place = (after + k) % (this.count * width);
      if (this.values[Math.floor(place / width)][place % width] === wanted) {
        this.move(Math.floor(place / width) - this.cycle, (place % width) - this.signal);
        return;
      }
    }
    this.cursorText.textContent = `No signal holds 0x${wanted}.`;
  }

  /** What is at the cursor; the step's name comes from the service. */
  describe(silent) {
    const column = this.table.columns[this.signal];
    const number = this.cycle + this.table.first_cycle;
    const value = this.values[this.cycle][this.signal];
    const head = document.createElement("strong");
    head.textContent = `${column.name} ${value === null ? "don't care" : `= 0x${value}`}`;
    const more = document.createElement("span");
    const parts = column.parts?.length ? ` It holds ${column.parts.join(", ")} side by side; the step is that of the lowest.` : "";
    more.textContent = `${column.width} bits, ${column.kind}.${parts}`;
    this.cursorText.replaceChildren(head, ` cycle ${number}`, more);
    clearTimeout(this.waiting);
    if (silent) return;
    history.replaceState(null, "", `#cycle=${number}&signal=${encodeURIComponent(column.name)}`);
    if (value === null) return;
    this.waiting = setTimeout(async () => {
      const query = new URLSearchParams({ cycle: number, signal: column.name });
      const answer = await fetch(`${this.root.dataset.step}&${query}`);
      const found = await answer.json();
      if (number !== this.cycle + this.table.first_cycle || column !== this.table.columns[this.signal]) return;
      const step = found.step ? `step ${found.step} of product ${found.product}` : "depends only on the cycle";
      more.textContent = answer.ok ? `${step}; ${more.textContent}` : found.detail;
    }, WAIT_MS);
  }

  draw() {
    if (!this.width) return;
    const style = getComputedStyle(this.canvas);
    const colour = (name) => style.getPropertyValue(name).trim();
    const pen = this.canvas.getContext("2d");
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    pen.clearRect(0, 0, this.width, this.height);
    pen.font = `12px ${colour("--mono")}`;
    pen.textBaseline = "middle";
    const begin = Math.max(0, Math.floor(this.first));
    const end = Math.min(this.count, Math.ceil(this.first + this.shown));
    const x = (cycle) => NAMES + (cycle - this.first) * this.scale;
    pen.save();
    pen.beginPath();
    pen.rect(NAMES, 0, this.width - NAMES, this.height);
    pen.clip();
    this.drawAxis(pen, colour, begin, end, x);
    this.table.columns.forEach((column, k) => {
      this.drawSignal(pen, colour, k, column.width, begin, end, x);
    });
    pen.restore();
    this.table.columns.forEach(({ name }, k) => {
      const y = HEAD + ROW * k;
      pen.fillStyle = colour(k === this.signal ? "--accent" : "--ink");
      pen.fillText(name, 4, y + ROW / 2, NAMES - 12);
      pen.fillStyle = colour("--line");
      pen.fillRect(0, y + ROW - 1, this.width, 1);
    });
  }

  drawAxis(pen, colour, begin, end, x) {
    pen.fillStyle = colour("--tint");
    pen.fillRect(x(this.cycle), 0, Math.max(this.scale, 2), this.height);
    pen.fillStyle = colour("--quiet");
    const every = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000].find((step) => step * this.scale > 46) ?? 50000;
    for (let cycle = Math.ceil(begin / every) * every; cycle < end; cycle += every) {
      pen.fillText(String(cycle + this.table.first_cycle), x(cycle) + 3, HEAD / 2);
      pen.fillRect(x(cycle), 4, 1, HEAD - 8);
    }
  }

  /** Runs of equal values; where these are narrower than a pixel, one box for all that fall into it. */
  drawSignal(pen, colour, signal, bits, begin, end, x) {
    const top = HEAD + ROW * signal + 6;
    const height = ROW - 13;
    const stroke = colour("--accent");
    const ink = colour("--ink");
    const empty = colour("--line");
    let cycle = begin;
    while (cycle < end) {
      const value = this.values[cycle][signal];
      let next = cycle + 1;
      while (next < end && this.values[next][signal] === value) next++;
      while (next < end && x(next) - x(cycle) < 1) next++;
      const left = x(cycle);
      const width = x(next) - left;
      if (value === null) {
        pen.fillStyle = empty;
        pen.fillRect(left, top + height / 2 - 1, width, 2);
      } else if (bits === 1) {
        pen.fillStyle = stroke;
        const high = value === "1";
        pen.fillRect(left, high ? top : top + height - 2, width, 2);
        pen.fillRect(left, top, 1, height);
      } else {
        pen.strokeStyle = stroke;
        if (width < 4) {
          pen.fillStyle = stroke;
          pen.fillRect(left, top, Math.max(width, 1), height);
        } else pen.strokeRect(left + 0.5, top + 0.5, width - 1, height - 1);
        const letters = Math.floor((width - 8) / LETTER);
        if (letters > 0) {
          pen.fillStyle = ink;
          const textLeft = Math.max(left, NAMES) + 4;
          pen.fillText(value.length <= letters ? value : letters > 2 ? `${value.slice(0, letters - 1)}…` : "", textLeft, top + height / 2 + 0.5);
        }
      }
      cycle = next;
    }
  }
}
