import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { Store } from '#shared/stores/store.ts'

/** The store and language of a storefront's request. */
export interface PageContext {
  store: Store
  language: string
}

/** Returns the first values of every statement in this folder. The first two are those of `textSql`. */
export const pageValues = ({ store, language }: PageContext): string[] => [
  language,
  store.defaultLanguage,
  now().toISOString(),
]

const AT = '$3::timestamptz'

/** SQL condition: page `p` is one of the store's active pages. */
export const ACTIVE = `p.store_id = ${CURRENT_STORE} and p.is_active`

/** SQL conditions: the active page `p` is public now, or will be later. */
export const PUBLISHED = `p.published_at <= ${AT}`
export const SCHEDULED = `p.published_at > ${AT}`
