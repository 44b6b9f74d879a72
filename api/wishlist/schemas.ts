import { Shape, Uuid } from '#shared/platform/http/schema.ts'

export const WishlistParams = Shape({ product_id: Uuid })

export const AddToWishlistRequest = Shape({ product_id: Uuid })
