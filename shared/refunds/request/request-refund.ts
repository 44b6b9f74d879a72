import type { OrderActor } from '#shared/orders/actor.ts'
import { lockOrder } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { missing } from '#shared/platform/validation.ts'
import { calculateRefund } from '#shared/refunds/calculate/calculate-refund.ts'
import type { RefundRequest } from '#shared/refunds/calculate/refund-request.ts'
import { RefundErrors } from '#shared/refunds/errors.ts'
import { Refund } from '#shared/refunds/refund.ts'
import { loadRefundableOrder } from '#shared/refunds/refundable/load-refundable-order.ts'
import { findStoreRefundInProgress } from '#shared/refunds/refunds-in-progress.ts'
import { startRefund } from './start-refund.ts'

/** A function of disputes. Refunds may not import disputes, so the caller passes it in. */
export interface DisputesPort {
  /** Throws `order.disputed` while a dispute of an order, or of one of its payments, is open. */
  assertNoOpenDispute(tx: StoreTx, orderId: string, paymentId?: string): Promise<void>
}

/**
 * Requests a refund: calculates, checks and inserts it, and enqueues its sending. A refund without a gateway payment is
 * settled immediately. An override and a payment outside the gateway need a reason.
 * Throws `resource.not_found`, `order.nothing_to_refund`, `order.disputed`, `refund.in_progress`,
 * `refund.exceeds_paid`, `refund.quantity_exceeded`, `refund.voucher_spent`, `refund.units_replaced`,
 * `refund.limit_reached`, and `validation.failed` for an amount that the gateway cannot pay or a missing reason.
 */
export async function requestRefund(
  tx: StoreTx,
  orderId: string,
  request: RefundRequest,
  { actor, disputes }: { actor: OrderActor; disputes: DisputesPort },
): Promise<Refund> {
  const { reason, override = false, means = 'gateway' } = request
  if (!reason && (override || means === 'outside_gateway')) throw missing(['reason'])
  // Lock first: the second of two concurrent refunds must see what the first one leaves.
  const order = await lockOrder(tx, orderId)
  // If the store then loses the dispute, the buyer gets the money twice.
  if (means === 'outside_gateway' && !override) await disputes.assertNoOpenDispute(tx, orderId)
  if (await findStoreRefundInProgress(tx, orderId)) throw RefundErrors.inProgress()
  await assertRefundsLeft(tx, orderId)
  const refundable = await loadRefundableOrder(tx, order)
  return startRefund(tx, refundable, calculateRefund(refundable, request), { ...request, actor })
}

// Each refund of an order reads its earlier ones. With ten thousand, it would block other requests for 100 ms.
const MAX_REFUNDS = 500

/** Throws `refund.limit_reached`. The order is locked. A refund of all that is left has no limit. */
async function assertRefundsLeft(tx: StoreTx, orderId: string): Promise<void> {
  const refunds = await Refund.in(tx).where('order_id', orderId).resultSize()
  if (refunds >= MAX_REFUNDS) throw RefundErrors.limitReached({ limit: MAX_REFUNDS })
}
