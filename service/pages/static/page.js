// SPDX-License-Identifier: Apache-2.0
// What every page has: buttons that copy, lists that filter while one types.

const COPIED_MS = 1500;

/** A button that copies the text of a figure. */
function addCopyButton(figure) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.setAttribute("aria-label", `Copy: ${figure.querySelector("figcaption").textContent}`);
  button.addEventListener("click", async () => {
    const code = figure.querySelector("code");
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
    } catch {
      // Browsers permit the clipboard on https and localhost only: then the text is selected, to be copied by hand.
      window.getSelection().selectAllChildren(code);
      button.textContent = "Selected";
    }
    setTimeout(() => { button.textContent = "Copy"; }, COPIED_MS);
  });
  figure.querySelector("figcaption").append(button);
}

/** Hides the entries without the words of a search field; the form does the same without a script. */
function filterLive(input) {
  const entries = [...document.querySelectorAll("[data-entry]")];
  const count = document.getElementById("found");
  const filter = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const entry of entries) {
      const text = entry.textContent.toLowerCase();
      entry.hidden = !words.every((word) => text.includes(word));
      found += !entry.hidden;
    }
    count.textContent = `${found} of ${entries.length}`;
  };
  input.addEventListener("input", filter);
  filter();
}

document.querySelectorAll("[data-copy]").forEach(addCopyButton);
document.querySelectorAll("input[data-filter]").forEach(filterLive);
