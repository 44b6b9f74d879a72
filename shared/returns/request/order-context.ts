import { type Static, Type } from 'typebox'
import { Order } from '#shared/orders/order.ts'
import { OrderItem } from '#shared/orders/order-item.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
import { CurrencyCode, Nullable, Shape, Uuid } from '#shared/platform/http/schema.ts'
import { dateIn } from '#shared/platform/time/clock.ts'
import { invalid } from '#shared/platform/validation.ts'
import { Return } from '#shared/returns/return.ts'
import { countReturned, findVoucherLines } from './returnable-units.ts'

const Units = (description: string) => Type.Integer({ minimum: 0, description })

/** A line of an order with the units that can be returned. */
export const ReturnOrderLine = Shape({
  order_item_id: Uuid,
  product_id: Nullable(Uuid),
  variant_id: Nullable(Uuid),
  product_name: Type.String(),
  sku: Type.String(),
  variant_attributes: Type.Optional(
    Nullable(Type.Record(Type.String(), Type.Unknown(), { description: 'The option values of the variant' })),
  ),
  quantity: Units('Ordered units of the line'),
  returned: Units('Units on returns that are neither rejected nor canceled'),
  returnable: Units('Units that can be returned; 0 for a gift voucher'),
})

/** The data that a return form shows of an order. */
export const ReturnOrderContext = Shape({
  order_id: Uuid,
  customer_id: Nullable(Uuid),
  firstname: Type.String(),
  lastname: Type.String(),
  email: Type.String(),
  telephone: Type.String(),
  date_ordered: Nullable(
    Type.String({ format: 'date', description: "YYYY-MM-DD, in the store's time zone" }),
  ),
  currency: CurrencyCode,
  lines: Type.Array(ReturnOrderLine),
})

interface ContextQuery {
  orderId: string
  /** The return that the form edits. Its units do not count as returned. */
  excludeReturnId: string | null
  timeZone: string
}

/**
 * Returns the data of a return form. Throws `resource.not_found` for an unknown order, and `validation.failed` for a
 * return of another order.
 */
export async function readOrderContext(
  tx: StoreTx,
  { orderId, excludeReturnId, timeZone }: ContextQuery,
): Promise<Static<typeof ReturnOrderContext>> {
  const order = assertFound(await Order.in(tx).findById(orderId))
  if (excludeReturnId) await assertReturnOf(tx, order, excludeReturnId)
  const lines = await OrderItem.in(tx).where('order_id', orderId).orderBy('position')
  const returned = await countReturned(tx, orderId, excludeReturnId)
  const vouchers = await findVoucherLines(tx, lines)
  return {
    order_id: order.id,
    customer_id: order.customerId,
    firstname: order.firstname,
    lastname: order.lastname,
    email: order.email,
    telephone: order.telephone,
    date_ordered: dateIn(timeZone, order.createdAt),
    currency: order.currency,
    lines: lines.map((line) => viewLine(line, returned.get(line.id) ?? 0, !vouchers.has(line.id))),
  }
}

async function assertReturnOf(tx: StoreTx, order: Order, returnId: string): Promise<void> {
  const found = await Return.in(tx).findById(returnId).where('order_id', order.id).select('id')
  if (!found) throw invalid(['exclude_return_id'], 'This order has no such return', returnId)
}

function viewLine(line: OrderItem, returned: number, isGoods: boolean): Static<typeof ReturnOrderLine> {
  return {
    order_item_id: line.id,
    product_id: line.productId,
    variant_id: line.variantId,
    product_name: line.name,
    sku: line.sku,
    variant_attributes: Object.keys(line.optionValues).length ? line.optionValues : null,
    quantity: line.quantity,
    returned,
    returnable: isGoods ? line.shippedQuantity - returned : 0,
  }
}
