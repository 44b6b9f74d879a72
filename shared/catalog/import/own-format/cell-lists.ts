// Matches an item between quotes, or up to the next comma.
const ITEM = /\s*(?:"((?:[^"]|"")*)"\s*(?=,|$)|([^,]*))(?:,|$)/gy

/** Splits a cell at commas. An item with a comma is between quotes: `red, "black, matt"`. */
export function parseList(text: string): string[] {
  const items: string[] = []
  ITEM.lastIndex = 0
  while (ITEM.lastIndex < text.length) {
    const found = ITEM.exec(text)
    if (!found) break
    const [, quoted, plain = ''] = found
    items.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'))
  }
  return items.filter((item) => item !== '')
}

/** Writes items so that `parseList` reads them. */
export const writeList = (items: readonly string[]): string =>
  items.map((item) => (NEEDS_QUOTES.test(item) ? `"${item.replaceAll('"', '""')}"` : item)).join(', ')

const NEEDS_QUOTES = /^\s|[,"]|\s$/
