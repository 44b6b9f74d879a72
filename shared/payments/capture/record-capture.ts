import type { LockedOrder, Order } from '#shared/orders/order.ts'
import { SERVED_STATUSES } from '#shared/orders/states.ts'
import { cancelPayments } from '#shared/payments/close/cancel-payments.ts'
import { readEarlierRefunds, saveCard } from '#shared/payments/jobs.ts'
import { lockPayment, Payment } from '#shared/payments/payment.ts'
import { registerReference } from '#shared/payments/payment-references.ts'
import { PAYMENT_TRANSITIONS } from '#shared/payments/states.ts'
import { recordSurplus, type SurplusReason } from '#shared/payments/surplus.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { smaller } from '#shared/platform/money.ts'
import { notifySettled } from '#shared/platform/notify/signals.ts'
import { canTransition } from '#shared/platform/states.ts'
import { now } from '#shared/platform/time/clock.ts'
import { completePayment } from './complete-payment.ts'
import { recordMismatch } from './mismatch.ts'
import { cancelUnservable, reserveForPaidOrder } from './serve-paid-order.ts'

/** Money that a gateway captured, in minor units. `reference` is the gateway's id of the payment. */
export interface Capture {
  reference: string
  amountMinor: bigint
  currency: string
}

/**
 * Records money that a gateway captured, once. The order becomes processing, its stock is allocated and its part of a
 * voucher is captured. The money is a surplus if the order is already paid or canceled, or can no longer get its stock,
 * voucher or coupon. A payment with another amount or currency than was requested becomes `mismatched`, and staff
 * decide. Does not book earlier refunds: call `settlePayment`.
 */
export async function recordCapture(tx: StoreTx, paymentId: string, capture: Capture): Promise<void> {
  const locked = await lockPayment(tx, paymentId)
  if (!locked) return
  const { order } = locked
  const isSame = [null, capture.reference].includes(locked.payment.gatewayReference)
  const payment = isSame ? locked.payment : await findOrInsertOther(tx, locked.payment, capture)
  if (!canTransition(PAYMENT_TRANSITIONS, payment.status, 'captured') || payment.status === 'mismatched')
    return

  const isExpected = capture.amountMinor === payment.amountMinor && capture.currency === payment.currency
  const captured = await saveCapture(tx, payment, capture, isExpected ? 'captured' : 'mismatched')
  await cancelPayments(tx, order.id)
  await (isExpected ? applyCapture(tx, order, captured) : recordMismatch(tx, order, captured))
}

/**
 * Returns the row of a second payment that the gateway captured under the same id, with another reference. Inserts the
 * row first if there is none.
 */
async function findOrInsertOther(tx: StoreTx, first: Payment, { reference }: Capture): Promise<Payment> {
  const { orderId, provider, amountMinor, currency, cardUse } = first
  const found = await Payment.in(tx).findOne({ provider, gateway_reference: reference })
  if (found) return found
  const at = now()
  return Payment.in(tx).insert({
    orderId,
    provider,
    status: 'requires_action',
    amountMinor,
    currency,
    gatewayReference: reference,
    cardUse: cardUse === 'save' ? cardUse : null,
    createdAt: at,
    updatedAt: at,
  })
}

async function saveCapture(
  tx: StoreTx,
  payment: Payment,
  { reference, amountMinor, currency }: Capture,
  status: 'captured' | 'mismatched',
): Promise<Payment> {
  const at = now()
  const changes = {
    status,
    capturedMinor: amountMinor,
    capturedCurrency: currency,
    gatewayReference: reference,
    capturedAt: at,
    clientSecret: null,
    payerNetwork: null,
    closedAtGateway: at,
    updatedAt: at,
  }
  await Payment.in(tx).findById(payment.id).patch(changes)
  // Earlier notifications of its refunds and disputes found no store.
  const { id: paymentId, provider } = payment
  if (await registerReference(tx, provider, reference, { paymentId }))
    await enqueue(tx, readEarlierRefunds, { paymentId })
  if (payment.cardUse === 'save') await enqueue(tx, saveCard, { paymentId })
  await notifySettled(tx, paymentId)
  return payment.with(changes)
}

/**
 * Pays an order with the money of a captured payment. The caller has locked both. The order needs at most the requested
 * amount. The rest is a surplus. Does not book earlier refunds: call `settlePayment` or `resolveMismatch`.
 */
export async function applyCapture(tx: StoreTx, order: LockedOrder, payment: Payment): Promise<void> {
  const capturedMinor = payment.capturedMinor ?? payment.amountMinor
  const isServedUnpaid = SERVED_STATUSES.has(order.status) && order.totalMinor > 0n
  if (!(order.awaitsPayment || isServedUnpaid) || order.amountCapturedMinor > 0n)
    return recordSurplus(tx, order, payment, { amountMinor: capturedMinor, reason: surplusReasonOf(order) })
  const obstacle = order.awaitsPayment ? await reserveForPaidOrder(tx, order) : null
  if (obstacle) return cancelAndReturn(tx, order, payment, obstacle)
  const neededMinor = smaller(capturedMinor, payment.amountMinor)
  await completePayment(tx, order, { paidMinor: neededMinor, actor: 'gateway' })
  const amountMinor = capturedMinor - neededMinor
  if (amountMinor > 0n) await recordSurplus(tx, order, payment, { amountMinor, reason: 'overpaid' })
}

const surplusReasonOf = ({ status }: Order): SurplusReason =>
  status === 'canceled' ? 'order_canceled' : 'paid_twice'

async function cancelAndReturn(
  tx: StoreTx,
  order: LockedOrder,
  payment: Payment,
  obstacle: string,
): Promise<void> {
  await cancelUnservable(tx, order, `The payment was captured after ${obstacle}; it is refunded.`)
  const amountMinor = payment.capturedMinor ?? payment.amountMinor
  await recordSurplus(tx, order, payment, { amountMinor, reason: 'order_not_servable' })
}
