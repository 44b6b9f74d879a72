import { type Chain, platformChain, storeChain } from '#shared/audit/chain.ts'
import { inPlatform, inStore } from '#shared/platform/db/store-scope.ts'
import type { SecretsScope } from '#shared/platform/secrets/reencrypt-kind.ts'
import type { SecretsStorage } from '#shared/platform/secrets/secrets.ts'
import { walkStoreIds } from '#shared/stores/walk-store-ids.ts'

/** The scope of secrets and of an audit log: a store, or the platform. */
export interface ReencryptedScope extends SecretsScope {
  name: string
  kind: SecretsStorage['scope']
  withChain<T>(work: (chain: Chain) => Promise<T>): Promise<T>
}

const PLATFORM: ReencryptedScope = {
  name: 'platform',
  kind: 'platform',
  own: {},
  transact: (work) => inPlatform(({ knex }) => work(knex)),
  withChain: (work) => inPlatform(({ knex }) => work(platformChain(knex))),
}

const scopeOf = (storeId: string): ReencryptedScope => ({
  name: storeId,
  kind: 'store',
  own: { store_id: storeId },
  transact: (work) => inStore(storeId, ({ knex }) => work(knex)),
  withChain: (work) => inStore(storeId, (tx) => work(storeChain(tx))),
})

/** Returns the platform, then every store, also deleted ones and those whose purge is not over. */
export async function* scopes(): AsyncGenerator<ReencryptedScope> {
  yield PLATFORM
  for await (const storeId of walkStoreIds({ includesPurging: true })) yield scopeOf(storeId)
}
