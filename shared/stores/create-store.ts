import { now } from '../platform/clock.ts'
import { newId } from '../platform/id.ts'
import { inStore } from '../platform/store-scope.ts'
import { giveDomain } from './claim-domain.ts'

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
  seo?: Record<string, unknown>
}

/** Creates a store with its catalog version and domains. Returns its id. */
export async function createStore(store: NewStore): Promise<string> {
  const id = newId()
  const at = now()
  await inStore(id, async (tx) => {
    await tx.knex('stores').insert({
      id,
      slug: store.slug,
      name: store.name,
      email: store.email,
      currency: store.currency,
      default_language: store.languages[0],
      languages: store.languages,
      time_zone: store.timeZone,
      min_order_total_minor: store.minOrderTotalMinor ?? 0n,
      seo: JSON.stringify(store.seo ?? {}),
      created_at: at,
      updated_at: at,
    })
    await tx.knex('catalog_versions').insert({ store_id: id })
    for (const domain of store.domains ?? []) await giveDomain(tx, domain)
  })
  return id
}
