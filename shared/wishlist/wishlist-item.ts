import { StoreModel } from '#shared/platform/db/model.ts'

/** A product that a customer keeps for later. */
export class WishlistItem extends StoreModel {
  static override tableName = 'wishlist_items'

  declare customerId: string
  declare productId: string
  declare createdAt: Date
}
