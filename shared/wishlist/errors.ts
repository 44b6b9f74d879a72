import { defineErrors } from '#shared/platform/errors.ts'

/** The maximum of visible items on a wishlist. */
export const MAX_WISHLIST_ITEMS = 500

export const WishlistErrors = defineErrors({
  limitReached: {
    code: 'wishlist.limit_reached',
    status: 422,
    message: `A wishlist has at most ${MAX_WISHLIST_ITEMS} products. Remove one first.`,
  },
})
