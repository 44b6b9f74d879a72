/** One piece of a mail: a paragraph, a picture, something to click, or facts by name. Texts are plain; each form escapes them. */
export type Block =
  | string
  | { image: string; alt: string }
  | { label: string; url: string }
  | { facts: readonly (readonly [string, string])[] }

/** What a mail says, before it takes a form. */
export interface Letter {
  subject: string
  blocks: readonly Block[]
}

/** A mail in the two forms it is sent in, of one source. */
export interface RenderedLetter {
  subject: string
  text: string
  html: string
}

/** Writes a letter as plain text and as HTML, signed with the sender's name. */
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

// The address is written out below its button: for those whose program shows no buttons, and to see where it leads.
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

// Dark blue on white and white on dark blue: a contrast of 8 : 1 (WCAG 2.2 asks for 4.5).
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
