import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { lockStore } from '#shared/stores/store.ts'

/**
 * Lets the changes to a store's staff and roles be made one after another, until the transaction ends. Whoever asks
 * "is there another administrator?" or "does anyone have this role?" would otherwise miss what is under way.
 */
export async function lockRoster(tx: StoreTx): Promise<void> {
  await lockStore(tx)
}
