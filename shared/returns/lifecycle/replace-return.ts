import { assertMoneyKept } from '#shared/disputes/assert-may-ship.ts'
import type { OrderActor } from '#shared/orders/actor.ts'
import type { Order } from '#shared/orders/order.ts'
import { OrderItem } from '#shared/orders/order-item.ts'
import { type OrderDetails, type OrderLine, placeOrder } from '#shared/orders/place/place-order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { isReplaceable } from '#shared/refunds/replacements/is-replaceable.ts'
import { ReturnErrors } from '#shared/returns/errors.ts'
import { isReplaced, type LockedReturn, lockReturn, type Return } from '#shared/returns/return.ts'
import { countArrivedUnits } from '#shared/returns/return-item.ts'
import { recordReturnProgress } from './complete-if-settled.ts'

/**
 * Places a free order that sends a return's arrived units to the same address again, and allocates its stock. A return
 * has at most one replacement that is not canceled. Throws `resource.not_found`, `return.not_received`,
 * `return.other_action`, `return.already_replaced`, `return.already_refunded` if the price of units was refunded,
 * `refund.in_progress`, `order.disputed`, `order.replaced_units_refunded`, `return.not_replaceable` and
 * `checkout.insufficient_stock`.
 */
export async function replaceReturn(tx: StoreTx, returnId: string, actor: OrderActor): Promise<Return> {
  const locked = await lockReturn(tx, returnId)
  const { rma, order } = locked
  if (!rma.receivedAt) throw ReturnErrors.notReceived({ status: rma.status })
  if (rma.action !== 'replacement') throw ReturnErrors.otherAction({ action: rma.action })
  if (await isReplaced(tx, rma)) throw ReturnErrors.alreadyReplaced()
  await assertMoneyKept(tx, order)
  const draft = {
    status: 'processing',
    details: detailsOf(order),
    lines: await linesOf(tx, locked),
  } as const
  const replacement = await placeOrder(tx, draft)
  return recordReturnProgress(tx, locked, { replacementOrderId: replacement.order.id }, actor)
}

/** Returns the details of a free order with the same buyer and addresses. */
function detailsOf(order: Order): OrderDetails {
  const zero = {
    subtotalMinor: 0n,
    discountMinor: 0n,
    shippingMinor: 0n,
    shippingTaxMinor: 0n,
    taxMinor: 0n,
  }
  const { customerId, currency, language, email, firstname, lastname, telephone } = order
  const { shippingAddress, billingAddress, shippingMethod, pricesIncludeTax } = order
  return {
    customerId,
    currency,
    language,
    email,
    firstname,
    lastname,
    telephone,
    shippingAddress,
    billingAddress,
    shippingMethod,
    pricesIncludeTax,
    couponCode: null,
    paymentMethod: 'none',
    note: null,
    ...zero,
    totalMinor: 0n,
    voucherMinor: 0n,
    expiresAt: null,
  }
}

async function linesOf(tx: StoreTx, { rma, order }: LockedReturn): Promise<OrderLine[]> {
  const lines = await OrderItem.in(tx).where('order_id', order.id)
  const units = await countArrivedUnits(tx, rma.id)
  if (units.length === 0) throw ReturnErrors.notReplaceable()
  if (!(await isReplaceable(tx, order, units))) throw ReturnErrors.alreadyRefunded()
  return units.map(({ orderItemId, quantity }) => {
    const line = lines.find(({ id }) => id === orderItemId)
    if (!line?.variantId) throw ReturnErrors.notReplaceable({ name: line?.name })
    return toFreeLine(line, quantity)
  })
}

function toFreeLine(line: OrderItem, quantity: number): OrderLine {
  const { productId, variantId, name, sku, optionValues, imageUrl } = line
  const free = { unitPriceMinor: 0n, lineTotalMinor: 0n, discountMinor: 0n, taxMinor: 0n, totalMinor: 0n }
  const replacesItemId = line.id
  return { productId, variantId, name, sku, optionValues, imageUrl, quantity, replacesItemId, ...free }
}
