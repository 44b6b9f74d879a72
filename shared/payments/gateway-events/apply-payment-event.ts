import { isUuid } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { countDecline } from '../open/card-testing.ts'
import { recordOpenedPayment } from '../open/record-opened-payment.ts'
import { findPaymentByReference, lockPayment, Payment } from '../payment.ts'
import type { StatusAtGateway } from './settle-payment.ts'

/** What an event of a gateway reports of a payment. */
export interface PaymentEvent {
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
 * Applies an event of a payment by `settle`, and counts a decline. An event of another system's payment changes
 * nothing.
 */
export async function applyPaymentEvent(tx: StoreTx, event: PaymentEvent, settle: Settle): Promise<void> {
  const payment = await findPaymentOf(tx, event)
  if (!payment) return
  const { id, gatewayReference, sentAt } = payment
  const isItsReference = gatewayReference === null || gatewayReference === event.reference
  // The event of a declined charge can arrive before its response.
  if (sentAt && !gatewayReference) await recordReference(tx, id, event)
  // Another intent can name the payment, whose own intent is still open: only captured money counts.
  if (isItsReference || event.outcome.status === 'captured') await settle(tx, id, event.outcome)
  if (event.isDecline) await countDeclineOf(tx, event)
}

const findPaymentOf = async (
  tx: StoreTx,
  { provider, reference, namedPayment }: PaymentEvent,
): Promise<Payment | undefined> =>
  (await findPaymentByReference(tx, provider, reference)) ??
  (namedPayment && isUuid(namedPayment) ? Payment.in(tx).findById(namedPayment) : undefined)

async function recordReference(
  tx: StoreTx,
  paymentId: string,
  { reference, clientSecret }: PaymentEvent,
): Promise<void> {
  if (!clientSecret) throw new Error(`The event of the payment ${reference} has no client secret`)
  await lockPayment(tx, paymentId)
  await recordOpenedPayment(tx, paymentId, { reference, clientSecret })
}

async function countDeclineOf(tx: StoreTx, { provider, reference }: PaymentEvent): Promise<void> {
  const payment = await findPaymentByReference(tx, provider, reference)
  // A saved card is charged without a buyer, who could try another one.
  if (payment && payment.cardUse !== 'saved') await countDecline(tx, payment)
}
