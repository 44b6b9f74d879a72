import { config } from '#shared/platform/config/config.ts'
import { lockName } from '#shared/platform/db/lock-name.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { ImageErrors } from './errors.ts'

const MB = 1_000_000

/** Returns the bytes of a store's images: their files, and uploads whose files are not made yet. */
async function readStoredBytes(tx: StoreTx): Promise<number> {
  const [row] = await tx.knex('images').where('store_id', tx.storeId).sum({ bytes: 'stored_bytes' })
  return Number(row?.bytes ?? 0)
}

/** Throws `image.quota_exceeded` if `bytes` more bytes exceed the store's quota. */
export async function assertWithinQuota(tx: StoreTx, bytes: number): Promise<void> {
  const { IMAGES_STORE_MB: most } = config()
  const stored = await readStoredBytes(tx)
  if (stored + bytes > most * MB) throw ImageErrors.quotaExceeded({ stored: Math.round(stored / MB), most })
}

/**
 * Like `assertWithinQuota`, for an upload that this transaction saves. Locks the quota until the transaction ends, so
 * that the second of two concurrent uploads counts the first.
 */
export async function lockAndAssertQuota(tx: StoreTx, bytes: number): Promise<void> {
  await lockName(tx.knex, `image bytes ${tx.storeId}`)
  await assertWithinQuota(tx, bytes)
}
