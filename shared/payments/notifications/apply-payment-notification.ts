import { countDecline } from '#shared/payments/open/card-testing.ts'
import { recordOpenedPayment } from '#shared/payments/open/record-opened-payment.ts'
import { findPaymentByReference, lockPayment, Payment } from '#shared/payments/payment.ts'
import { isUuid } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { StatusAtGateway } from './settle-payment.ts'

/** The contents of a gateway's notification of a payment. */
export interface PaymentNotification {
  provider: string
  reference: string
  /** The payment that the metadata names. Metadata can be changed at the gateway; another system sets none. */
  namedPayment: string | null
  clientSecret: string | null
  outcome: StatusAtGateway
  isDecline: boolean
}

type Settle = (tx: StoreTx, paymentId: string, outcome: StatusAtGateway) => Promise<void>

/**
 * Applies a notification of a payment by `settle`, and counts a decline. A notification of another system's payment
 * changes nothing.
 */
export async function applyPaymentNotification(
  tx: StoreTx,
  notification: PaymentNotification,
  settle: Settle,
): Promise<void> {
  const payment = await findPaymentOf(tx, notification)
  if (!payment) return
  const { id, gatewayReference, sentAt } = payment
  const isItsReference = gatewayReference === null || gatewayReference === notification.reference
  // The notification of a declined charge can arrive before its response.
  if (sentAt && !gatewayReference) await recordReference(tx, id, notification)
  // Another intent can name the payment, whose own intent is still open: only captured money counts.
  if (isItsReference || notification.outcome.status === 'captured') await settle(tx, id, notification.outcome)
  if (notification.isDecline) await countDeclineOf(tx, notification)
}

const findPaymentOf = async (
  tx: StoreTx,
  { provider, reference, namedPayment }: PaymentNotification,
): Promise<Payment | undefined> =>
  (await findPaymentByReference(tx, provider, reference)) ??
  (namedPayment && isUuid(namedPayment) ? Payment.in(tx).findById(namedPayment) : undefined)

async function recordReference(
  tx: StoreTx,
  paymentId: string,
  { reference, clientSecret }: PaymentNotification,
): Promise<void> {
  if (!clientSecret) throw new Error(`The notification of the payment ${reference} has no client secret`)
  await lockPayment(tx, paymentId)
  await recordOpenedPayment(tx, paymentId, { reference, clientSecret })
}

async function countDeclineOf(tx: StoreTx, { provider, reference }: PaymentNotification): Promise<void> {
  const payment = await findPaymentByReference(tx, provider, reference)
  // A saved card is charged without a buyer, who could try another one.
  if (payment && payment.cardUse !== 'saved') await countDecline(tx, payment)
}
