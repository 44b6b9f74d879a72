import type Stripe from 'stripe'
import { CardSetup } from '#shared/payments/card-setups/card-setup.ts'
import { recordDecline } from '#shared/payments/card-setups/record-setup.ts'
import {
  claimNotification,
  findUnhandledNotification,
  type NotificationType,
} from '#shared/payments/gateway-events/notification.ts'
import { settleNotification as job, settleCardSetup } from '#shared/payments/jobs.ts'
import { countDecline } from '#shared/payments/open/card-testing.ts'
import { recordOpenedPayment } from '#shared/payments/open/record-opened-payment.ts'
import { lockPayment, Payment } from '#shared/payments/payment.ts'
import { isUuid } from '#shared/platform/db/id.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { applyPaymentStatus } from '#shared/refunds/excess/apply-payment-status.ts'
import { bookGatewayRefund } from '#shared/refunds/gateway/book-gateway-refund.ts'
import { settleDispute } from '#workers/disputes/settle-dispute.ts'
import { toGatewayRefund, toOpened, toStatus } from '#workers/gateways/stripe-objects.ts'
import { handle } from '#workers/platform/handle.ts'
import { readAtGateway } from './settle-with-gateway.ts'

/**
 * Applies a notification once, in the transaction that marks it as handled. A dispute is read at the gateway and recorded
 * before that: its event may be older than the last one, and its status does not show it. A repeat changes nothing.
 */
export const settleNotification = handle(job, async ({ storeId, provider, notificationId }) => {
  const { uncaptured, disputeReference } = await inStore(storeId, (tx) =>
    findObjectsToRead(tx, provider, notificationId),
  )
  if (uncaptured) await readAtGateway(uncaptured)
  if (disputeReference) await settleDispute(storeId, disputeReference)
  await inStore(storeId, async (tx) => {
    const claimed = await claimNotification(tx, provider, notificationId)
    if (claimed && !isOfDispute(claimed.type)) await APPLY[claimed.type](tx, claimed.payload as never)
  })
})

/** The objects that are read at the gateway before a notification is applied. */
interface ObjectsToRead {
  /** The payment of a refund or dispute whose capture is not known here yet: its event is late or lost. */
  uncaptured?: Payment | undefined
  disputeReference?: string | undefined
}

async function findObjectsToRead(
  tx: StoreTx,
  provider: string,
  notificationId: string,
): Promise<ObjectsToRead> {
  const notification = await findUnhandledNotification(tx, provider, notificationId)
  if (!notification) return {}
  const { id, payment_intent: reference } = notification.payload as { id: string; payment_intent?: string }
  const disputeReference = isOfDispute(notification.type) ? id : undefined
  if (!reference) return { disputeReference }
  const uncaptured = await Payment.in(tx)
    .findOne({ provider, gateway_reference: reference })
    .whereNull('closed_at_gateway')
  return { uncaptured, disputeReference }
}

type DisputeEvent = Extract<NotificationType, `charge.dispute.${string}`>

const isOfDispute = (type: NotificationType): type is DisputeEvent => type.startsWith('charge.dispute.')

const APPLY: Record<
  Exclude<NotificationType, DisputeEvent>,
  (tx: StoreTx, payload: never) => Promise<void>
> = {
  'payment_intent.succeeded': applyPaymentEvent,
  'payment_intent.payment_failed': applyDecline,
  'payment_intent.canceled': applyPaymentEvent,
  'setup_intent.succeeded': applySetupEvent,
  'setup_intent.setup_failed': applySetupDecline,
  'setup_intent.canceled': applySetupEvent,
  'refund.created': bookRefundEvent,
  'refund.updated': bookRefundEvent,
  'refund.failed': bookRefundEvent,
}

async function applyPaymentEvent(tx: StoreTx, intent: Stripe.PaymentIntent) {
  const known = await Payment.in(tx).findOne({ provider: 'stripe', gateway_reference: intent.id })
  // Metadata can be changed at the gateway. Without any, another system has opened it.
  const payment = known ?? (await findNamedPayment(tx, intent))
  if (!payment) return
  const found = toStatus(intent)
  // Of another intent that names the payment, only captured money counts: the payment's own intent is still open.
  const isOwn = [null, intent.id].includes(payment.gatewayReference)
  // The event of a declined charge can arrive before its response.
  if (isOwn && payment.sentAt && !payment.gatewayReference) await recordFirst(tx, payment, intent)
  if (isOwn || found.status === 'captured') await applyPaymentStatus(tx, payment.id, found)
}

async function applyDecline(tx: StoreTx, intent: Stripe.PaymentIntent) {
  await applyPaymentEvent(tx, intent)
  const payment = await Payment.in(tx).findOne({ provider: 'stripe', gateway_reference: intent.id })
  // A saved card is charged without a buyer, who could try another one.
  if (payment && payment.cardUse !== 'saved') await countDecline(tx, payment)
}

async function recordFirst(tx: StoreTx, { id }: Payment, intent: Stripe.PaymentIntent): Promise<void> {
  await lockPayment(tx, id)
  await recordOpenedPayment(tx, id, toOpened(intent))
}

async function findNamedPayment(tx: StoreTx, { metadata }: Stripe.PaymentIntent) {
  const { payment_id: id } = metadata
  return id && isUuid(id) ? Payment.in(tx).findById(id) : undefined
}

/** The setup is read by a job of its own, because its card is read, too. */
async function applySetupEvent(tx: StoreTx, { id, last_setup_error: error }: Stripe.SetupIntent) {
  const setup = await CardSetup.in(tx).findOne({ provider: 'stripe', gateway_reference: id })
  if (!setup) return
  const reason = error?.decline_code ?? error?.code
  if (reason) await recordDecline(tx, setup.id, reason)
  await enqueue(tx, settleCardSetup, { setupId: setup.id })
}

async function applySetupDecline(tx: StoreTx, intent: Stripe.SetupIntent) {
  await applySetupEvent(tx, intent)
  const setup = await CardSetup.in(tx).findOne({ provider: 'stripe', gateway_reference: intent.id })
  if (setup) await countDecline(tx, setup)
}

async function bookRefundEvent(tx: StoreTx, refund: Stripe.Refund) {
  const found = toGatewayRefund(refund)
  if (found) await bookGatewayRefund(tx, found)
}
