import type { Callers } from '#api/platform/auth/callers.ts'
import type { PlatformTx, StoreTx } from '#shared/platform/db/store-scope.ts'

/**
 * Opens the transaction of a handler with manual transactions, after its slow work. The same transaction writes the
 * audit entry and the idempotency record. `as` is the caller if the access names none: the account of a mailed link, or
 * of a token in the body.
 */
export interface UnitOfWork {
  inStore<T>(storeId: string, work: (tx: StoreTx) => Promise<T>, as?: Callers): Promise<T>
  inPlatform<T>(work: (tx: PlatformTx) => Promise<T>, as?: Callers): Promise<T>
}
