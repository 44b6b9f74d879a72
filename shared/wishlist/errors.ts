import { defineErrors } from '../platform/errors.ts'

/** Products on one customer's wishlist, the hidden ones among them. */
export const MOST_ITEMS = 500

export const WishlistErrors = defineErrors({
  tooManyItems: {
    code: 'wishlist.too_many_items',
    status: 422,
    message: `A wishlist takes at most ${MOST_ITEMS} products. Remove one that is not wanted any more.`,
  },
})
