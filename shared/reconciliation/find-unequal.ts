import { Dispute } from '#shared/disputes/dispute.ts'
import type { GatewayDispute } from '#shared/disputes/record-dispute.ts'
import { Payment } from '#shared/payments/payment.ts'
import type { StatusAtGateway } from '#shared/payments/status-at-gateway.ts'
import type { QueryBuilderType } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { GatewayRefund } from '#shared/refunds/gateway/book-gateway-refund.ts'
import { Refund } from '#shared/refunds/refund.ts'
import { hasSameStatus } from './compare-payment.ts'
import type { Window } from './read-gateway-books.ts'

// These functions find the references of payments that may differ from the gateway's lists. Each is then compared
// separately, so a wrong suspicion costs three requests but no false alarm.

/** A payment in a list of the gateway. */
export interface ListedPayment {
  reference: string
  status: StatusAtGateway
  /** The store in its metadata; null if the payment is not from this service. */
  storeId: string | null
}

/** Returns the listed payments that differ here, or that are captured but unknown. */
export async function findUnequalPayments(tx: StoreTx, listed: readonly ListedPayment[]): Promise<string[]> {
  const known = byReference(await Payment.in(tx).whereIn('gateway_reference', referencesOf(listed)))
  return listed
    .filter(({ reference, status }) => {
      const payment = known.get(reference)
      return payment ? !hasSameStatus(payment, status) : status.status === 'captured'
    })
    .map(({ reference }) => reference)
}

/** Returns the payments of listed refunds that differ here. */
export async function findUnequalRefunds(tx: StoreTx, listed: readonly GatewayRefund[]): Promise<string[]> {
  const known = byReference(await Refund.in(tx).whereIn('gateway_reference', referencesOf(listed)))
  return listed
    .filter(({ reference, status, amountMinor }) => {
      const refund = known.get(reference)
      return refund?.status !== status || refund.gatewayAmountMinor !== amountMinor
    })
    .map(({ paymentReference }) => paymentReference)
}

/** Returns the payments of listed disputes that differ here. */
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

// A page of rows is far below the limit of one statement, however many payments a store has.
const PAGE_SIZE = 10_000

/**
 * Returns the payments of a window that are missing in the lists, although they are captured here or refunded at the
 * gateway.
 */
export async function findUnlisted(
  tx: StoreTx,
  window: Window,
  listed: Listed,
  pageSize = PAGE_SIZE,
): Promise<string[]> {
  const captured = Payment.in(tx)
    .whereNotNull('gateway_reference')
    .where('status', 'captured')
    .select('id', 'gateway_reference as reference', 'gateway_reference as payment_reference')
  const refunded = Refund.in(tx)
    .whereNotNull('refunds.gateway_reference')
    .join('payments as p', (on) => on.on('p.store_id', 'refunds.store_id').on('p.id', 'refunds.payment_id'))
    .select(
      'refunds.id',
      'refunds.gateway_reference as reference',
      'p.gateway_reference as payment_reference',
    )
  return [
    ...(await findMissing(captured, 'payments', { window, listed: listed.payments, pageSize })),
    ...(await findMissing(refunded, 'refunds', { window, listed: listed.refunds, pageSize })),
  ]
}

interface Referenced {
  id: string
  reference: string
  paymentReference: string
}

/** Reads the rows of a window page by page, and returns the payments of those that are not listed. */
async function findMissing(
  query: QueryBuilderType<Payment> | QueryBuilderType<Refund>,
  table: string,
  { window, listed, pageSize }: { window: Window; listed: ReadonlySet<string>; pageSize: number },
): Promise<string[]> {
  const missing: string[] = []
  for (let after: string | undefined; ; ) {
    const page = query
      .clone()
      .where(`${table}.created_at`, '>=', window.from)
      .where(`${table}.created_at`, '<', window.to)
      .orderBy(`${table}.id`)
      .limit(pageSize)
    if (after) page.where(`${table}.id`, '>', after)
    const rows = (await page) as unknown as Referenced[]
    for (const row of rows) if (!listed.has(row.reference)) missing.push(row.paymentReference)
    if (rows.length < pageSize) return missing
    after = rows.at(-1)?.id
  }
}

const byReference = <R extends { gatewayReference: string | null }>(
  rows: readonly R[],
): Map<string | null, R> => new Map(rows.map((row) => [row.gatewayReference, row]))

const referencesOf = (listed: readonly { reference: string | null }[]): string[] =>
  listed.flatMap(({ reference }) => reference ?? [])
