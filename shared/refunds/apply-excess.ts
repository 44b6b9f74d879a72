import { emitOrderEvents, orderUpdated } from '#shared/orders/events.ts'
import type { Order } from '#shared/orders/order.ts'
import { recordRefund } from '#shared/orders/record-refund.ts'
import { recordReturned, Surplus } from '#shared/payments/surplus.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { smaller } from '#shared/platform/money.ts'
import { markRefunded } from './mark-refunded.ts'
import { Refund } from './refund.ts'

/**
 * Books what earlier refunds exceeded, now that an order, which the caller has locked, or a surplus of it has something
 * left: staff decided about a mismatched payment that the gateway had refunded before, or the bank returned another
 * refund. Without excess or anything left it changes nothing.
 */
export async function applyExcess(tx: StoreTx, order: Order): Promise<void> {
  const exceeding = await Refund.in(tx)
    .where({ order_id: order.id, status: 'succeeded' })
    .whereNull('surplus_id')
    .where('excess_minor', '>', 0)
    .orderBy('id')
  for (const refund of exceeding)
    await ((await applyToSurplus(tx, refund)) || applyToOrder(tx, order, refund))
  if (exceeding.length) await emitOrderEvents(tx, order.id, [orderUpdated])
}

/** A refund of which nothing was booked on the order returns a surplus of its payment. False without one. */
async function applyToSurplus(tx: StoreTx, refund: Refund): Promise<boolean> {
  if (!refund.paymentId || refund.excessMinor < refund.amountMinor) return false
  const surplus = await Surplus.in(tx).findOne({ payment_id: refund.paymentId, status: 'owed' })
  if (!surplus) return false
  const returnedMinor = smaller(refund.excessMinor, surplus.owedMinor)
  await Refund.in(tx)
    .findById(refund.id)
    .patch({ surplusId: surplus.id, excessMinor: refund.excessMinor - returnedMinor })
  await recordReturned(tx, surplus.id, returnedMinor)
  return true
}

async function applyToOrder(tx: StoreTx, order: Order, refund: Refund): Promise<void> {
  const amountMinor = smaller(refund.excessMinor, order.refundableMinor)
  if (amountMinor === 0n) return
  await Refund.in(tx)
    .findById(refund.id)
    .patch({ excessMinor: refund.excessMinor - amountMinor })
  // Its units were counted when it succeeded.
  await recordRefund(tx, order, { amountMinor, units: [] })
  await markRefunded(tx, order, refund)
}
