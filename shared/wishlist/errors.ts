import { defineErrors } from '#shared/platform/errors.ts'

/** Products that one customer's wishlist shows. */
export const MAX_WISHLIST_ITEMS = 500

export const WishlistErrors = defineErrors({
  tooManyItems: {
    code: 'wishlist.too_many_items',
    status: 422,
    message: `A wishlist takes at most ${MAX_WISHLIST_ITEMS} products. Remove one that is not wanted any more.`,
  },
})
