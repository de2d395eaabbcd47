// SPDX-License-Identifier: Apache-2.0
// Starts Swagger UI, which else would ask another host to validate the document.

window.SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#routes",
  deepLinking: true,
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
});
