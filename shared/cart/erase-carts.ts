import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Cart } from './cart.ts'
import { CartVoucher } from './cart-voucher.ts'

/** Deletes a person's cart, and gift vouchers from or to the person in the carts of others. */
export async function eraseCarts(
  tx: StoreTx,
  { customerId, verifiedEmails }: { customerId: string; verifiedEmails: readonly string[] },
): Promise<void> {
  await Cart.in(tx).where('customer_id', customerId).delete()
  await CartVoucher.in(tx)
    .whereRaw('(lower(from_email) = any(?) or lower(to_email) = any(?))', [verifiedEmails, verifiedEmails])
    .delete()
}
