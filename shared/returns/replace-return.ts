import type { Actor } from '#shared/orders/actor.ts'
import type { Order } from '#shared/orders/order.ts'
import { OrderItem } from '#shared/orders/order-item.ts'
import { type OrderDetails, type OrderLine, placeOrder } from '#shared/orders/place-order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { RefundErrors } from '#shared/refunds/errors.ts'
import { findRefundInProgress } from '#shared/refunds/refund.ts'
import { arrivedUnits } from './arrived-units.ts'
import { countReplaced } from './count-replaced.ts'
import { ReturnErrors } from './errors.ts'
import { isReplaced } from './is-replaced.ts'
import { type LockedReturn, lockReturn } from './lock-return.ts'
import { noteSettling } from './note-settling.ts'
import type { Return } from './return.ts'

/**
 * Sends a buyer the same goods anew: an order of the units that arrived, for nothing, to where the first one went. Its
 * stock is taken at once. One that is not canceled is all that a return gets. Throws 404, 409 `return.not_received`,
 * `return.other_action`, `return.already_replaced`, `return.already_refunded` for units that were paid back without it,
 * `refund.in_progress`, `return.not_replaceable` and `checkout.insufficient_stock`.
 */
export async function replaceReturn(tx: StoreTx, returnId: string, actor: Actor): Promise<Return> {
  const locked = await lockReturn(tx, returnId)
  const { rma, order } = locked
  if (!rma.receivedAt) throw ReturnErrors.notReceived({ status: rma.status })
  if (rma.action !== 'replacement') throw ReturnErrors.otherAction({ action: rma.action })
  if (await isReplaced(tx, rma)) throw ReturnErrors.alreadyReplaced()
  await assertNotPaidBack(tx, order)
  const draft = {
    status: 'processing',
    details: detailsOf(order),
    lines: await linesOf(tx, locked),
  } as const
  const replacement = await placeOrder(tx, draft)
  await noteSettling(tx, locked, { replacementOrderId: replacement.order.id }, actor)
  return rma
}

/** Money names no units when it goes back as a sum, and counts for none before it is there. */
async function assertNotPaidBack(tx: StoreTx, order: Order): Promise<void> {
  if (await findRefundInProgress(tx, order.id)) throw RefundErrors.inProgress()
  if (order.paymentStatus === 'refunded') throw ReturnErrors.alreadyRefunded()
}

/** The same buyer at the same addresses, who owes nothing. */
function detailsOf(order: Order): OrderDetails {
  const nothing = {
    subtotalMinor: 0n,
    discountMinor: 0n,
    shippingMinor: 0n,
    shippingTaxMinor: 0n,
    taxMinor: 0n,
  }
  const { customerId, currency, language, email, firstname, lastname, telephone } = order
  const { shippingAddress, billingAddress, shippingMethod } = order
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
    couponCode: null,
    paymentMethod: 'none',
    note: null,
    ...nothing,
    totalMinor: 0n,
    voucherMinor: 0n,
    expiresAt: null,
  }
}

async function linesOf(tx: StoreTx, { rma, order }: LockedReturn): Promise<OrderLine[]> {
  const lines = await OrderItem.in(tx).where('order_id', order.id)
  const units = await arrivedUnits(tx, rma.id)
  if (units.length === 0) throw ReturnErrors.notReplaceable()
  const replaced = await countReplaced(tx, order.id)
  return units.map(({ orderItemId, quantity }) => {
    const line = lines.find(({ id }) => id === orderItemId)
    if (!line?.variantId) throw ReturnErrors.notReplaceable({ name: line?.name })
    const left = line.quantity - line.refundedQuantity - (replaced.get(line.id) ?? 0)
    if (left < quantity) throw ReturnErrors.alreadyRefunded()
    return forNothing(line, quantity)
  })
}

function forNothing(line: OrderItem, quantity: number): OrderLine {
  const { productId, variantId, name, sku, optionValues, imageUrl } = line
  const free = { unitPriceMinor: 0n, lineTotalMinor: 0n, discountMinor: 0n, taxMinor: 0n }
  return { productId, variantId, name, sku, optionValues, imageUrl, quantity, ...free }
}
