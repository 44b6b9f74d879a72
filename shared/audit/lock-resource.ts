import { lockName } from '#shared/platform/db/lock-name.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

const resourcesOf = ({ storeId }: StoreTx): string => `audit ${storeId}`

/**
 * Locks a resource for audited changes until the transaction ends. Without the lock, `before` could miss an earlier
 * change. Waits for `lockAllResources`.
 */
export async function lockResource(tx: StoreTx, type: string, id: string | null): Promise<void> {
  await tx.knex.raw(
    'select pg_advisory_xact_lock_shared(hashtextextended(?, 0)), pg_advisory_xact_lock(hashtextextended(?, 0))',
    [resourcesOf(tx), `${resourcesOf(tx)} ${type} ${id}`],
  )
}

/**
 * Locks all resources of the store for audited changes until the transaction ends. It is one lock, because PostgreSQL
 * has room for a few thousand locks, and a person can have more orders. Call it before `lockResource` in a transaction:
 * two that raised the lock of one resource to this one would wait for each other.
 */
export const lockAllResources = (tx: StoreTx): Promise<void> => lockName(tx.knex, resourcesOf(tx))
