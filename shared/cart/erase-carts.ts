import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Cart } from './cart.ts'
import { CartVoucher } from './cart-voucher.ts'

/** Deletes a person's cart, and the gift vouchers from or to the person in other carts. Returns the carts' ids. */
export async function eraseCarts(
  tx: StoreTx,
  { customerId, verifiedEmails }: { customerId: string; verifiedEmails: readonly string[] },
): Promise<string[]> {
  const own = await Cart.in(tx).where('customer_id', customerId).delete().returning('id')
  const vouchers = await CartVoucher.in(tx)
    .whereRaw('(lower(from_email) = any(?) or lower(to_email) = any(?))', [verifiedEmails, verifiedEmails])
    .delete()
    .returning('cart_id')
  return [...own.map(({ id }) => id), ...vouchers.map(({ cartId }) => cartId)]
}
