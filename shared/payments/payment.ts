import type { OrderActor } from '#shared/orders/actor.ts'
import { type LockedOrder, lockOrder } from '#shared/orders/order.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { OPEN_STATUSES, type PaymentStatus } from './states.ts'

/** `save`: the card of the payment is saved for later charges. `saved`: a saved card is charged without the buyer. */
export type CardUse = 'save' | 'saved'

/** One attempt to pay an order. Its id is its idempotency key at the gateway. The README defines the words of money. */
export class Payment extends StoreModel {
  static override tableName = 'payments'

  declare orderId: string
  /** `stripe`; `offline` for money outside a gateway; `sandbox` for play money. */
  declare provider: string
  declare status: PaymentStatus
  declare amountMinor: bigint
  declare currency: string
  /**
   * The money that was captured; null before. It differs from what was requested when the payment is or was mismatched.
   */
  declare capturedMinor: bigint | null
  declare capturedCurrency: string | null
  /** The gateway's id of the payment, e.g. `pi_…`. */
  declare gatewayReference: string | null
  /** Null: no card is saved. */
  declare cardUse: CardUse | null
  /** The gateway's id of the saved card, e.g. `pm_…`. Null for `save` until the card is known. */
  declare cardReference: string | null
  /** The last time a charge of a saved card was sent. From then on its outcome is unknown until it has a reference. */
  declare sentAt: Date | null
  /** The time at which the gateway could no longer capture it, because it had captured or canceled it. */
  declare closedAtGateway: Date | null
  /** The time at which the gateway's status was last read. */
  declare readAt: Date | null
  /** The buyer's browser confirms the payment with it. */
  declare clientSecret: string | null
  /** The network that it was opened from, while the gateway can capture it: see card-testing.ts. */
  declare payerNetwork: string | null
  declare failureReason: string | null
  /** Who recorded a payment outside a gateway; null for others. */
  declare recordedBy: OrderActor | null
  declare expiresAt: Date | null
  declare capturedAt: Date | null
  declare createdAt: Date
  declare updatedAt: Date
}

/** A payment by its id. */
export const findPayment = (tx: StoreTx, id: string): PromiseLike<Payment | undefined> =>
  Payment.in(tx).findById(id)

/** The payment that a gateway knows by this reference. */
export const findPaymentByReference = (
  tx: StoreTx,
  provider: string,
  reference: string,
): PromiseLike<Payment | undefined> => Payment.in(tx).findOne({ provider, gateway_reference: reference })

/** All payments of an order, oldest first. */
export const listPayments = (tx: StoreTx, orderId: string): PromiseLike<Payment[]> =>
  Payment.in(tx).where('order_id', orderId).orderBy('id')

/** A payment of the order that the buyer may still be making. */
export const findOpenPayment = (tx: StoreTx, orderId: string): PromiseLike<Payment | undefined> =>
  Payment.in(tx).where('order_id', orderId).whereIn('status', OPEN_STATUSES).first()

/** A payment of the order about which staff have to decide. */
export const findMismatchedPayment = (tx: StoreTx, orderId: string): PromiseLike<Payment | undefined> =>
  Payment.in(tx).findOne({ order_id: orderId, status: 'mismatched' })

/** The orders with a payment about which staff have to decide. */
export const findOrdersToDecide = async (tx: StoreTx): Promise<string[]> =>
  (await Payment.in(tx).where('status', 'mismatched').select('order_id')).map(({ orderId }) => orderId)

/** The payments of an order that the gateway may still capture, or may have captured without a result here. */
export const findPaymentsOpenAtGateway = (tx: StoreTx, orderId: string): PromiseLike<Payment[]> =>
  Payment.in(tx)
    .where('order_id', orderId)
    .where((sent) => sent.whereNotNull('gateway_reference').orWhereNotNull('sent_at'))
    .whereNull('closed_at_gateway')
    .orderBy('id')

/** Locks a payment and its order. Undefined when the store has no such payment. */
export async function lockPayment(
  tx: StoreTx,
  paymentId: string,
): Promise<{ payment: Payment; order: LockedOrder } | undefined> {
  const found = await Payment.in(tx).findById(paymentId).select('order_id')
  if (!found) return undefined
  // The order first, as in every transaction: this lock guards its money and its stock.
  const order = await lockOrder(tx, found.orderId)
  const payment = await Payment.in(tx).findById(paymentId).forNoKeyUpdate().throwIfNotFound()
  return { payment, order }
}
