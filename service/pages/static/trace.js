// SPDX-License-Identifier: Apache-2.0
// Trace explorer: other views of the values, what is known about the one in focus, and steps through the loop.

import { view } from "./numbers.js";

const trace = document.getElementById("trace");
if (trace) explore(trace);

function explore(root) {
  const detail = document.getElementById("detail");
  const at = document.getElementById("at");
  const where = document.getElementById("where");
  const cells = [];
  for (const grid of root.querySelectorAll(".grid")) {
    const names = [...grid.querySelectorAll("thead th")].map((head) => head.textContent);
    for (const row of grid.querySelectorAll("tbody tr")) {
      const first = row.querySelector("th")?.textContent ?? "";
      [...row.querySelectorAll("td:not(.blank)")].forEach((element, column) => {
        if (!element.dataset.n) return;
        const text = element.textContent;
        const value = text.startsWith("-") ? -BigInt(`0x${text.slice(1)}`) : BigInt(`0x${text}`);
        const index = [first, names[column]].filter(Boolean).join(", ");
        const label = grid.dataset.symbol + (index ? `[${index}]` : "");
        cells[Number(element.dataset.n)] = { element, value, label, grid };
        element.tabIndex = -1;
      });
    }
  }
  const lines = [...root.querySelectorAll(".code-line[data-symbols]")];
  let chosen = "16";

  /** What is known about a step. */
  function describe(number) {
    const { value, label, grid } = cells[number];
    const { bits, range, claims } = grid.dataset;
    const forms = [["16", "hex"], ["10", "decimal"], ["signed", "signed"], ["2", "binary"]]
      .map(([name, word]) => `${word} ${view(value, name, Number(bits))}`);
    const own = value < 0n ? (-value).toString(2).length : value === 0n ? 0 : value.toString(2).length;
    detail.replaceChildren();
    const head = document.createElement("strong");
    head.textContent = `${label} = ${view(value, "16", 0)}`;
    detail.append(head, ` step ${number}, ${own} of ${bits} bits. Range: ${range}.`);
    const more = document.createElement("span");
    more.textContent = `${forms.slice(1).join("; ")}. ${claims ? `Claims: ${claims}.` : ""}`;
    detail.append(more);
    detail.hidden = false;
  }

  /** Go to a step of the loop: later ones have not happened yet. */
  function go(number, focus = false) {
    const step = Math.max(0, Math.min(cells.length - 1, number));
    at.value = step;
    cells.forEach(({ element }, k) => {
      element.classList.toggle("later", k > step);
      element.classList.toggle("now", k === step);
      element.tabIndex = k === step ? 0 : -1;
    });
    const symbol = cells[step].grid.dataset.symbol;
    for (const line of lines) line.classList.toggle("now", line.dataset.symbols.split(" ").includes(symbol));
    where.textContent = `${step + 1} of ${cells.length}: ${cells[step].label}`;
    describe(step);
    if (focus) cells[step].element.focus();
    history.replaceState(null, "", `#step=${step}`);
  }

  for (const grid of root.querySelectorAll(".grid tbody")) {
    grid.addEventListener("pointerover", ({ target }) => { if (target.dataset.n) describe(Number(target.dataset.n)); });
    grid.addEventListener("focusin", ({ target }) => { if (target.dataset.n) describe(Number(target.dataset.n)); });
    grid.addEventListener("click", ({ target }) => { if (target.dataset.n) go(Number(target.dataset.n), true); });
    grid.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      go(Number(event.target.dataset.n) + step, true);
    });
  }
  at.addEventListener("input", () => go(Number(at.value)));
  document.getElementById("back").addEventListener("click", () => go(Number(at.value) - 1));
  document.getElementById("on").addEventListener("click", () => go(Number(at.value) + 1));
  document.getElementById("views").addEventListener("change", ({ target }) => {
    chosen = target.value;
    for (const { element, value, grid } of cells) element.textContent = view(value, chosen, Number(grid.dataset.bits), false);
  });
  root.querySelector(".bar").hidden = false;
  const linked = /^#step=(\d+)$/.exec(location.hash);
  if (linked) go(Number(linked[1]));
  else cells[0].element.tabIndex = 0;
  where.textContent ||= `${cells.length} steps`;
}
