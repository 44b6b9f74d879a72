import { customerActor } from '#shared/orders/actor.ts'
import { newOrderNumber } from '#shared/orders/order.ts'
import type { LineUnits } from '#shared/orders/order-item.ts'
import { unshippedUnits } from '#shared/orders/shipments/units-to-ship.ts'
import { calculateRefund } from '#shared/refunds/calculate/calculate-refund.ts'
import { calculateRemainder } from '#shared/refunds/calculate/calculate-remainder.ts'
import type { PricedUnits } from '#shared/refunds/calculate/price-item.ts'
import type { RefundRequest } from '#shared/refunds/calculate/refund-request.ts'
import { wordsOfReturn } from '#shared/returns/return-words.ts'
import {
  type Disposition,
  RETURN_CONDITIONS,
  RETURN_REASONS,
  type ReturnStatus,
} from '#shared/returns/states.ts'
import { moveAll, moveUnits, newIdAt, note, type PastOrder, transition } from './past-order.ts'

interface PastRefund {
  /** Default: everything that is left. */
  parts?: RefundRequest
  reason: string
  restock?: boolean
  isReturn?: boolean
}

/**
 * Refunds a paid order outside the gateway, with no refund before, as `requestRefund` does. Returns the id of the
 * refund.
 */
export function refund(
  past: PastOrder,
  { parts, reason, restock = false, isReturn = false }: PastRefund,
): string {
  const { year, order, items: lines, at } = past
  const refundable = {
    order,
    lines,
    replaced: new Map(),
    vouchers: [],
    shippingRefundedMinor: 0n,
    refundedPrices: new Map(),
    inProgress: [],
    inProgressMinor: 0n,
    unitsInProgress: new Map(),
  }
  const { amountMinor, shippingAmountMinor, items } = parts
    ? calculateRefund(refundable, parts)
    : calculateRemainder(refundable)
  const refundId = newIdAt(year, at)
  year.rows.add('refunds', {
    id: refundId,
    orderId: order.id,
    paymentId: null,
    origin: 'store',
    status: 'succeeded',
    amountMinor,
    gatewayAmountMinor: 0n,
    shippingAmountMinor,
    currency: order.currency,
    reason,
    restock,
    isReturn,
    requestedBy: year.staff,
    createdAt: at,
    settledAt: at,
  })
  for (const unit of items) refundUnits(past, refundId, unit, { restock, isReturn })
  order.amountRefundedMinor += amountMinor
  order.updatedAt = at
  if (order.refundableMinor === 0n) {
    moveAll(past, 'allocated', 'released')
    transition(past, 'refunded', year.staff, reason)
  }
  return refundId
}

/** Refunds units of a line: unshipped ones first, which then do not ship. The units of a return have shipped. */
function refundUnits(
  past: PastOrder,
  refundId: string,
  { orderItemId, quantity, amountMinor }: PricedUnits,
  { restock, isReturn }: { restock: boolean; isReturn: boolean },
): void {
  const { year, items, at } = past
  const line = items.find(({ id }) => id === orderItemId)
  if (!line?.variantId) return
  const withdrawnQuantity = isReturn ? 0 : Math.min(quantity, unshippedUnits(line))
  const id = newIdAt(year, at)
  year.rows.add('refund_items', { id, refundId, orderItemId, quantity, amountMinor, withdrawnQuantity })
  line.refundedQuantity += quantity
  line.withdrawnQuantity += withdrawnQuantity
  if (restock)
    moveUnits(past, line.variantId, { from: 'allocated', to: 'released', quantity: withdrawnQuantity })
}

export interface PastReturn {
  /** The statuses in their order, without `requested`. */
  steps: readonly Exclude<ReturnStatus, 'requested'>[]
  units: LineUnits[]
  /** Advances the time between two steps. */
  wait: () => void
  /** Whether everything is refunded, with the shipping. */
  isWhole?: boolean
}

/**
 * Returns shipped units of an order. A completed return is refunded, and back in stock unless the goods are damaged.
 */
export function returnGoods(past: PastOrder, { steps, units, wait, isWhole = false }: PastReturn): void {
  const { year, order } = past
  const { chance, rows, staff } = year
  const number = `R${newOrderNumber(chance.bytes(10))}`
  const buyer = customerActor(order.customerId)
  const createdAt = past.at
  const returned = rows.add('returns', {
    id: newIdAt(year, createdAt),
    number,
    orderId: order.id,
    customerId: order.customerId,
    status: 'requested',
    action: 'refund',
    comment: null,
    message: null,
    requestedBy: buyer,
    ...({
      refundId: null,
      approvedAt: null,
      receivedAt: null,
      restockedAt: null,
      closedAt: null,
    } as Progress),
    createdAt,
    updatedAt: createdAt,
  })
  for (const word of wordsOfReturn(returned, order)) rows.add('return_words', { word, returnId: returned.id })
  const items = units.map(({ orderItemId, quantity }, position) => {
    const [reason, condition] = [chance.pick(RETURN_REASONS), chance.pick(RETURN_CONDITIONS)]
    const disposition = null as Disposition | null
    const id = newIdAt(year, createdAt)
    return rows.add('return_items', {
      id,
      returnId: returned.id,
      orderItemId,
      position,
      quantity,
      reason,
      condition,
      disposition,
    })
  })
  note(past, `Return ${number} requested`, buyer, { returnId: returned.id })
  for (const step of steps) {
    wait()
    if (step === 'received')
      for (const item of items)
        item.disposition = item.condition === 'damaged' ? 'not_restocked' : 'restocked'
    if (step === 'completed') settle(past, returned, items, isWhole)
    Object.assign(returned, { status: step, updatedAt: past.at, ...timeOf(step, past.at) })
    note(past, `Return ${number} ${step}`, staff, { returnId: returned.id })
  }
}

interface Progress {
  refundId: string | null
  approvedAt: Date | null
  receivedAt: Date | null
  restockedAt: Date | null
  closedAt: Date | null
}

function timeOf(step: PastReturn['steps'][number], at: Date): Partial<Progress> {
  if (step === 'approved') return { approvedAt: at }
  return step === 'received' ? { receivedAt: at } : { closedAt: at }
}

/** Puts the sellable units of a return back in stock and refunds its units. */
function settle(
  past: PastOrder,
  returned: Progress & { id: string; number: string },
  items: readonly (LineUnits & { disposition: Disposition | null })[],
  isWhole: boolean,
): void {
  const sellable = items.filter(({ disposition }) => disposition === 'restocked')
  for (const { orderItemId, quantity } of sellable) {
    const variantId = past.items.find(({ id }) => id === orderItemId)?.variantId
    if (variantId) moveUnits(past, variantId, { from: 'shipped', to: 'released', quantity })
  }
  if (sellable.length) {
    returned.restockedAt = past.at
    note(past, `Return ${returned.number} restocked`, past.year.staff, { returnId: returned.id })
  }
  past.at = new Date(past.at.getTime() + 1)
  const units = items.map(({ orderItemId, quantity }) => ({ orderItemId, quantity }))
  const parts = isWhole ? {} : { parts: { items: units } }
  returned.refundId = refund(past, { ...parts, reason: `Return ${returned.number}`, isReturn: true })
  past.at = new Date(past.at.getTime() + 1)
}
