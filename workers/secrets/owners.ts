import { type Chain, platformChain, storeChain } from '#shared/audit/chain.ts'
import { inPlatform, inStore } from '#shared/platform/db/store-scope.ts'
import type { SecretsOwner } from '#shared/platform/secrets/reencrypt-secrets.ts'
import type { SecretsStorage } from '#shared/platform/secrets/secrets.ts'
import { walkStoreIds } from '#shared/stores/list-stores.ts'

/** An owner of secrets and an audit log: a store, or the platform. */
export interface Owner extends SecretsOwner {
  name: string
  scope: SecretsStorage['scope']
  withChain<T>(work: (chain: Chain) => Promise<T>): Promise<T>
}

const PLATFORM: Owner = {
  name: 'platform',
  scope: 'platform',
  own: {},
  transact: (work) => inPlatform(work),
  withChain: (work) => inPlatform((knex) => work(platformChain(knex))),
}

const ownerOf = (storeId: string): Owner => ({
  name: storeId,
  scope: 'store',
  own: { store_id: storeId },
  transact: (work) => inStore(storeId, ({ knex }) => work(knex)),
  withChain: (work) => inStore(storeId, (tx) => work(storeChain(tx))),
})

/** The platform, then every store, deleted ones too. */
export async function* owners(): AsyncGenerator<Owner> {
  yield PLATFORM
  for await (const storeId of walkStoreIds()) yield ownerOf(storeId)
}
