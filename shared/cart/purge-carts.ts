import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { Cart } from './cart.ts'

const MOST = 1_000

/** Deletes a store's expired carts with their lines, at most 1,000. Returns whether there may be more. */
export async function purgeExpired(tx: StoreTx): Promise<boolean> {
  const expired = await Cart.in(tx).where('expires_at', '<=', now()).limit(MOST).select('id')
  if (expired.length === 0) return false
  await Cart.in(tx)
    .whereIn(
      'id',
      expired.map(({ id }) => id),
    )
    .where('expires_at', '<=', now())
    .delete()
  return expired.length === MOST
}
