import type { LockedOrder } from '#shared/orders/order.ts'
import { recordCapture } from '#shared/payments/capture/record-capture.ts'
import { cancelPayments } from '#shared/payments/close/cancel-payments.ts'
import { lockPayment, type Payment } from '#shared/payments/payment.ts'
import type { Capture } from '#shared/payments/status-at-gateway.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { bookExcess } from '#shared/refunds/booking/book-excess.ts'
import { noteMismatch } from './mismatch-notes.ts'
import { payWithCapture } from './pay-with-capture.ts'
import { returnUndecidedPayments } from './return-undecided-payments.ts'

/**
 * Records money that a gateway captured, and pays the order with it, once. The order becomes processing, its stock is
 * allocated and its part of a voucher is captured. The money is a surplus if the order is already paid or canceled, or
 * can no longer get its stock, voucher or coupon. If the payment is mismatched, staff decide instead. Afterwards, in
 * every case, earlier refunds of the order's other payments are booked on the captured money, and a canceled order pays
 * back its mismatched payments.
 */
export async function applyCapture(tx: StoreTx, paymentId: string, capture: Capture): Promise<void> {
  const locked = await lockPayment(tx, paymentId)
  if (!locked) return
  const payment = await recordCapture(tx, locked.payment, capture)
  const order = payment ? await useCapture(tx, locked.order, payment) : locked.order
  await bookExcess(tx, order)
  await returnUndecidedPayments(tx, order)
}

async function useCapture(tx: StoreTx, order: LockedOrder, payment: Payment): Promise<LockedOrder> {
  await cancelPayments(tx, order.id)
  if (payment.status === 'captured') return payWithCapture(tx, order, payment)
  await noteMismatch(tx, order, payment)
  return order
}
