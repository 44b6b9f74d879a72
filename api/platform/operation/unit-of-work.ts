import type { Knex } from 'knex'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Callers } from '../auth/callers.ts'

/**
 * Opens the transaction of a handler with manual transactions, after its slow work. The audit entry and the idempotency
 * record are written in the same transaction. `as` names the caller where the access does not: the account of a mailed
 * link or of a token in the body.
 */
export interface UnitOfWork {
  inStore<T>(storeId: string, work: (tx: StoreTx) => Promise<T>, as?: Callers): Promise<T>
  inPlatform<T>(work: (knex: Knex.Transaction) => Promise<T>, as?: Callers): Promise<T>
}
