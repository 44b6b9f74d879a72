import { Order } from '#shared/orders/order.ts'
import { Payment } from '#shared/payments/payment.ts'
import { listSurpluses } from '#shared/payments/surplus.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { sum } from '#shared/platform/money.ts'
import { Refund } from '#shared/refunds/refund.ts'
import type { Ledger } from '#test/sandbox/gateway/gateway.ts'
import { fromRefundedUnits, fromStripeUnits } from '#workers/gateways/stripe/stripe-units.ts'

interface Money {
  here: bigint
  there: bigint
}

/**
 * What the store has of the buyer's money for an order: by the ledger of the gateway, and by the books of the order,
 * whose payments are all in its currency. Null when they are the same. Minor units.
 */
export async function differenceOfMoney(
  tx: StoreTx,
  orderId: string,
  { charges, refunds, disputes }: Ledger,
): Promise<Money | null> {
  const order = await Order.in(tx).findById(orderId).throwIfNotFound()
  const payments = await Payment.in(tx).where({ order_id: orderId, status: 'captured' })
  const booked = await Refund.in(tx).where({ order_id: orderId, status: 'succeeded' })
  const surpluses = await listSurpluses(tx, orderId)

  const references = payments.map(({ gatewayReference }) => gatewayReference)
  const isOwn = (one: { payment_intent: string | null }) => references.includes(one.payment_intent)
  const unitsOf = (rows: { amount: number }[]) => rows.reduce((units, { amount }) => units + amount, 0)
  const captured = charges.filter((charge) => isOwn(charge) && charge.captured)
  const outside = payments.filter(({ gatewayReference }) => !gatewayReference)
  // The refunds of a payment are rounded together, a dispute alone.
  const refunded = references.map((reference) =>
    unitsOf(refunds.filter((one) => one.payment_intent === reference && one.status === 'succeeded')),
  )
  const lost = disputes.filter((one) => isOwn(one) && one.status === 'lost').map(({ amount }) => amount)
  const back = [...refunded, ...lost].map((units) => fromRefundedUnits(units, order.currency).amountMinor)
  const there =
    fromStripeUnits(unitsOf(captured), order.currency) +
    sum(outside.map(({ capturedMinor }) => capturedMinor ?? 0n)) -
    sum(back)

  const here =
    order.amountCapturedMinor -
    order.amountRefundedMinor +
    sum(surpluses.map(({ owedMinor }) => owedMinor)) -
    sum(booked.map(({ excessMinor }) => excessMinor))
  return here === there ? null : { here, there }
}
