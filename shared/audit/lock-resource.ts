import { lockName } from '#shared/platform/db/lock-name.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/**
 * Locks a resource for audited changes until the transaction ends. Without the lock, `before` could miss an earlier
 * change.
 */
export const lockResource = (tx: StoreTx, type: string, id: string | null): Promise<void> =>
  lockName(tx.knex, `audit ${tx.storeId} ${type} ${id}`)
