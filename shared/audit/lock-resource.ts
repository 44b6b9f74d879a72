import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/**
 * Locks a resource for audited changes until the transaction ends. Without the lock, `before` of one change could be older
 * than the change before it.
 */
export async function lockResource(tx: StoreTx, type: string, id: string | null): Promise<void> {
  const name = `audit ${tx.storeId} ${type} ${id}`
  await tx.knex.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [name])
}
