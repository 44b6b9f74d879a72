import { countDecline } from '#shared/payments/open/card-testing.ts'
import { recordOpenedPayment } from '#shared/payments/open/record-opened-payment.ts'
import { findPaymentByReference, lockPayment, Payment } from '#shared/payments/payment.ts'
import type { StatusAtGateway } from '#shared/payments/status-at-gateway.ts'
import { isUuid } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { settlePayment } from './settle-payment.ts'

/** The contents of a gateway's notification of a payment. */
export interface PaymentNotification {
  provider: string
  reference: string
  /**
   * The id of the payment, from the metadata. The metadata may have been changed at the gateway. Other systems set
   * none.
   */
  metadataPaymentId: string | null
  clientSecret: string | null
  outcome: StatusAtGateway
  isDecline: boolean
}

/**
 * Settles the payment of a notification, and counts a decline. A notification of another system's payment changes
 * nothing.
 */
export async function applyPaymentNotification(
  tx: StoreTx,
  notification: PaymentNotification,
): Promise<void> {
  const payment = await findPaymentOf(tx, notification)
  if (!payment) return
  const { id, gatewayReference, sentAt } = payment
  const isItsReference = gatewayReference === null || gatewayReference === notification.reference
  // The notification of a declined charge can arrive before its response.
  if (sentAt && !gatewayReference) await recordReference(tx, id, notification)
  // Another intent may name a payment whose own intent is still open. Of another intent only captured money counts.
  if (isItsReference || notification.outcome.status === 'captured')
    await settlePayment(tx, id, notification.outcome)
  if (notification.isDecline) await countDeclineOf(tx, notification)
}

const findPaymentOf = async (
  tx: StoreTx,
  { provider, reference, metadataPaymentId }: PaymentNotification,
): Promise<Payment | undefined> =>
  (await findPaymentByReference(tx, provider, reference)) ??
  (metadataPaymentId && isUuid(metadataPaymentId) ? Payment.in(tx).findById(metadataPaymentId) : undefined)

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
  // Do not count a saved card: it is charged without a buyer who could try other cards.
  if (payment && payment.cardUse !== 'saved') await countDecline(tx, payment)
}
