import { importGatewayHistory, saveCard } from '#shared/payments/jobs.ts'
import { Payment } from '#shared/payments/payment.ts'
import { registerReference } from '#shared/payments/payment-references.ts'
import type { Capture } from '#shared/payments/status-at-gateway.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { notifySettled } from '#shared/platform/notify/signals.ts'
import { now } from '#shared/platform/time/clock.ts'

/**
 * Records money that a gateway captured on its payment, once. The payment becomes `captured`, or `mismatched` if the
 * amount or currency differs from the requested one. The caller has locked the payment. Returns the changed payment, or
 * undefined if the capture was recorded before.
 */
export async function recordCapture(
  tx: StoreTx,
  ours: Payment,
  capture: Capture,
): Promise<Payment | undefined> {
  const isSame = [null, capture.reference].includes(ours.gatewayReference)
  const payment = isSame ? ours : await findOrInsertSecond(tx, ours, capture)
  const isRecorded = payment.status === 'captured' || payment.status === 'mismatched'
  if (isRecorded) return undefined

  const isExpected = capture.amountMinor === payment.amountMinor && capture.currency === payment.currency
  return saveCapture(tx, payment, capture, isExpected ? 'captured' : 'mismatched')
}

/**
 * Returns the row of a second payment that the gateway captured under the same id, with another reference. Inserts the
 * row first if there is none.
 */
async function findOrInsertSecond(tx: StoreTx, first: Payment, { reference }: Capture): Promise<Payment> {
  const { orderId, provider, amountMinor, currency, cardUse } = first
  const found = await Payment.in(tx).findOne({ provider, gateway_reference: reference })
  if (found) return found
  const at = now()
  return Payment.in(tx).insert({
    orderId,
    provider,
    status: 'requires_action',
    amountMinor,
    currency,
    gatewayReference: reference,
    cardUse: cardUse === 'save' ? cardUse : null,
    createdAt: at,
    updatedAt: at,
  })
}

async function saveCapture(
  tx: StoreTx,
  payment: Payment,
  { reference, amountMinor, currency }: Capture,
  status: 'captured' | 'mismatched',
): Promise<Payment> {
  const at = now()
  const changes = {
    status,
    capturedMinor: amountMinor,
    capturedCurrency: currency,
    gatewayReference: reference,
    capturedAt: at,
    clientSecret: null,
    payerNetwork: null,
    closedAtGateway: at,
    updatedAt: at,
  }
  await Payment.in(tx).findById(payment.id).patch(changes)
  // Earlier notifications of its refunds and disputes found no store.
  const { id: paymentId, provider } = payment
  if (await registerReference(tx, provider, reference, { paymentId }))
    await enqueue(tx, importGatewayHistory, { paymentId })
  if (payment.cardUse === 'save') await enqueue(tx, saveCard, { paymentId })
  await notifySettled(tx, paymentId)
  return payment.with(changes)
}
