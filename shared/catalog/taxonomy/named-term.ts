import type { QueryBuilderType } from 'objection'
import { likePattern } from '#shared/platform/db/list-query.ts'
import { pickText } from '#shared/platform/text.ts'
import type { Store } from '#shared/stores/store.ts'
import type { Texts } from '../product.ts'
import { Term } from './term.ts'

/** A term with names by language. */
export class NamedTerm extends Term {
  static override jsonAttributes = ['nameI18n']

  declare nameI18n: Texts
  /** What its name is compared by: the one in the store's language, capitals and outer spaces aside. */
  declare nameKey: string
  /** Order among its like. */
  declare position: number
}

const MAX_KEY = 300

/** The key of a name that is written; nothing where none is. */
export function toNameKey({ nameI18n }: { nameI18n?: Texts }, { defaultLanguage }: Store) {
  if (!nameI18n) return {}
  const name = pickText(nameI18n, defaultLanguage, defaultLanguage)
  const key = name.normalize('NFKC').trim().toLowerCase()
  // One sign can become eighteen, and an index takes no more than its share of a page.
  return { nameKey: key.slice(0, MAX_KEY).toWellFormed() }
}

/** Narrows to terms with the words in one of their names. */
export function filterByAnyName<T extends Term>(query: QueryBuilderType<T>, words: string): void {
  query.whereRaw(
    'exists (select from jsonb_each_text(name_i18n) name where name.value ilike ?)',
    likePattern(words),
  )
}
