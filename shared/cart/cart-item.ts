import { StoreModel } from '#shared/platform/db/model.ts'

/** A line of a cart: so many units of one variant. Its price is never kept: it is the price now. */
export class CartItem extends StoreModel {
  static override tableName = 'cart_items'

  declare cartId: string
  declare variantId: string
  declare quantity: number
  declare createdAt: Date
}
