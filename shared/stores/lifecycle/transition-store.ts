import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertTransition } from '#shared/platform/states.ts'
import { now } from '#shared/platform/time/clock.ts'
import { StoreErrors } from '#shared/stores/errors.ts'
import { STORE_TRANSITIONS, type StoreStatus } from '#shared/stores/states.ts'
import { lockStore, ownStore, readStore, type Store } from '#shared/stores/store.ts'

/**
 * Changes the store's status. A store under load must close immediately, so `FOR NO KEY UPDATE` locks its row without
 * a wait for inserts that refer to it. Its keys, domains, tokens and webhooks check the status on every use, so they
 * obey the new status after the commit. Throws `store.invalid_transition`, and `store.under_purge` once a purge is
 * requested or started. Only a restoration can throw it, because only deleted stores are purged.
 */
export async function transitionStore(tx: StoreTx, to: StoreStatus): Promise<Store> {
  const store = await lockStore(tx)
  assertTransition(STORE_TRANSITIONS, store.status, to, StoreErrors.invalidTransition)
  if (store.purgeRequestedAt || store.purgeStartedAt) throw StoreErrors.underPurge()
  await ownStore(tx).update({
    status: to,
    deleted_at: to === 'deleted' ? now() : null,
    ...(to === 'active' ? { reopened_at: now() } : {}),
    updated_at: nextUpdatedAt(store),
  })
  return readStore(tx)
}
