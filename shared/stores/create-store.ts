import { newId } from '#shared/platform/db/id.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { giveDomains } from './claim-domain.ts'
import { StoreErrors } from './errors.ts'

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
  /** Host names that lead to the store, already proven to be its own. */
  domains?: string[]
  minOrderTotalMinor?: bigint
  /** ISO 3166-1 alpha-2. */
  country?: string
  seo?: Record<string, unknown>
}

/** Creates a store with its catalog version and domains. Returns its id. */
export async function createStore(store: NewStore): Promise<string> {
  const id = newId()
  await inStore(id, (tx) => insertStore(tx, store))
  return id
}

/** The same in a transaction whose store is the new one. Throws `store.slug_taken`. */
export async function insertStore(tx: StoreTx, store: NewStore): Promise<void> {
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
      min_order_total_minor: store.minOrderTotalMinor ?? 0n,
      seo: JSON.stringify(store.seo ?? {}),
      created_at: at,
      updated_at: at,
    })
    .onConflict('slug')
    .ignore()
    .returning('id')
  if (!inserted.length) throw StoreErrors.slugTaken()
  await tx.knex('catalog_versions').insert({ store_id: tx.storeId })
  await giveDomains(tx, store.domains ?? [])
}
