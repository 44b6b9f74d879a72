import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { WishlistItem } from './wishlist-item.ts'

/**
 * Removes a product from a customer's wishlist, also a hidden item. Throws `resource.not_found` if it is not on the
 * wishlist.
 */
export async function removeFromWishlist(tx: StoreTx, customerId: string, productId: string): Promise<void> {
  const removed = await WishlistItem.in(tx).where({ customer_id: customerId, product_id: productId }).delete()
  if (!removed) throw CommonErrors.notFound()
}

/** Removes every product from a customer's wishlist. */
export const clearWishlist = (tx: StoreTx, customerId: string): PromiseLike<number> =>
  WishlistItem.in(tx).where('customer_id', customerId).delete()
