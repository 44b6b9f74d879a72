import type { Dispute } from '#shared/disputes/dispute.ts'
import type { GatewayDispute } from '#shared/disputes/record-dispute.ts'
import type { Payment } from '#shared/payments/payment.ts'
import type { StatusAtGateway } from '#shared/payments/status-at-gateway.ts'
import { sum } from '#shared/platform/money.ts'
import { MINOR_UNIT_PPM } from '#shared/refunds/calculate/round-together.ts'
import type { GatewayRefund } from '#shared/refunds/gateway/book-gateway-refund.ts'
import type { Refund } from '#shared/refunds/refund.ts'
import type { Discrepancy } from './invariant.ts'
import type { PaymentBooks } from './read-gateway-books.ts'

/** A payment as its gateway reports it. */
export interface GatewayPayment {
  status: StatusAtGateway
  refunds: GatewayRefund[]
  disputes: GatewayDispute[]
}

/** Whether a payment has the same captured amount here and at the gateway, and is open or closed in both. */
export const hasSameStatus = (payment: Payment, status: StatusAtGateway): boolean =>
  capturedInBooks(payment) === capturedAtGateway(status) &&
  !(status.status === 'open' && payment.closedAtGateway)

/**
 * Compares a payment with the gateway: the captured amount, each refund and their sum, each dispute and its amount. A
 * notification that has not arrived yet counts as a difference. Amounts are in minor units.
 */
export function comparePayment(
  { payment, refunds, disputes }: PaymentBooks,
  atGateway: GatewayPayment,
): Discrepancy[] {
  const compared = [
    {
      name: 'gateway.captured',
      subject: `payments ${payment.id}`,
      expected: capturedAtGateway(atGateway.status),
      found: capturedInBooks(payment),
    },
    {
      name: 'gateway.closed',
      subject: `payments ${payment.id}`,
      expected: atGateway.status.status === 'open' ? 'open' : closing(payment),
      found: closing(payment),
    },
    {
      name: 'gateway.refunded',
      subject: `payments ${payment.id}`,
      expected: `${refundedAtGateway(atGateway.refunds.filter(hasSucceeded))}`,
      found: `${sum(refunds.filter(hasSucceeded).map(({ gatewayAmountMinor }) => gatewayAmountMinor))}`,
    },
    ...compareRecords('gateway.refund', atGateway.refunds.map(refundAtGateway), refunds.map(refundInBooks)),
    ...compareRecords(
      'gateway.dispute',
      atGateway.disputes.map(disputeAtGateway),
      disputes.map(disputeInBooks),
    ),
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
function refundedAtGateway(refunds: GatewayRefund[]): bigint {
  const roundedUpPpm = refunds.reduce((total, refund) => total + (refund.roundedUpPpm ?? 0), 0)
  return (
    sum(refunds.map(({ amountMinor }) => amountMinor)) - BigInt(Math.floor(roundedUpPpm / MINOR_UNIT_PPM))
  )
}

const capturedAtGateway = (status: StatusAtGateway): string =>
  status.status === 'captured' ? `${status.amountMinor} ${status.currency}` : 'not captured'

const capturedInBooks = ({ capturedMinor, capturedCurrency }: Payment): string =>
  capturedMinor === null ? 'not captured' : `${capturedMinor} ${capturedCurrency}`

const closing = ({ closedAtGateway }: Payment): string => (closedAtGateway ? 'closed' : 'open')

/** A refund or dispute, as the gateway or the books have it. */
interface ComparedRecord {
  reference: string | null
  /** The fields that must be equal on both sides. */
  content: string
}

const refundAtGateway = ({ reference, status }: GatewayRefund): ComparedRecord => ({
  reference,
  content: status,
})
const refundInBooks = ({ gatewayReference: reference, status }: Refund): ComparedRecord => ({
  reference,
  content: status,
})

const disputeAtGateway = ({ reference, ...dispute }: GatewayDispute): ComparedRecord => ({
  reference,
  content: contentOf(dispute),
})
const disputeInBooks = ({ gatewayReference: reference, ...dispute }: Dispute): ComparedRecord => ({
  reference,
  content: contentOf(dispute),
})

const contentOf = ({ status, amountMinor, currency }: Pick<Dispute, 'status' | 'amountMinor' | 'currency'>) =>
  `${status}, ${amountMinor} ${currency}`

/** Compares records by the gateway's reference. A record on only one side is a difference. */
function compareRecords(name: string, atGateway: ComparedRecord[], inBooks: ComparedRecord[]) {
  const references = new Set([...atGateway, ...inBooks].flatMap(({ reference }) => reference ?? []))
  const [gatewayContents, bookContents] = [contentByReference(atGateway), contentByReference(inBooks)]
  return [...references].map((reference) => ({
    name,
    subject: reference,
    expected: gatewayContents.get(reference) ?? 'none',
    found: bookContents.get(reference) ?? 'none',
  }))
}

/** Returns the content of the first record of each reference. */
const contentByReference = (records: ComparedRecord[]): Map<string | null, string> =>
  new Map(records.map(({ reference, content }) => [reference, content] as const).reverse())
