import type { OrderActor } from '#shared/orders/actor.ts'
import { lockOrder } from '#shared/orders/order.ts'
import { addHistoryNote } from '#shared/orders/order-history.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { formatMinor } from '#shared/platform/money.ts'
import { missing } from '#shared/platform/validation.ts'
import {
  calculateRefund,
  calculateRemainder,
  exceedsPaid,
  type RefundBreakdown,
  type RefundParts,
} from '#shared/refunds/calculate/calculate-refund.ts'
import { assertWithinLimit } from '#shared/refunds/calculate/refund-limit.ts'
import { type RefundMeans, splitBySource } from '#shared/refunds/calculate/refund-source.ts'
import {
  type ExactRefund,
  lowestExactPriceMinor,
  roundForGateway,
} from '#shared/refunds/calculate/round-for-gateway.ts'
import { RefundErrors } from '#shared/refunds/errors.ts'
import type { Refund } from '#shared/refunds/refund.ts'
import { findRefundSource } from '#shared/refunds/refundable/find-refund-source.ts'
import {
  type LockedRefundableOrder,
  lockRefundableOrder,
} from '#shared/refunds/refundable/lock-refundable-order.ts'
import { findStoreRefundInProgress } from '#shared/refunds/refunds-in-progress.ts'
import { createRefund } from './create-refund.ts'

export type RefundRequest = RefundParts & {
  restock?: boolean | undefined
  reason?: string | null | undefined
  /** Refund spent vouchers and replaced units too. An override needs a reason. */
  override?: boolean | undefined
  /** How the buyer is paid. Default: by the payment gateway. Other means settle the refund immediately. */
  means?: RefundMeans | undefined
  /** Whether it refunds a return. Its units were shipped, so the units left to ship stay. */
  isReturn?: boolean | undefined
}

/** A function of disputes. Refunds may not import disputes, so the caller passes it in. */
export interface DisputePort {
  /** Throws `order.disputed` while a dispute of an order, or of one of its payments, is open. */
  assertNoOpenDispute(tx: StoreTx, orderId: string, paymentId?: string): Promise<void>
}

/**
 * Starts a refund. Throws 404 `resource.not_found`, 409 `order.nothing_to_refund`, `refund.in_progress` and
 * `order.disputed`, 422 `refund.exceeds_paid`, `refund.quantity_exceeded`, `refund.voucher_spent` and
 * `refund.units_replaced`, and `validation.failed` for an amount that the gateway cannot pay, or if the reason is
 * missing: an override and a payment outside the gateway need one.
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
  { actor, disputes }: { actor: OrderActor; disputes: DisputePort },
): Promise<Refund> {
  if (!reason && (override || means === 'outside_gateway')) throw missing(['reason'])
  // Lock first: the second of two concurrent refunds must see what the first one leaves.
  const order = await lockOrder(tx, orderId)
  // If the dispute is lost, the buyer gets the money twice. The gateway itself refuses to refund a disputed payment.
  if (means === 'outside_gateway' && !override) await disputes.assertNoOpenDispute(tx, orderId)
  if (await findStoreRefundInProgress(tx, orderId)) throw RefundErrors.inProgress()
  const refundable = await lockRefundableOrder(tx, order)
  const draft = { ...calculateRefund(refundable, parts, { override }), isFixed: 'amountMinor' in parts }
  return startRefund(tx, refundable, { ...draft, restock, reason, override, means, isReturn }, actor)
}

/**
 * Starts a refund of everything that is left. The order becomes `refunded` when it succeeds. A repeat during the refund
 * returns the same refund. Null if everything is refunded. `note` is for staff: the history of the order has it, and
 * the refund has no reason, which buyers read. Throws like `requestRefund`.
 */
export async function refundRemainder(
  tx: StoreTx,
  orderId: string,
  actor: OrderActor,
  note: string | null = null,
): Promise<Refund | null> {
  const order = await lockOrder(tx, orderId)
  if (order.status === 'refunded' && order.refundableMinor === 0n) return null
  const inProgress = await findStoreRefundInProgress(tx, orderId)
  if (inProgress?.amountMinor === order.refundableMinor) return inProgress
  if (inProgress) throw RefundErrors.inProgress()
  const refundable = await lockRefundableOrder(tx, order)
  const remainder = { ...calculateRemainder(refundable), isFixed: true, reason: null }
  const options = { restock: false, override: false, means: 'gateway', isReturn: false } as const
  if (note) await addHistoryNote(tx, order, note, actor)
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
  // The refund would pay again what the gateway is already paying back.
  if (aboveMinor > 0n && aboveMinor <= refundable.inProgressMinor) throw RefundErrors.inProgress()
  if (aboveMinor > 0n) throw exceedsPaid(refundable, source.refundableMinor)
  if (!override)
    assertWithinLimit(refundable, isFixed ? amountMinor : lowestExactPriceMinor(amountMinor, order))
  const parts = splitBySource(source, amountMinor, order.currency)
  const creditMinor = means === 'credit' ? amountMinor : 0n
  return createRefund(tx, order, { ...draft, ...rounded, ...parts, creditMinor }, actor)
}
