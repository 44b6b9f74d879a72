import { Dispute } from '#shared/disputes/dispute.ts'
import type { GatewayDispute } from '#shared/disputes/record-dispute.ts'
import type { StatusAtGateway } from '#shared/payments/notifications/settle-payment.ts'
import { Payment } from '#shared/payments/payment.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { GatewayRefund } from '#shared/refunds/gateway/book-gateway-refund.ts'
import { Refund } from '#shared/refunds/refund.ts'
import { hasSameStatus } from './compare-payment.ts'
import type { Window } from './gateway-books.ts'

// Finds the references of payments that may differ from the gateway's lists. Each is then compared by itself, so one
// that is named in vain costs three requests and no false alarm.

/** A payment as a list of the gateway has it. */
export interface ListedPayment {
  reference: string
  status: StatusAtGateway
  /** The store in its metadata; null for one that is not of this service. */
  storeId: string | null
}

/** Of listed payments those that differ here, or that are captured and unknown. */
export async function findUnequalPayments(tx: StoreTx, listed: readonly ListedPayment[]): Promise<string[]> {
  const known = byReference(await Payment.in(tx).whereIn('gateway_reference', referencesOf(listed)))
  return listed
    .filter(({ reference, status }) => {
      const payment = known.get(reference)
      return payment ? !hasSameStatus(payment, status) : status.status === 'captured'
    })
    .map(({ reference }) => reference)
}

/** The payments of listed refunds that differ here. */
export async function findUnequalRefunds(tx: StoreTx, listed: readonly GatewayRefund[]): Promise<string[]> {
  const known = byReference(await Refund.in(tx).whereIn('gateway_reference', referencesOf(listed)))
  return listed
    .filter(({ reference, status, amountMinor }) => {
      const refund = known.get(reference)
      return refund?.status !== status || refund.gatewayAmountMinor !== amountMinor
    })
    .map(({ paymentReference }) => paymentReference)
}

/** The payments of listed disputes that differ here. */
export async function findUnequalDisputes(tx: StoreTx, listed: readonly GatewayDispute[]): Promise<string[]> {
  const known = byReference(await Dispute.in(tx).whereIn('gateway_reference', referencesOf(listed)))
  return listed
    .filter(({ reference, status, amountMinor }) => {
      const dispute = known.get(reference)
      return dispute?.status !== status || dispute.amountMinor !== amountMinor
    })
    .map(({ paymentReference }) => paymentReference)
}

/** The references in the gateway's lists. */
export interface Listed {
  payments: ReadonlySet<string>
  refunds: ReadonlySet<string>
}

/** The payments of a window that are captured here, or refunded at the gateway, and that the lists do not name. */
export async function findUnlisted(tx: StoreTx, { from, to }: Window, listed: Listed): Promise<string[]> {
  const captured = await Payment.in(tx)
    .whereNotNull('gateway_reference')
    .where('status', 'captured')
    .where('created_at', '>=', from)
    .where('created_at', '<', to)
    .select('gateway_reference')
  const refunded = await Refund.in(tx)
    .whereNotNull('refunds.gateway_reference')
    .where('refunds.created_at', '>=', from)
    .where('refunds.created_at', '<', to)
    .join('payments as p', (on) => on.on('p.store_id', 'refunds.store_id').on('p.id', 'refunds.payment_id'))
    .select('refunds.gateway_reference', 'p.gateway_reference as payment_reference')
  return [
    ...captured
      .flatMap(({ gatewayReference }) => gatewayReference ?? [])
      .filter((one) => !listed.payments.has(one)),
    ...(refunded as unknown as { gatewayReference: string; paymentReference: string }[])
      .filter(({ gatewayReference }) => !listed.refunds.has(gatewayReference))
      .map(({ paymentReference }) => paymentReference),
  ]
}

const byReference = <R extends { gatewayReference: string | null }>(
  rows: readonly R[],
): Map<string | null, R> => new Map(rows.map((row) => [row.gatewayReference, row]))

const referencesOf = (listed: readonly { reference: string | null }[]): string[] =>
  listed.flatMap(({ reference }) => reference ?? [])
