import type { Dispute } from '#shared/disputes/dispute.ts'
import type { GatewayDispute } from '#shared/disputes/record-dispute.ts'
import type { Payment } from '#shared/payments/payment.ts'
import type { StatusAtGateway } from '#shared/payments/status-at-gateway.ts'
import { sum } from '#shared/platform/money.ts'
import type { GatewayRefund } from '#shared/refunds/gateway/book-gateway-refund.ts'
import type { Refund } from '#shared/refunds/refund.ts'
import type { PaymentBooks } from './gateway-books.ts'
import type { Discrepancy } from './invariant.ts'

/** A payment as its gateway reports it. */
export interface GatewayPayment {
  status: StatusAtGateway
  refunds: GatewayRefund[]
  disputes: GatewayDispute[]
}

/** Whether a payment has the same captured amount here and at the gateway, and is open or closed in both. */
export const hasSameStatus = (payment: Payment, status: StatusAtGateway): boolean =>
  capturedHere(payment) === capturedThere(status) && !(status.status === 'open' && payment.closedAtGateway)

/**
 * Compares a payment with the gateway: the captured amount, each refund and their sum, each dispute and its amount. A
 * notification that has not arrived yet counts as a difference. Amounts are in minor units.
 */
export function comparePayment(
  { payment, refunds, disputes }: PaymentBooks,
  theirs: GatewayPayment,
): Discrepancy[] {
  const compared = [
    {
      name: 'gateway.captured',
      subject: `payments ${payment.id}`,
      expected: capturedThere(theirs.status),
      found: capturedHere(payment),
    },
    {
      name: 'gateway.closed',
      subject: `payments ${payment.id}`,
      expected: theirs.status.status === 'open' ? 'open' : closing(payment),
      found: closing(payment),
    },
    {
      name: 'gateway.refunded',
      subject: `payments ${payment.id}`,
      expected: `${refundedThere(theirs.refunds.filter(hasSucceeded))}`,
      found: `${sum(refunds.filter(hasSucceeded).map(({ gatewayAmountMinor }) => gatewayAmountMinor))}`,
    },
    ...compareRecords('gateway.refund', theirs.refunds.map(refundThere), refunds.map(refundHere)),
    ...compareRecords('gateway.dispute', theirs.disputes.map(disputeThere), disputes.map(disputeHere)),
  ]
  return compared
    .filter(({ expected, found }) => expected !== found)
    .map(({ name, ...difference }) => ({ invariant: name, ...difference }))
}

const hasSucceeded = ({ status }: { status: string }): boolean => status === 'succeeded'

/**
 * Returns the sum of refunds at the gateway, rounded up once, because the books round all refunds of a payment
 * together.
 */
function refundedThere(refunds: GatewayRefund[]): bigint {
  const roundedUpPpm = refunds.reduce((total, refund) => total + (refund.roundedUpPpm ?? 0), 0)
  return sum(refunds.map(({ amountMinor }) => amountMinor)) - BigInt(Math.floor(roundedUpPpm / 1_000_000))
}

const capturedThere = (status: StatusAtGateway): string =>
  status.status === 'captured' ? `${status.amountMinor} ${status.currency}` : 'not captured'

const capturedHere = ({ capturedMinor, capturedCurrency }: Payment): string =>
  capturedMinor === null ? 'not captured' : `${capturedMinor} ${capturedCurrency}`

const closing = ({ closedAtGateway }: Payment): string => (closedAtGateway ? 'closed' : 'open')

/** A refund or dispute, as the gateway or the books have it. */
interface ComparedRecord {
  reference: string | null
  /** The fields that must be equal on both sides. */
  content: string
}

const refundThere = ({ reference, status }: GatewayRefund): ComparedRecord => ({ reference, content: status })
const refundHere = ({ gatewayReference: reference, status }: Refund): ComparedRecord => ({
  reference,
  content: status,
})

const disputeThere = ({ reference, ...dispute }: GatewayDispute): ComparedRecord => ({
  reference,
  content: contentOf(dispute),
})
const disputeHere = ({ gatewayReference: reference, ...dispute }: Dispute): ComparedRecord => ({
  reference,
  content: contentOf(dispute),
})

const contentOf = ({ status, amountMinor, currency }: Pick<Dispute, 'status' | 'amountMinor' | 'currency'>) =>
  `${status}, ${amountMinor} ${currency}`

/** Compares records by the gateway's reference. A record on only one side is a difference. */
function compareRecords(name: string, theirs: ComparedRecord[], ours: ComparedRecord[]) {
  const references = new Set([...theirs, ...ours].flatMap(({ reference }) => reference ?? []))
  const [there, here] = [contentByReference(theirs), contentByReference(ours)]
  return [...references].map((reference) => ({
    name,
    subject: reference,
    expected: there.get(reference) ?? 'none',
    found: here.get(reference) ?? 'none',
  }))
}

/** Returns the content of the first record of each reference. */
const contentByReference = (records: ComparedRecord[]): Map<string | null, string> =>
  new Map(records.map(({ reference, content }) => [reference, content] as const).reverse())
