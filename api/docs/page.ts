/**
 * The page of Swagger UI. Its script is a separate file, so that the content security policy can forbid inline scripts.
 */
export const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Commerce Service: API reference</title>
<link rel="icon" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

export const STARTER = `SwaggerUIBundle({
  url: '/api/v1/openapi.json',
  dom_id: '#reference',
  docExpansion: 'none',
  deepLinking: true,
  displayRequestDuration: true,
  persistAuthorization: true,
  tryItOutEnabled: true,
  filter: true,
  validatorUrl: null,
})
`
