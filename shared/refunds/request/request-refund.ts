import type { OrderActor } from '#shared/orders/actor.ts'
import { lockOrder } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { formatMinor } from '#shared/platform/money.ts'
import { missing } from '#shared/platform/validation.ts'
import {
  calculateRefund,
  calculateRemainder,
  exceedsPaid,
  type RefundBreakdown,
  type RefundParts,
} from '../calculate/calculate-refund.ts'
import { assertWithinLimit } from '../calculate/refund-limit.ts'
import { type RefundMeans, splitBySource } from '../calculate/refund-source.ts'
import { type ExactRefund, roundForGateway, withoutRounding } from '../calculate/round-for-gateway.ts'
import { RefundErrors } from '../errors.ts'
import type { Refund } from '../refund.ts'
import { findRefundSource } from '../refundable/find-refund-source.ts'
import { type LockedRefundableOrder, loadRefundableOrder } from '../refundable/load-refundable-order.ts'
import { findStoreRefundInProgress } from '../refunds-in-progress.ts'
import { createRefund } from './create-refund.ts'

export type RefundRequest = RefundParts & {
  restock?: boolean | undefined
  reason?: string | null | undefined
  /** Refund spent vouchers and replaced units too. It needs a reason. */
  override?: boolean | undefined
  /** The means that pay the buyer. Default: the payment gateway. Other means settle the refund at once. */
  means?: RefundMeans | undefined
  /** Of a return: its units were shipped, so they do not change what is still to be shipped. */
  isReturn?: boolean | undefined
}

/**
 * Starts a refund. Throws 404 `resource.not_found`, 409 `order.nothing_to_refund` and `refund.in_progress`, 422
 * `refund.exceeds_paid`, `refund.quantity_exceeded`, `refund.voucher_spent` and `refund.units_replaced`, and
 * `validation.failed` without the reason that an override or a payment outside the gateway needs, and for an amount
 * that the gateway cannot pay.
 */
export async function requestRefund(
  tx: StoreTx,
  orderId: string,
  {
    restock = false,
    reason = null,
    override = false,
    means = 'gateway',
    isReturn = false,
    ...parts
  }: RefundRequest,
  actor: OrderActor,
): Promise<Refund> {
  if (!reason && (override || means === 'outside_gateway')) throw missing(['reason'])
  // Lock first: of two concurrent refunds, the second must see what the first one leaves.
  const order = await lockOrder(tx, orderId)
  if (await findStoreRefundInProgress(tx, orderId)) throw RefundErrors.inProgress()
  const refundable = await loadRefundableOrder(tx, order)
  const draft = { ...calculateRefund(refundable, parts, { override }), isFixed: 'amountMinor' in parts }
  return startRefund(tx, refundable, { ...draft, restock, reason, override, means, isReturn }, actor)
}

/**
 * Starts a refund of everything that is left; the order becomes `refunded` when it succeeds. While that refund is in
 * progress it is returned again. Null when everything is refunded. Throws like `requestRefund`.
 */
export async function refundRemainder(
  tx: StoreTx,
  orderId: string,
  actor: OrderActor,
  reason: string | null = null,
): Promise<Refund | null> {
  const order = await lockOrder(tx, orderId)
  if (order.status === 'refunded' && order.refundableMinor === 0n) return null
  const inProgress = await findStoreRefundInProgress(tx, orderId)
  if (inProgress?.amountMinor === order.refundableMinor) return inProgress
  if (inProgress) throw RefundErrors.inProgress()
  const refundable = await loadRefundableOrder(tx, order)
  const remainder = { ...calculateRemainder(refundable), isFixed: true, reason }
  const options = { restock: false, override: false, means: 'gateway', isReturn: false } as const
  return startRefund(tx, refundable, { ...remainder, ...options }, actor)
}

interface RefundDecision extends RefundBreakdown, ExactRefund {
  restock: boolean
  reason: string | null
  override: boolean
  means: RefundMeans
  isReturn: boolean
}

async function startRefund(
  tx: StoreTx,
  refundable: LockedRefundableOrder,
  { override, means, isFixed, ...draft }: RefundDecision,
  actor: OrderActor,
): Promise<Refund> {
  const { order } = refundable
  if (order.refundableMinor === 0n) throw RefundErrors.nothingToRefund()
  if (draft.amountMinor === 0n)
    throw RefundErrors.nothingToRefund({ left: formatMinor(order.refundableMinor, order.currency) })
  const source = await findRefundSource(tx, refundable, means)
  const rounded = roundForGateway(order, source, { ...draft, isFixed })
  const { amountMinor } = rounded
  const aboveMinor = amountMinor - source.refundableMinor
  // It would pay again what the gateway is paying back.
  if (aboveMinor > 0n && aboveMinor <= refundable.inProgressMinor) throw RefundErrors.inProgress()
  if (aboveMinor > 0n) throw exceedsPaid(refundable, source.refundableMinor)
  if (!override) assertWithinLimit(refundable, isFixed ? amountMinor : withoutRounding(amountMinor, order))
  const parts = splitBySource(source, amountMinor, order.currency)
  return createRefund(tx, order, { ...draft, ...rounded, ...parts }, actor)
}
