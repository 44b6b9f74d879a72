import { StoreModel } from '#shared/platform/db/model.ts'

/** What someone means to buy: a customer's, or a guest's who holds its token. */
export class Cart extends StoreModel {
  static override tableName = 'carts'

  declare customerId: string | null
  /** SHA-256 of the guest's X-Cart-Token. */
  declare tokenHash: Buffer | null
  /** Of the coupon that was put on it, folded. It stays while it does not apply. */
  declare couponCode: string | null
  declare createdAt: Date
  declare updatedAt: Date
  /** Null for a customer's, which is kept. */
  declare expiresAt: Date | null
}
