/** PostgreSQL's text of a list with one level and without quotes. */
const PLAIN_LIST = /^\{[^{}"]*\}$/

/**
 * Returns a parser of PostgreSQL's `uuid[]` and `text[]`. It is needed because the driver's `usual` parser collects one
 * character at a time: a page of coupons with 100,000 products, or of products with 10,000 tags full of quotes, would
 * block the event loop. The usual parser reads nested lists.
 */
export const listParser =
  (usual: (text: string) => unknown) =>
  (text: string): unknown => {
    if (text === '{}') return []
    if (PLAIN_LIST.test(text)) return text.slice(1, -1).split(',').map(toElement)
    // PostgreSQL quotes texts with braces, so only a nested list has two at its start.
    return text[0] === '{' && text[1] !== '{' ? parseQuoted(text) : usual(text)
  }

const toElement = (plain: string): string | null => (plain === 'NULL' ? null : plain)

function parseQuoted(text: string): (string | null)[] {
  const elements: (string | null)[] = []
  for (let start = 1; start < text.length; ) {
    const isQuoted = text[start] === '"'
    const end = isQuoted ? endOfQuoted(text, start) : endOfPlain(text, start)
    const element = text.slice(start, end)
    elements.push(isQuoted ? unquote(element) : toElement(element))
    start = end + 1
  }
  return elements
}

const QUOTE = 34
const BACKSLASH = 92

function endOfQuoted(text: string, start: number): number {
  let at = start + 1
  for (let code = text.charCodeAt(at); code !== QUOTE; code = text.charCodeAt(at))
    at += code === BACKSLASH ? 2 : 1
  return at + 1
}

function endOfPlain(text: string, start: number): number {
  const comma = text.indexOf(',', start)
  return comma === -1 ? text.length - 1 : comma
}

// PostgreSQL leaves control characters unescaped; JSON refuses them.
const CONTROL = /\p{Cc}/u

function unquote(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1)
  if (!CONTROL.test(quoted)) return JSON.parse(quoted)
  const backslashes = quoted.slice(1, -1).split('\\\\')
  return backslashes.map((part) => part.split('\\').join('')).join('\\')
}
