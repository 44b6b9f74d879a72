import type { Language } from './texts.ts'

interface Document {
  language: Language
  title: string
  /** The file of the page's script. */
  script: string
  /** The settings of the script, embedded as JSON: its texts, and the library for cards. */
  settings?: object
  /** The markup of the content. */
  main: string
}

/** Writes the document of a page. Its script is a module, which runs after the content was read. */
export const writeDocument = ({
  language,
  title,
  script,
  settings,
  main,
}: Document): string => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="/pages/page.css">
<script type="module" src="/pages/${script}"></script>
${settings ? `<script type="application/json" id="settings">${toJson(settings)}</script>` : ''}
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`

// Escape `<`, so that no text closes the script element.
const toJson = (settings: object): string => JSON.stringify(settings).replaceAll('<', '\\u003c')
