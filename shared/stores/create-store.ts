import { now } from '../platform/clock.ts'
import { db } from '../platform/db.ts'
import { newId } from '../platform/id.ts'

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
  await db().transaction(async (knex) => {
    await knex('stores').insert({
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
    await knex('catalog_versions').insert({ store_id: id })
    for (const domain of store.domains ?? [])
      await knex('store_domains').insert({
        domain,
        store_id: id,
        verified_at: at,
        created_at: at,
      })
  })
  return id
}
