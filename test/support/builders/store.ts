import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { createStore, type NewStore } from '#shared/stores/lifecycle/create-store.ts'
import { issuePublishableKey } from '#shared/stores/publishable-keys/issue-publishable-key.ts'

let count = 0

/** The ids of the stores that `buildStore` has built, oldest first. */
export const builtStores: string[] = []

/** A number that is unique among built records. */
export const nextNumber = (): number => ++count

export interface BuiltStore {
  id: string
  slug: string
  key: string
  domain: string
}

/** A store with a publishable key and a domain. */
export async function buildStore(given: Partial<NewStore> = {}): Promise<BuiltStore> {
  const slug = given.slug ?? `store-${nextNumber()}`
  const domain = `${slug}.example.test`
  const store: NewStore = {
    slug,
    name: `Store ${slug}`,
    email: `hello@${domain}`,
    currency: 'EUR',
    languages: ['en', 'de'],
    timeZone: 'Europe/Berlin',
    domains: [domain],
    ...given,
  }
  const { id } = await inStore(newId(), (tx) => createStore(tx, store))
  builtStores.push(id)
  const { key } = await inStore(id, (tx) => issuePublishableKey(tx, null, { mode: 'test' }))
  return { id, slug, domain, key }
}
