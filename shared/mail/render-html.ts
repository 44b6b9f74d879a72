import { type Block, type Letter, quantityOf, type Sender, type TableLine } from './letter.ts'

/** Renders a letter as an HTML page with the sender's logo and color, signed with its name. Data is escaped. */
export const renderHtml = ({ subject, blocks }: Letter, sender: Sender): string =>
  page(subject, sender, [...blocks.map(htmlOf(sender)), `<p>${markup(sender.name)}</p>`].join('\n'))

// The URL is repeated below its button, so that the target is visible, also in programs that show no buttons.
const htmlOf =
  ({ branding }: Sender) =>
  (block: Block): string => {
    if (typeof block === 'string') return `<p>${markup(block)}</p>`
    if ('facts' in block) return `<dl>\n${block.facts.map(toTerm).join('\n')}\n</dl>`
    if ('lines' in block) return toTable(block)
    if ('image' in block)
      return `<p><img src="${markup(block.image)}" alt="${markup(block.alt)}" style="${PICTURE}"></p>`
    const url = markup(block.url)
    return [
      `<p><a class="button" href="${url}" style="${buttonStyle(branding.color)}">${markup(block.label)}</a></p>`,
      `<p style="word-break:break-all">${url}</p>`,
    ].join('\n')
  }

const toTerm = ([name, value]: readonly [string, string]): string =>
  `<dt><strong>${markup(name)}</strong></dt><dd style="margin:0 0 8px;white-space:pre-line">${markup(value)}</dd>`

const CELL = 'padding:8px 0;border-bottom:1px solid #c9cdd2;vertical-align:top'
const AMOUNT = `${CELL};text-align:right;white-space:nowrap;padding-left:16px`

function toTable({ lines, totals }: Extract<Block, { lines: unknown }>): string {
  const row = (name: string, amount: string) =>
    `<tr><td style="${CELL}">${name}</td><td style="${AMOUNT}">${markup(amount)}</td></tr>`
  const detail = ({ detail }: TableLine) => (detail ? `<br><small>${markup(detail)}</small>` : '')
  const lastRow = (name: string, amount: string) =>
    `<tr><th style="${CELL};text-align:left">${markup(name)}</th><th style="${AMOUNT}">${markup(amount)}</th></tr>`
  const rows = [
    ...lines.map((line) => row(`${quantityOf(line)}${markup(line.name)}${detail(line)}`, line.amount)),
    ...totals.map(([name, amount], index) =>
      index === totals.length - 1 ? lastRow(name, amount) : row(markup(name), amount),
    ),
  ]
  return `<table role="presentation" style="width:100%;border-collapse:collapse">\n${rows.join('\n')}\n</table>`
}

/** Dark blue on white has a contrast of 8 : 1 (WCAG 2.2 requires 4.5). */
const DEFAULT_COLOR = '#1c4a8a'

/** Returns the style of a button. Its text is white or near-black, whichever has the higher contrast with the color. */
function buttonStyle(color: string | null): string {
  const background = color ?? DEFAULT_COLOR
  const text = luminance(background) > 0.179 ? '#1b1b1b' : '#ffffff'
  return `display:inline-block;padding:12px 20px;border-radius:4px;background:${background};color:${text};text-decoration:none`
}

/** Returns the relative luminance of `#rrggbb`, from 0 to 1 (WCAG 2.2). */
function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

const PICTURE = 'max-width:100%;height:auto;border:0'
const LOGO = 'max-width:200px;max-height:64px;height:auto;border:0'
const PAGE =
  'max-width:36rem;margin:0 auto;padding:24px;font:16px/1.5 system-ui,-apple-system,sans-serif;' +
  'color:#1b1b1b;background:#ffffff'

// Programs without media queries show the light page.
const DARK = `:root { color-scheme: light dark; }
body { margin: 0; }
@media (prefers-color-scheme: dark) {
  body, main { background: #16181b !important; color: #e8e8e8 !important; }
  td, th { border-color: #3a3f45 !important; }
  a:not(.button) { color: #9cc3ff !important; }
}`

const logoOf = ({ name, branding }: Sender): string =>
  branding.logo_url
    ? `<p><img src="${markup(branding.logo_url)}" alt="${markup(name)}" style="${LOGO}"></p>\n`
    : ''

const page = (title: string, sender: Sender, content: string): string => `<!doctype html>
<html lang="${markup(sender.language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${markup(title)}</title>
<style>
${DARK}
</style>
</head>
<body>
<main style="${PAGE}">
${logoOf(sender)}${content}
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
