import { inAnyLanguage, List } from '#shared/platform/db/list.ts'
import type { Texts } from '#shared/platform/text.ts'
import { pickText } from '#shared/platform/text.ts'
import type { Store } from '#shared/stores/store.ts'
import { Term } from './taxonomy.ts'

/** A term with names by language. */
export class NamedTerm extends Term {
  static override jsonAttributes = ['nameI18n']

  declare nameI18n: Texts
  /** The name in the store's default language, normalized for comparison. Unique in the store. */
  declare nameKey: string
  /** Sort order. */
  declare position: number
}

const MAX_KEY = 300

/** Returns the column `nameKey` of a name; no column if the input has no name. */
export function toNameKey({ nameI18n }: { nameI18n?: Texts }, { defaultLanguage }: Store) {
  if (!nameI18n) return {}
  const name = pickText(nameI18n, defaultLanguage, defaultLanguage)
  const key = name.normalize('NFKC').trim().toLowerCase()
  // Cut the key: NFKC can turn one character into eighteen, and a b-tree index limits the size of an entry.
  return { nameKey: key.slice(0, MAX_KEY).toWellFormed() }
}

export const NAMED_TERMS = new List({
  sorts: {
    position: ['position', 'name_key'],
    name: 'name_key',
    created_at: 'created_at',
    updated_at: 'updated_at',
  },
  order: 'position',
  searches: 'Part of a name',
  text: [inAnyLanguage('name_i18n')],
})
