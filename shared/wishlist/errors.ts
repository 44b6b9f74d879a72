import { defineErrors } from '#shared/platform/errors.ts'

/** The maximum of visible items on a wishlist. */
export const MAX_WISHLIST_ITEMS = 500

export const WishlistErrors = defineErrors({
  tooManyItems: {
    code: 'wishlist.too_many_items',
    status: 422,
    message: `A wishlist has at most ${MAX_WISHLIST_ITEMS} products. Remove one first.`,
  },
})
