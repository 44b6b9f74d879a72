import { Shape, Uuid } from '#shared/platform/http/schema.ts'

export const NewWishlistItem = Shape({ product_id: Uuid })

export const WishlistParams = Shape({ product_id: Uuid })
