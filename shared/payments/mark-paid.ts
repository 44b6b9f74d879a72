import type { Actor } from '#shared/orders/actor.ts'
import { OrderErrors } from '#shared/orders/errors.ts'
import { emitOrderEvents, orderPaid, orderUpdated } from '#shared/orders/events.ts'
import { takeAgain } from '#shared/orders/holdings.ts'
import { lockOrder } from '#shared/orders/lock-order.ts'
import { moveOrder } from '#shared/orders/move-order.ts'
import { Order } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { nextUpdatedAt } from '#shared/platform/http/entity-tag.ts'
import { now } from '#shared/platform/time/clock.ts'
import { activateBought } from '#shared/vouchers/activate-bought.ts'
import { captureVoucher } from '#shared/vouchers/capture-voucher.ts'
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
      .patch({ ...set, updatedAt: nextUpdatedAt(order) })
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
