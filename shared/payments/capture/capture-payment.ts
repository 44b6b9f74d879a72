import type { LockedOrder, Order } from '#shared/orders/order.ts'
import { SERVED_STATUSES } from '#shared/orders/states.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { smaller } from '#shared/platform/money.ts'
import { notifySettled } from '#shared/platform/notify/signals.ts'
import { canTransition } from '#shared/platform/states.ts'
import { now } from '#shared/platform/time/clock.ts'
import { cancelPayments } from '../close/cancel-payments.ts'
import { readEarlierRefunds, saveCard } from '../jobs.ts'
import { lockPayment, Payment } from '../payment.ts'
import { registerReference } from '../payment-references.ts'
import { PAYMENT_TRANSITIONS } from '../states.ts'
import { recordSurplus, type SurplusReason } from '../surplus.ts'
import { completePayment } from './complete-payment.ts'
import { recordMismatch } from './mismatch.ts'
import { cancelUnservable, reserveForPaidOrder } from './serve-paid-order.ts'

/** Money that a gateway captured. `reference` is its id of the payment; minor units. */
export interface Capture {
  reference: string
  amountMinor: bigint
  currency: string
}

/**
 * Records money that a gateway captured, once. The order becomes processing, its stock is allocated and its part of a
 * voucher is captured. Money for an order that is already paid or canceled, or that cannot get its stock, voucher or
 * coupon any more, is a surplus. Another amount or currency than was requested makes the payment `mismatched`: staff
 * decide.
 */
export async function capturePayment(tx: StoreTx, paymentId: string, capture: Capture): Promise<void> {
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

/** The gateway captured a second payment under the id of one that has another reference: it gets a row of its own. */
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
  // Notifications of its refunds and disputes found no store so far.
  const { id: paymentId, provider } = payment
  if (await registerReference(tx, provider, reference, { paymentId }))
    await enqueue(tx, readEarlierRefunds, { paymentId })
  if (payment.cardUse === 'save') await enqueue(tx, saveCard, { paymentId })
  await notifySettled(tx, paymentId)
  return payment.with(changes)
}

/**
 * Uses the money of a captured payment for its order, both locked by the caller: the order needs at most the requested
 * amount, and the rest is a surplus.
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
