import { CouponErrors } from '#shared/coupons/errors.ts'
import { StockErrors } from '#shared/orders/errors.ts'
import { emitOrderEvents, orderPaid, orderUpdated } from '#shared/orders/events.ts'
import { letGo, takeAgain } from '#shared/orders/holdings.ts'
import { moveOrder } from '#shared/orders/move-order.ts'
import { Order } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CodedError } from '#shared/platform/errors.ts'
import { nextUpdatedAt } from '#shared/platform/http/entity-tag.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { canTransition } from '#shared/platform/states.ts'
import { now } from '#shared/platform/time/clock.ts'
import { activateBought } from '#shared/vouchers/activate-bought.ts'
import { captureVoucher } from '#shared/vouchers/capture-voucher.ts'
import { giveUpPayments } from './give-up-payments.ts'
import { returnPayment } from './jobs.ts'
import { lockPayment } from './lock-payment.ts'
import { Payment } from './payment.ts'
import { PAYMENT_TRANSITIONS } from './states.ts'

export interface Captured {
  reference: string
  amountMinor: bigint
  currency: string
}

/**
 * Takes note of money that came, once. Its order becomes processing, its stock is allocated and its part of a voucher
 * captured. Money for an order that is paid already or given up, or whose stock, voucher or coupon is gone, is kept
 * account of and sent back by itself (decisions, sections 6 and 7).
 */
export async function capturePayment(tx: StoreTx, paymentId: string, captured: Captured): Promise<void> {
  const locked = await lockPayment(tx, paymentId)
  if (!locked || !canTransition(PAYMENT_TRANSITIONS, locked.payment.status, 'captured')) return
  const { payment, order } = locked
  assertExpected(payment, captured)
  const at = now()
  const { reference } = captured
  await Payment.in(tx)
    .findById(paymentId)
    .patch({ status: 'captured', gatewayReference: reference, capturedAt: at, updatedAt: at })
  await giveUpPayments(tx, order.id)

  const awaits = order.status === 'pending' || order.status === 'failed'
  if (!awaits) return keepForReturn(tx, order, payment)
  const gone = await takeWhatIsLeft(tx, order)
  await (gone ? cancel(tx, order, payment, gone) : payOrder(tx, order, payment))
}

function assertExpected({ id, amountMinor, currency, gatewayReference }: Payment, captured: Captured): void {
  const isOwn = gatewayReference === null || gatewayReference === captured.reference
  if (!isOwn || captured.amountMinor !== amountMinor || captured.currency !== currency)
    throw new Error(
      `The gateway captured ${captured.amountMinor} ${captured.currency} as ${captured.reference} for the payment ${id} of ${amountMinor} ${currency}`,
    )
}

const withAmount = (order: Order, amountMinor: bigint) => ({
  amountCapturedMinor: order.amountCapturedMinor + amountMinor,
})

/** Takes for good what the order needs, and anew what it let go of. Returns what is gone, if anything is. */
async function takeWhatIsLeft(tx: StoreTx, order: Order): Promise<string | null> {
  try {
    await takeAgain(tx, order, 'processing')
    return null
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    if (error.code === StockErrors.insufficient.kind.code) return 'the stock was sold to others'
    if (error.code === CouponErrors.usageExceeded.kind.code) return 'the coupon was used up'
    return 'the voucher was spent elsewhere'
  }
}

async function payOrder(tx: StoreTx, order: Order, payment: Payment): Promise<void> {
  const voucherMinor = await captureVoucher(tx, order)
  await moveOrder(tx, order, {
    to: 'processing',
    actor: 'gateway',
    set: { ...withAmount(order, payment.amountMinor + voucherMinor), paidAt: now() },
    events: [orderPaid],
  })
  await activateBought(tx, order.id)
}

/** What is there of voucher, stock and coupon is let go of again; the money goes back. */
async function cancel(tx: StoreTx, order: Order, payment: Payment, what: string): Promise<void> {
  await letGo(tx, order)
  await moveOrder(tx, order, {
    to: 'canceled',
    actor: 'system',
    note: `The payment came after ${what}; it is sent back.`,
    set: withAmount(order, payment.amountMinor),
  })
  await enqueue(tx, returnPayment, { paymentId: payment.id })
}

async function keepForReturn(tx: StoreTx, order: Order, payment: Payment): Promise<void> {
  await Order.in(tx)
    .findById(order.id)
    .patch({ ...withAmount(order, payment.amountMinor), updatedAt: nextUpdatedAt(order) })
  await emitOrderEvents(tx, order.id, [orderUpdated])
  await enqueue(tx, returnPayment, { paymentId: payment.id })
}
