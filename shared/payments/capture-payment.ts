import { CouponErrors } from '#shared/coupons/errors.ts'
import { StockErrors } from '#shared/orders/errors.ts'
import { orderPaid, orderUpdated } from '#shared/orders/events.ts'
import type { Order } from '#shared/orders/order.ts'
import { recordPayment } from '#shared/orders/record-payment.ts'
import { releaseResources, reserveResources } from '#shared/orders/resources.ts'
import { transitionOrder } from '#shared/orders/transition-order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CodedError } from '#shared/platform/errors.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { canTransition } from '#shared/platform/states.ts'
import { now } from '#shared/platform/time/clock.ts'
import { activateBoughtVouchers } from '#shared/vouchers/activate-bought-vouchers.ts'
import { captureVoucher } from '#shared/vouchers/end-reservation.ts'
import { cancelPayments } from './cancel-payments.ts'
import { returnPayment } from './jobs.ts'
import { lockPayment, Payment } from './payment.ts'
import { PAYMENT_TRANSITIONS } from './states.ts'

export interface Capture {
  reference: string
  amountMinor: bigint
  currency: string
}

/**
 * Records money that a gateway captured, once. The order becomes processing, its stock is allocated and its part of a
 * voucher is captured. Money for an order that is already paid or canceled, or that cannot get its stock, voucher or
 * coupon any more, is recorded and refunded (decisions, sections 6 and 7).
 */
export async function capturePayment(tx: StoreTx, paymentId: string, capture: Capture): Promise<void> {
  const locked = await lockPayment(tx, paymentId)
  if (!locked || !canTransition(PAYMENT_TRANSITIONS, locked.payment.status, 'captured')) return
  const { payment, order } = locked
  assertExpected(payment, capture)
  const at = now()
  const { reference } = capture
  await Payment.in(tx)
    .findById(paymentId)
    .patch({ status: 'captured', gatewayReference: reference, capturedAt: at, updatedAt: at })
  await cancelPayments(tx, order.id)

  const awaitsPayment = order.status === 'pending' || order.status === 'failed'
  if (!awaitsPayment) return recordAndReturn(tx, order, payment)
  const obstacle = await reserveForPaidOrder(tx, order)
  await (obstacle ? cancelAndReturn(tx, order, payment, obstacle) : completeOrder(tx, order, payment))
}

function assertExpected({ id, amountMinor, currency, gatewayReference }: Payment, capture: Capture): void {
  const isOwn = gatewayReference === null || gatewayReference === capture.reference
  if (!isOwn || capture.amountMinor !== amountMinor || capture.currency !== currency)
    throw new Error(
      `The gateway captured ${capture.amountMinor} ${capture.currency} as ${capture.reference} for the payment ${id} of ${amountMinor} ${currency}`,
    )
}

const capturedWith = (order: Order, amountMinor: bigint) => ({
  amountCapturedMinor: order.amountCapturedMinor + amountMinor,
})

/** Allocates what the order needs. Returns why it cannot be had, null when the order has everything. */
async function reserveForPaidOrder(tx: StoreTx, order: Order): Promise<string | null> {
  try {
    await reserveResources(tx, order, 'processing')
    return null
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    if (error.code === StockErrors.insufficient.kind.code) return 'the stock was sold to others'
    if (error.code === CouponErrors.usageExceeded.kind.code) return 'the coupon was used up'
    return 'the voucher was spent elsewhere'
  }
}

async function completeOrder(tx: StoreTx, order: Order, payment: Payment): Promise<void> {
  const voucherMinor = await captureVoucher(tx, order)
  await transitionOrder(tx, order, {
    to: 'processing',
    actor: 'gateway',
    set: { ...capturedWith(order, payment.amountMinor + voucherMinor), paidAt: now() },
    events: [orderPaid],
  })
  await activateBoughtVouchers(tx, order.id)
}

async function cancelAndReturn(tx: StoreTx, order: Order, payment: Payment, obstacle: string): Promise<void> {
  // Some of voucher, stock and coupon may have been reserved before the one that failed.
  await releaseResources(tx, order)
  await transitionOrder(tx, order, {
    to: 'canceled',
    actor: 'system',
    note: `The payment came after ${obstacle}; it is sent back.`,
    set: capturedWith(order, payment.amountMinor),
  })
  await enqueue(tx, returnPayment, { paymentId: payment.id })
}

async function recordAndReturn(tx: StoreTx, order: Order, payment: Payment): Promise<void> {
  await recordPayment(tx, order, capturedWith(order, payment.amountMinor), [orderUpdated])
  await enqueue(tx, returnPayment, { paymentId: payment.id })
}
