import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { Cart } from './cart.ts'

const BATCH_SIZE = 1_000

/** Deletes up to 1,000 expired carts of a store with their lines. Returns true when there may be more. */
export async function purgeExpiredCarts(tx: StoreTx): Promise<boolean> {
  const expired = await Cart.in(tx).where('expires_at', '<=', now()).limit(BATCH_SIZE).select('id')
  if (expired.length === 0) return false
  await Cart.in(tx)
    .whereIn(
      'id',
      expired.map(({ id }) => id),
    )
    .where('expires_at', '<=', now())
    .delete()
  return expired.length === BATCH_SIZE
}
