import { assertPlace } from '#shared/geo/place.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged, nextUpdatedAt } from '#shared/platform/http/entity-tag.ts'
import { invalid } from '#shared/platform/validation.ts'
import { readStore, STORE_JSON, type Store } from './store.ts'

/** What a store's staff may change of it; what is left out stays. */
export type SettingsChange = Partial<Omit<Store, 'id' | 'slug' | 'status' | 'currency' | 'updatedAt'>>

/**
 * Changes the store's settings and returns the store as it is then. A language or time zone that cannot be: 422.
 * Throws 412 `resource.changed` when `ifMatch` names an earlier state.
 */
export async function changeSettings(tx: StoreTx, change: SettingsChange, ifMatch?: string): Promise<Store> {
  // Lock first: another change under way must not be undone by what was read before it.
  const { rows } = await tx.knex.raw(
    `select ${STORE_JSON}::text as json from stores s where id = ? for no key update`,
    [tx.storeId],
  )
  const store = readStore(rows[0].json)
  assertUnchanged(store, ifMatch)
  const next = { ...store, ...change, updatedAt: nextUpdatedAt(store) }
  assertConsistent(next)
  await tx.knex('stores').where('id', tx.storeId).update({
    name: next.name,
    email: next.email,
    languages: next.languages,
    default_language: next.defaultLanguage,
    country: next.country,
    time_zone: next.timeZone,
    guest_checkout_enabled: next.guestCheckoutEnabled,
    min_order_total_minor: next.minOrderTotalMinor,
    stock_hold_seconds: next.stockHoldSeconds,
    unpaid_order_seconds: next.unpaidOrderSeconds,
    catalog: next.catalog,
    seo: next.seo,
    links: next.links,
    updated_at: next.updatedAt,
  })
  return next
}

/** Throws 422 for a default language that is none of the languages, and for a time zone or country that there is not. */
export function assertConsistent({
  languages,
  defaultLanguage,
  timeZone,
  country,
}: Pick<Store, 'languages' | 'defaultLanguage' | 'timeZone' | 'country'>): void {
  if (!languages.includes(defaultLanguage))
    throw invalid(['default_language'], 'The default language is one of the languages', defaultLanguage)
  if (!isTimeZone(timeZone))
    throw invalid(['time_zone'], 'Use a time zone name such as Europe/Berlin', timeZone)
  if (country !== null) assertPlace({ country })
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
