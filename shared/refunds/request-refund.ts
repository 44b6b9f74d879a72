import type { Actor } from '#shared/orders/actor.ts'
import { lockOrder } from '#shared/orders/lock-order.ts'
import type { Order } from '#shared/orders/order.ts'
import { OrderItem } from '#shared/orders/order-item.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { sum } from '#shared/platform/money.ts'
import {
  type Asked,
  draftRefund,
  draftRemainder,
  exceeds,
  type OrderForRefund,
  type RefundDraft,
} from './draft-refund.ts'
import { RefundErrors } from './errors.ts'
import { findUnderWay } from './find-refund.ts'
import { findSource, splitOver } from './find-source.ts'
import { openRefund } from './open-refund.ts'
import { Refund } from './refund.ts'

export type RefundRequest = Asked & {
  restock?: boolean | undefined
  reason?: string | null | undefined
  /** The buyer is given credit for it, by whoever asks: no money moves, and it is settled at once. */
  asCredit?: boolean | undefined
}

/**
 * Begins to give a buyer money back. Throws 404 `resource.not_found`, 409 `order.nothing_to_refund` and
 * `refund.in_progress`, 422 `refund.exceeds_paid` and `refund.quantity_exceeded`.
 */
export async function requestRefund(
  tx: StoreTx,
  orderId: string,
  { restock = false, reason = null, asCredit = false, ...asked }: RefundRequest,
  actor: Actor,
): Promise<Refund> {
  // Before anything is read: of two refunds at once, the second must see what the first one leaves.
  const order = await lockOrder(tx, orderId)
  const draft = draftRefund(await loadForRefund(tx, order), asked)
  const decided = { ...draft, restock, reason }
  return asCredit ? creditDraft(tx, order, decided, actor) : refundDraft(tx, order, decided, actor)
}

/**
 * Begins to give back all that is left; the order becomes `refunded` with it. Asked again meanwhile, it answers the
 * same refund, and null when all went back before. Throws like `requestRefund`.
 */
export async function refundRemainder(
  tx: StoreTx,
  orderId: string,
  actor: Actor,
  reason: string | null = null,
): Promise<Refund | null> {
  const order = await lockOrder(tx, orderId)
  if (order.status === 'refunded' && order.refundableMinor === 0n) return null
  const underWay = await findUnderWay(tx, orderId)
  if (underWay?.amountMinor === order.refundableMinor) return underWay
  const draft = draftRemainder(await loadForRefund(tx, order))
  return refundDraft(tx, order, { ...draft, restock: false, reason }, actor)
}

type DecidedDraft = RefundDraft & { restock: boolean; reason: string | null }

async function refundDraft(tx: StoreTx, order: Order, draft: DecidedDraft, actor: Actor): Promise<Refund> {
  if (order.refundableMinor === 0n || draft.amountMinor === 0n) throw RefundErrors.nothingToRefund()
  const source = await findSource(tx, order)
  if (draft.amountMinor > source.refundableMinor) throw exceeds(order, source.refundableMinor)
  return openRefund(tx, order, { ...draft, ...splitOver(source, draft.amountMinor) }, actor)
}

/** What is credited is no money that could go back any more, whatever it was paid with. */
function creditDraft(tx: StoreTx, order: Order, draft: DecidedDraft, actor: Actor): Promise<Refund> {
  if (order.refundableMinor === 0n || draft.amountMinor === 0n) throw RefundErrors.nothingToRefund()
  if (draft.amountMinor > order.refundableMinor) throw exceeds(order, order.refundableMinor)
  return openRefund(
    tx,
    order,
    { ...draft, paymentId: null, gatewayAmountMinor: 0n, voucherAmountMinor: 0n },
    actor,
  )
}

async function loadForRefund(tx: StoreTx, order: Order): Promise<OrderForRefund> {
  const lines = await OrderItem.in(tx).where('order_id', order.id).orderBy('position')
  const refunds = await Refund.in(tx).where({ order_id: order.id, status: 'succeeded' })
  const shippingRefundedMinor = sum(refunds.map(({ shippingAmountMinor }) => shippingAmountMinor))
  return { order, lines, shippingRefundedMinor }
}
