/** One block of a mail: a paragraph, an image, a button, or a list of facts. Texts are plain; each format escapes them. */
export type Block =
  | string
  | { image: string; alt: string }
  | { label: string; url: string }
  | { facts: readonly (readonly [string, string])[] }

/** The content of a mail without its format. */
export interface Letter {
  subject: string
  blocks: readonly Block[]
}

/** A mail in both formats. */
export interface RenderedLetter {
  subject: string
  text: string
  html: string
}

/** Renders a letter as plain text and as HTML, signed with the sender's name. */
export function renderLetter({ subject, blocks }: Letter, sender: string, language: string): RenderedLetter {
  return {
    subject,
    text: `${[...blocks.map(toText), sender].join('\n\n')}\n`,
    html: page(subject, language, [...blocks.map(toHtml), `<p>${markup(sender)}</p>`].join('\n')),
  }
}

function toText(block: Block): string {
  if (typeof block === 'string') return block
  if ('facts' in block) return block.facts.map(([name, value]) => `${name}: ${value}`).join('\n')
  if ('image' in block) return block.alt
  return `${block.label}:\n${block.url}`
}

// The URL is repeated below its button for programs that show no buttons, and so that the target is visible.
function toHtml(block: Block): string {
  if (typeof block === 'string') return `<p>${markup(block)}</p>`
  if ('facts' in block) return `<dl>\n${block.facts.map(toTerm).join('\n')}\n</dl>`
  if ('image' in block)
    return `<p><img src="${markup(block.image)}" alt="${markup(block.alt)}" style="${PICTURE}"></p>`
  const url = markup(block.url)
  return [
    `<p><a href="${url}" style="${BUTTON}">${markup(block.label)}</a></p>`,
    `<p style="word-break:break-all">${url}</p>`,
  ].join('\n')
}

const toTerm = ([name, value]: readonly [string, string]): string =>
  `<dt><strong>${markup(name)}</strong></dt><dd style="margin:0 0 8px;white-space:pre-line">${markup(value)}</dd>`

// Dark blue on white and white on dark blue: a contrast of 8 : 1 (WCAG 2.2 requires 4.5).
const BUTTON =
  'display:inline-block;padding:12px 20px;border-radius:4px;background:#1c4a8a;color:#ffffff;text-decoration:none'
const PICTURE = 'max-width:100%;height:auto;border:0'
const PAGE =
  'max-width:36rem;margin:0 auto;padding:24px;font:16px/1.5 system-ui,-apple-system,sans-serif;color:#1b1b1b;background:#ffffff'

const page = (title: string, language: string, content: string): string => `<!doctype html>
<html lang="${markup(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${markup(title)}</title>
</head>
<body>
<main style="${PAGE}">
${content}
</main>
</body>
</html>
`

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const markup = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)
