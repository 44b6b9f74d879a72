import { MAX_SEARCHED_DESCRIPTION } from '#shared/catalog/search/search-text.ts'
import type { ImportRow } from './read-product-row.ts'

/** Returns the number of characters of a row that the search index has: of names, tags and descriptions. */
export function countSearchedCharacters({
  product: { name, description, tags, translations },
}: ImportRow): number {
  const texts = [
    { column: 'name', text: name ?? '' },
    { column: 'description', text: description ?? '' },
    ...(tags ?? []).map((text) => ({ column: 'tags', text })),
    ...translations,
  ]
  return texts.reduce((total, { column, text }) => total + lengthOf(column, text), 0)
}

function lengthOf(column: string, { length }: string): number {
  if (column === 'description') return Math.min(length, MAX_SEARCHED_DESCRIPTION)
  return column === 'name' || column === 'tags' ? length : 0
}
