import { type Static, Type } from 'typebox'
import { toText } from '#shared/platform/http/response-values.ts'
import { Money, Nullable, Shape, Uuid } from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import type { OrderItem } from './order-item.ts'

export const OrderItemView = Shape({
  id: Uuid,
  product_id: Nullable(Uuid),
  variant_id: Nullable(Uuid),
  name: Type.String(),
  sku: Type.String(),
  option_values: Type.Record(Type.String(), Type.String()),
  image_url: Type.String(),
  quantity: Type.Integer(),
  unit_price: Money,
  line_total: Money,
  discount_total: Money,
  tax_total: Money,
  net_total: { ...Money, description: '`total` less `tax_total`' },
  total: { ...Money, description: 'The price of the line for the buyer, with its discount and its tax' },
  refunded_quantity: Type.Integer(),
  shipped_quantity: Type.Integer(),
})

/** Returns a line of an order. */
export const viewItem = (item: OrderItem, currency: string): Static<typeof OrderItemView> => ({
  id: item.id,
  product_id: item.productId,
  variant_id: item.variantId,
  name: item.name,
  sku: item.sku,
  option_values: item.optionValues,
  image_url: toText(item.imageUrl),
  quantity: item.quantity,
  unit_price: toMajor(item.unitPriceMinor, currency),
  line_total: toMajor(item.lineTotalMinor, currency),
  discount_total: toMajor(item.discountMinor, currency),
  tax_total: toMajor(item.taxMinor, currency),
  net_total: toMajor(item.totalMinor - item.taxMinor, currency),
  total: toMajor(item.totalMinor, currency),
  refunded_quantity: item.refundedQuantity,
  shipped_quantity: item.shippedQuantity,
})
