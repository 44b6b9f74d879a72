import { Order } from '#shared/orders/order.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import type { Gateway } from '#test/sandbox/gateway/gateway.ts'
import { countDiscrepancies } from './count-discrepancies.ts'

/** A subscription that was charged over and over. */
export interface Charged {
  storeId: string
  subscriptionId: string
  /** The numbers of the charges that were due. */
  requested: number[]
  /** The captured payments at the gateway when its cancellation was answered; null: it was not canceled. */
  chargedAtCancel: string[] | null
}

export interface ChargeAudit {
  subscriptions: number
  charges: number
  canceled: number
  /** Charges for which the gateway captured more than one payment. */
  doubled: number
  /**
   * Charges that were due and that the gateway never captured. The last one of a canceled subscription may be canceled.
   */
  forgotten: number
  /** Payments that were captured after an answered cancellation. */
  afterCancel: number
  /** Orders whose captured amount is not the gateway's. */
  wrongTotals: number
  /** Differences between the books of a store. */
  discrepancies: number
}

/** Compares each charge with the gateway's ledger. */
export async function auditCharges(gateway: Gateway, subscriptions: Charged[]): Promise<ChargeAudit> {
  const audit: ChargeAudit = {
    subscriptions: subscriptions.length,
    charges: 0,
    canceled: 0,
    doubled: 0,
    forgotten: 0,
    afterCancel: 0,
    wrongTotals: 0,
    discrepancies: await countDiscrepancies(subscriptions.map(({ storeId }) => storeId)),
  }
  for (const subscription of subscriptions) await auditSubscription(audit, gateway, subscription)
  return audit
}

async function auditSubscription(audit: ChargeAudit, gateway: Gateway, one: Charged): Promise<void> {
  const orders = await ordersOf(one)
  const { requested, chargedAtCancel } = one
  audit.charges += requested.length
  for (const number of requested) {
    const order = orders.find(({ chargeNo }) => chargeNo === number)
    const captured = order ? capturedFor(gateway, [order.id]) : []
    if (captured.length > 1) audit.doubled += 1
    const isCanceled = chargedAtCancel !== null && number === requested.at(-1)
    if (captured.length === 0 && !isCanceled) audit.forgotten += 1
    const units = captured.reduce((sum, { amount_received }) => sum + amount_received, 0)
    if (order && order.amountCapturedMinor !== BigInt(units)) audit.wrongTotals += 1
  }
  if (!chargedAtCancel) return
  audit.canceled += 1
  const last = await capturedOf(gateway, one)
  audit.afterCancel += last.filter((id) => !chargedAtCancel.includes(id)).length
}

const ordersOf = ({ storeId, subscriptionId }: Charged): Promise<Order[]> =>
  inStore(storeId, (tx) => Order.in(tx).where('subscription_id', subscriptionId))

const capturedFor = (gateway: Gateway, orderIds: unknown[]) =>
  gateway
    .ledger()
    .payment_intents.filter(
      ({ metadata, status }) => status === 'succeeded' && orderIds.includes(metadata.order_id),
    )

/** The ids of a subscription's payments that the gateway has captured. */
export async function capturedOf(gateway: Gateway, one: Charged): Promise<string[]> {
  const ids = (await ordersOf(one)).map(({ id }) => id)
  return capturedFor(gateway, ids).map(({ id }) => id)
}
