import type { Actor } from '#shared/orders/actor.ts'
import { lockOrder, type Order } from '#shared/orders/order.ts'
import { OrderItem } from '#shared/orders/order-item.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { sum } from '#shared/platform/money.ts'
import {
  calculateRefund,
  calculateRemainder,
  exceedsPaid,
  type RefundableOrder,
  type RefundBreakdown,
  type RefundParts,
} from './calculate-refund.ts'
import { createRefund } from './create-refund.ts'
import { RefundErrors } from './errors.ts'
import { findRefundInProgress, Refund } from './refund.ts'
import { allocateToSource, findRefundSource } from './refund-source.ts'

export type RefundRequest = RefundParts & {
  restock?: boolean | undefined
  reason?: string | null | undefined
  /** The caller gives the buyer credit instead of money: the refund is settled at once. */
  asCredit?: boolean | undefined
}

/**
 * Starts a refund. Throws 404 `resource.not_found`, 409 `order.nothing_to_refund` and
 * `refund.in_progress`, 422 `refund.exceeds_paid` and `refund.quantity_exceeded`.
 */
export async function requestRefund(
  tx: StoreTx,
  orderId: string,
  { restock = false, reason = null, asCredit = false, ...parts }: RefundRequest,
  actor: Actor,
): Promise<Refund> {
  // Lock first: of two concurrent refunds, the second must see what the first one leaves.
  const order = await lockOrder(tx, orderId)
  const draft = calculateRefund(await loadRefundableOrder(tx, order), parts)
  const decided = { ...draft, restock, reason }
  return asCredit ? creditDraft(tx, order, decided, actor) : refundDraft(tx, order, decided, actor)
}

/**
 * Starts a refund of everything that is left; the order becomes `refunded` when it succeeds. While that refund is in
 * progress it is returned again. Null when everything is refunded. Throws like `requestRefund`.
 */
export async function refundRemainder(
  tx: StoreTx,
  orderId: string,
  actor: Actor,
  reason: string | null = null,
): Promise<Refund | null> {
  const order = await lockOrder(tx, orderId)
  if (order.status === 'refunded' && order.refundableMinor === 0n) return null
  const inProgress = await findRefundInProgress(tx, orderId)
  if (inProgress?.amountMinor === order.refundableMinor) return inProgress
  const draft = calculateRemainder(await loadRefundableOrder(tx, order))
  return refundDraft(tx, order, { ...draft, restock: false, reason }, actor)
}

type RefundDecision = RefundBreakdown & { restock: boolean; reason: string | null }

async function refundDraft(tx: StoreTx, order: Order, draft: RefundDecision, actor: Actor): Promise<Refund> {
  if (order.refundableMinor === 0n || draft.amountMinor === 0n) throw RefundErrors.nothingToRefund()
  const source = await findRefundSource(tx, order)
  if (draft.amountMinor > source.refundableMinor) throw exceedsPaid(order, source.refundableMinor)
  return createRefund(tx, order, { ...draft, ...allocateToSource(source, draft.amountMinor) }, actor)
}

/** Credit uses up the refundable amount, however it was paid. */
function creditDraft(tx: StoreTx, order: Order, draft: RefundDecision, actor: Actor): Promise<Refund> {
  if (order.refundableMinor === 0n || draft.amountMinor === 0n) throw RefundErrors.nothingToRefund()
  if (draft.amountMinor > order.refundableMinor) throw exceedsPaid(order, order.refundableMinor)
  return createRefund(
    tx,
    order,
    { ...draft, paymentId: null, gatewayAmountMinor: 0n, voucherAmountMinor: 0n },
    actor,
  )
}

async function loadRefundableOrder(tx: StoreTx, order: Order): Promise<RefundableOrder> {
  const lines = await OrderItem.in(tx).where('order_id', order.id).orderBy('position')
  const refunds = await Refund.in(tx)
    .where({ order_id: order.id, status: 'succeeded' })
    .whereNull('surplus_id')
  const shippingRefundedMinor = sum(refunds.map(({ shippingAmountMinor }) => shippingAmountMinor))
  return { order, lines, shippingRefundedMinor }
}
