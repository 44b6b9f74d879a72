import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { WishlistItem } from './wishlist-item.ts'

/** Removes every product from a customer's wishlist. */
export const clearWishlist = (tx: StoreTx, customerId: string): PromiseLike<number> =>
  WishlistItem.in(tx).where('customer_id', customerId).delete()
