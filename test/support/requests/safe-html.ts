import assert from 'node:assert/strict'

const TAGS = new Set(
  (
    'h1 h2 h3 h4 h5 h6 p br hr blockquote pre address div span ul ol li dl dt dd figure figcaption details summary ' +
    'table caption thead tbody tfoot tr th td a img strong b em i u s del ins sub sup small mark abbr code kbd samp ' +
    'q cite time'
  ).split(' '),
)
const ATTRIBUTES = new Set(
  'lang dir title href src alt width height loading start align colspan rowspan scope datetime'.split(' '),
)
const LINKS = new Set(['http:', 'https:', 'mailto:', 'tel:'])

// Text without angle brackets, or a tag whose attribute values stand in quotes. Every HTML parser reads these alike.
const TOKEN = /[^<>]+|<(?<end>\/?)(?<tag>[a-z][a-z0-9]*)(?<attributes>(?: [a-z]+(?:="[^"<>]*")?)*)(?: \/)?>/gy
const ATTRIBUTE = / (?<name>[a-z]+)(?:="(?<value>[^"]*)")?/g

// The sanitizer writes no other entity.
const ENTITY = /&(?!(?:amp|lt|gt|quot);)/
const decode = (value: string) =>
  value.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** What is unsafe in a HTML text; empty if nothing is. It is stricter than HTML: any unusual spelling is unsafe. */
export function findUnsafe(html: string): string[] {
  const unsafe: string[] = []
  let read = 0
  for (const { 0: token, groups } of html.matchAll(TOKEN)) {
    read += token.length
    if (!groups?.tag) continue
    if (!TAGS.has(groups.tag)) unsafe.push(token)
    for (const { groups: found } of (groups.attributes ?? '').matchAll(ATTRIBUTE)) {
      const { name = '', value = '' } = found ?? {}
      if (!ATTRIBUTES.has(name)) unsafe.push(`${name}="${value}"`)
      if (ENTITY.test(value)) unsafe.push(`${name}="${value}"`)
      else if (['href', 'src'].includes(name) && !isSafeLink(decode(value))) unsafe.push(`${name}="${value}"`)
    }
  }
  return read === html.length ? unsafe : [...unsafe, html.slice(read, read + 100)]
}

function isSafeLink(link: string): boolean {
  // Browsers remove control characters before they read the scheme.
  const url = URL.parse(link.replace(/\p{Cc}/gu, ''), 'https://shop.example/')
  return url === null || LINKS.has(url.protocol)
}

export const assertSafe = (html: string, message?: string): void =>
  assert.deepEqual(findUnsafe(html), [], message)
