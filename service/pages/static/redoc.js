// SPDX-License-Identifier: Apache-2.0
// Starts ReDoc, with the fonts of the system.

window.Redoc.init(
  "/openapi.json",
  {
    hideDownloadButton: true,
    disableSearch: true,
    theme: {
      typography: { fontFamily: "system-ui, sans-serif", headings: { fontFamily: "system-ui, sans-serif" } },
    },
  },
  document.getElementById("routes"),
);
