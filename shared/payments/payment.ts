import type { OrderActor } from '#shared/orders/actor.ts'
import { type LockedOrder, lockOrder } from '#shared/orders/order.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { OPEN_PAYMENT_STATUSES, type PaymentStatus } from './states.ts'

/** `save`: the card of the payment is saved for later charges. `saved`: a saved card is charged without the buyer. */
export type CardUse = 'save' | 'saved'

/**
 * One attempt to pay an order. Its id is its idempotency key at the gateway. The README defines each kind of amount.
 */
export class Payment extends StoreModel {
  static override tableName = 'payments'

  declare orderId: string
  /** `stripe`; `offline` for money outside a gateway; `sandbox` for play money. */
  declare provider: string
  declare status: PaymentStatus
  declare amountMinor: bigint
  declare currency: string
  /**
   * The captured amount; null before the capture. It differs from the requested amount if the payment is or was
   * mismatched.
   */
  declare capturedMinor: bigint | null
  declare capturedCurrency: string | null
  /** The gateway's id of the payment, e.g. `pi_…`. */
  declare gatewayReference: string | null
  /** Null if no card is saved or charged. */
  declare cardUse: CardUse | null
  /** The gateway's id of the saved card, e.g. `pm_…`. With the use `save`, null until the card is known. */
  declare cardReference: string | null
  /** The time at which a charge of a saved card was last sent. Its outcome is unknown until it has a reference. */
  declare sentAt: Date | null
  /** The time at which the gateway could no longer capture it, because it had captured or canceled it. */
  declare closedAtGateway: Date | null
  /** The time at which the gateway's status was last read. */
  declare readAt: Date | null
  /** The buyer's browser confirms the payment with it. */
  declare clientSecret: string | null
  /** The buyer's network, kept while the gateway can capture the payment (see payer-network.ts). */
  declare payerNetwork: string | null
  declare failureReason: string | null
  /** The recorder of a payment outside a gateway; null for any other payment. */
  declare recordedBy: OrderActor | null
  declare expiresAt: Date | null
  declare capturedAt: Date | null
  declare createdAt: Date
  declare updatedAt: Date

  /** Whether no gateway captured it, so that only staff can return its money. */
  get isOffline(): boolean {
    return Boolean(this.recordedBy)
  }
}

/** Returns a payment by its id. */
export const findPayment = (tx: StoreTx, id: string): PromiseLike<Payment | undefined> =>
  Payment.in(tx).findById(id)

/** Returns the payment with this reference at the gateway. */
export const findPaymentByReference = (
  tx: StoreTx,
  provider: string,
  reference: string,
): PromiseLike<Payment | undefined> => Payment.in(tx).findOne({ provider, gateway_reference: reference })

/** Returns all payments of an order, oldest first. */
export const listPayments = (tx: StoreTx, orderId: string): PromiseLike<Payment[]> =>
  Payment.in(tx).where('order_id', orderId).orderBy('id')

/** Returns a payment of the order that the buyer may still be making. */
export const findOpenPayment = (tx: StoreTx, orderId: string): PromiseLike<Payment | undefined> =>
  Payment.in(tx).where('order_id', orderId).whereIn('status', OPEN_PAYMENT_STATUSES).first()

/** Returns a mismatched payment of the order, if there is one. Staff must decide about it. */
export const findMismatchedPayment = (tx: StoreTx, orderId: string): PromiseLike<Payment | undefined> =>
  Payment.in(tx).findOne({ order_id: orderId, status: 'mismatched' })

/** Returns the ids of the orders with a mismatched payment. Staff must decide about these. */
export const findOrderIdsToDecide = async (tx: StoreTx): Promise<string[]> =>
  (await Payment.in(tx).where('status', 'mismatched').select('order_id')).map(({ orderId }) => orderId)

/** Selects the payments that the gateway may still capture, or may have captured without our knowledge. */
export const paymentsOpenAtGateway = (tx: StoreTx) =>
  Payment.in(tx)
    .where((sent) => sent.whereNotNull('gateway_reference').orWhereNotNull('sent_at'))
    .whereNull('closed_at_gateway')

/** Returns the payments of an order that are open at the gateway, oldest first. */
export const findPaymentsOpenAtGateway = (tx: StoreTx, orderId: string): PromiseLike<Payment[]> =>
  paymentsOpenAtGateway(tx).where('order_id', orderId).orderBy('id')

/** Returns what the gateway captured, in minor units. Only a captured or mismatched payment has it. */
export function capturedOf({ id, capturedMinor, capturedCurrency }: Payment) {
  if (capturedMinor === null || capturedCurrency === null)
    throw new Error(`The payment ${id} is not captured`)
  return { amountMinor: capturedMinor, currency: capturedCurrency }
}

/** Locks a payment and its order. Undefined if the store does not have this payment. */
export async function lockPayment(
  tx: StoreTx,
  paymentId: string,
): Promise<{ payment: Payment; order: LockedOrder } | undefined> {
  const found = await Payment.in(tx).findById(paymentId).select('order_id')
  if (!found) return undefined
  // Lock the order first, as every transaction does. This lock guards its money and stock.
  const order = await lockOrder(tx, found.orderId)
  const payment = await Payment.in(tx).findById(paymentId).forNoKeyUpdate().throwIfNotFound()
  return { payment, order }
}
