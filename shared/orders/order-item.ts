import { StoreModel } from '#shared/platform/db/model.ts'

/** One line of an order, as it was when it was bought. */
export class OrderItem extends StoreModel {
  static override tableName = 'order_items'
  static override jsonAttributes = ['optionValues']

  declare orderId: string
  declare position: number
  declare productId: string | null
  declare variantId: string | null
  declare name: string
  declare sku: string
  declare optionValues: Record<string, string>
  declare imageUrl: string | null
  declare quantity: number
  declare unitPriceMinor: bigint
  /** Before its part of the discount, and without tax. */
  declare lineTotalMinor: bigint
  declare discountMinor: bigint
  declare taxMinor: bigint
  declare refundedQuantity: number
}
