import type { Actor } from '../orders/actor.ts'
import { OrderErrors } from '../orders/errors.ts'
import { emitOrderEvents, orderPaid, orderUpdated } from '../orders/events.ts'
import { takeAgain } from '../orders/holdings.ts'
import { lockOrder } from '../orders/lock-order.ts'
import { moveOrder } from '../orders/move-order.ts'
import { Order } from '../orders/order.ts'
import { now } from '../platform/clock.ts'
import { changedAt } from '../platform/entity-tag.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { activateBought } from '../vouchers/activate-bought.ts'
import { captureVoucher } from '../vouchers/capture-voucher.ts'
import { giveUpPayments } from './give-up-payments.ts'
import { Payment } from './payment.ts'

const UNPAYABLE = ['canceled', 'refunded']

/**
 * Takes a person's word that an order was paid outside the gateway, such as by bank transfer or to the courier; the
 * sandbox's play money comes the same way. One that waited for it becomes processing, and its part of a voucher is
 * captured. Returns the payment. Throws `order.not_payable` for one that is paid or over, and what `takeAgain` throws.
 */
export async function markPaid(
  tx: StoreTx,
  orderId: string,
  actor: Actor,
  { note = null, provider = 'offline' }: { note?: string | null; provider?: string } = {},
): Promise<Payment> {
  const order = await lockOrder(tx, orderId)
  const isPaid = order.amountCapturedMinor > 0n || order.totalMinor === 0n
  if (isPaid || UNPAYABLE.includes(order.status))
    throw OrderErrors.notPayable({ status: isPaid ? 'paid' : order.status, method: order.paymentMethod })

  await giveUpPayments(tx, orderId)
  const waits = order.status === 'pending' || order.status === 'failed'
  if (waits) await takeAgain(tx, order, 'processing')
  await captureVoucher(tx, order)
  const payment = await insertPayment(tx, order, provider)
  const set = { amountCapturedMinor: order.totalMinor, paidAt: now() }
  if (waits) {
    await moveOrder(tx, order, { to: 'processing', actor, note, set, events: [orderPaid] })
  } else {
    await Order.in(tx)
      .findById(orderId)
      .patch({ ...set, updatedAt: changedAt(order) })
    await emitOrderEvents(tx, orderId, [orderPaid, orderUpdated])
  }
  await activateBought(tx, orderId)
  return payment
}

async function insertPayment(
  tx: StoreTx,
  { id, dueMinor, currency }: Order,
  provider: string,
): Promise<Payment> {
  const at = now()
  return Payment.in(tx).insert({
    orderId: id,
    provider,
    status: 'captured',
    amountMinor: dueMinor,
    currency,
    capturedAt: at,
    createdAt: at,
    updatedAt: at,
  })
}
