import { insertCatalogVersion } from '#shared/platform/cache/catalog-version.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { invalid } from '#shared/platform/validation.ts'
import { assignStoreDomains } from '#shared/stores/domains/claim-store-domain.ts'
import { StoreErrors } from '#shared/stores/errors.ts'
import { assertTimeZone } from '#shared/stores/settings/assert-time-zone.ts'
import { readStore, type Store } from '#shared/stores/store.ts'
import { assertConsistentSettings } from './assert-consistent-settings.ts'

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'))

export interface NewStore {
  slug: string
  name: string
  email: string
  /** ISO 4217. */
  currency: string
  /** BCP 47; the first is the default. */
  languages: [string, ...string[]]
  /** IANA name. */
  timeZone: string
  /** Domains that the operator knows to be the store's. They need no verification. */
  domains?: string[]
  minOrderTotalMinor?: bigint
  /** ISO 3166-1 alpha-2. */
  country?: string
  /** Whether prices are entered with the tax of the country. Default: false. */
  pricesIncludeTax?: boolean
  seo?: Record<string, unknown>
}

/**
 * Creates the transaction's store with its catalog version and domains. Throws `store.slug_taken`, `domain.taken`, and
 * 422 for an unknown currency, time zone or country.
 */
export async function createStore(tx: StoreTx, store: NewStore): Promise<Store> {
  assertValid(store)
  await assertTimeZone(tx, store.timeZone)
  const at = now()
  const inserted = await tx
    .knex('stores')
    .insert({
      id: tx.storeId,
      slug: store.slug,
      name: store.name,
      email: store.email,
      currency: store.currency,
      default_language: store.languages[0],
      languages: store.languages,
      time_zone: store.timeZone,
      country: store.country ?? null,
      prices_include_tax: store.pricesIncludeTax ?? false,
      min_order_total_minor: store.minOrderTotalMinor ?? 0n,
      seo: JSON.stringify(store.seo ?? {}),
      created_at: at,
      updated_at: at,
    })
    .onConflict('slug')
    .ignore()
    .returning('id')
  if (!inserted.length) throw StoreErrors.slugTaken()
  await insertCatalogVersion(tx)
  await assignStoreDomains(tx, store.domains ?? [])
  return readStore(tx)
}

function assertValid(store: NewStore): void {
  if (!CURRENCIES.has(store.currency))
    throw invalid(['currency'], 'Use a currency code of ISO 4217 such as EUR', store.currency)
  const { languages, country = null, pricesIncludeTax = false } = store
  assertConsistentSettings({ ...store, defaultLanguage: languages[0], country, pricesIncludeTax })
}
