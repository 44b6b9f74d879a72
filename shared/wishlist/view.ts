import { type Static, Type } from 'typebox'
import { Money, Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'

/** A product on a wishlist (interface document, section 2). */
export const WishlistItemView = Shape({
  id: Uuid,
  product_id: Uuid,
  product_name: Type.String({ description: "In the caller's language" }),
  product_slug: Type.String(),
  price: { ...Money, description: 'The lowest that one unit costs now, whichever variant' },
  primary_image_url: { ...Nullable(Type.String()), description: 'Null when the product has no image' },
  created_at: { ...Timestamp, description: 'When the product was put on the list' },
})
export type WishlistItemView = Static<typeof WishlistItemView>
