import { takeCouponAgain } from '../coupons/move-use.ts'
import { emitOrderEvents, orderPaid, orderUpdated } from '../orders/events.ts'
import { moveOrder } from '../orders/move-order.ts'
import { Order } from '../orders/order.ts'
import { STOCK_OF_STATUS } from '../orders/states.ts'
import { moveStock } from '../orders/stock/move-stock.ts'
import { now } from '../platform/clock.ts'
import { enqueue } from '../platform/enqueue.ts'
import { changedAt } from '../platform/entity-tag.ts'
import { CodedError } from '../platform/errors.ts'
import { mayBecome } from '../platform/states.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { activateBought } from '../vouchers/activate-bought.ts'
import { captureVoucher } from '../vouchers/capture-voucher.ts'
import { releaseVoucher } from '../vouchers/release-voucher.ts'
import { reserveAgain } from '../vouchers/reserve-voucher.ts'
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
  if (!locked || !mayBecome(PAYMENT_TRANSITIONS, locked.payment.status, 'captured')) return
  const { payment, order } = locked
  assertExpected(payment, captured)
  const at = now()
  const { reference } = captured
  await Payment.in(tx)
    .findById(paymentId)
    .patch({ status: 'captured', gatewayReference: reference, capturedAt: at, updatedAt: at })
  await giveUpPayments(tx, order.id)

  const awaits = order.status === 'pending' || order.status === 'failed'
  if (!awaits) await keepForReturn(tx, order, payment)
  else if (!(await isHad(reserveAgain(tx, order))))
    await cancel(tx, order, payment, 'the voucher was spent elsewhere')
  else if (!(await allocate(tx, order))) await cancel(tx, order, payment, 'the stock was sold to others')
  else if (!(await isHad(takeCouponAgain(tx, order.id))))
    await cancel(tx, order, payment, 'the coupon was used up')
  else await payOrder(tx, order, payment)
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

/** Whether what an order needs could be had; false when it is gone. */
async function isHad(taking: Promise<void>): Promise<boolean> {
  try {
    await taking
    return true
  } catch (error) {
    if (error instanceof CodedError) return false
    throw error
  }
}

/** Takes the order's stock for good, that of an ended hold anew. False when it is gone. */
async function allocate(tx: StoreTx, { id }: Order): Promise<boolean> {
  const short = await moveStock(tx, { orderId: id, ...STOCK_OF_STATUS.processing })
  return short.length === 0
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
  await releaseVoucher(tx, order)
  await moveStock(tx, { orderId: order.id, ...STOCK_OF_STATUS.canceled })
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
    .patch({ ...withAmount(order, payment.amountMinor), updatedAt: changedAt(order) })
  await emitOrderEvents(tx, order.id, [orderUpdated])
  await enqueue(tx, returnPayment, { paymentId: payment.id })
}
