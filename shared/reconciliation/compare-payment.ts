import type { Dispute } from '#shared/disputes/dispute.ts'
import type { GatewayDispute } from '#shared/disputes/record-dispute.ts'
import type { StatusAtGateway } from '#shared/payments/notifications/settle-payment.ts'
import type { Payment } from '#shared/payments/payment.ts'
import { sum } from '#shared/platform/money.ts'
import type { GatewayRefund } from '#shared/refunds/gateway/book-gateway-refund.ts'
import type { Refund } from '#shared/refunds/refund.ts'
import type { PaymentBooks } from './gateway-books.ts'
import type { Discrepancy } from './invariant.ts'

/** A payment as its gateway has it. */
export interface GatewayPayment {
  status: StatusAtGateway
  refunds: GatewayRefund[]
  disputes: GatewayDispute[]
}

/** Whether a payment has here what the gateway has captured, and is as open or closed as there. */
export const hasSameStatus = (payment: Payment, status: StatusAtGateway): boolean =>
  capturedHere(payment) === capturedThere(status) && !(status.status === 'open' && payment.closedAtGateway)

/**
 * Compares a payment here with the gateway: what was captured, each refund and their sum, each dispute and its amount.
 * An event on its way is a difference, too. Amounts in minor units.
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

/** Rounded up once: the books round the refunds of a payment together. */
function refundedThere(refunds: GatewayRefund[]): bigint {
  const roundedUpPpm = refunds.reduce((total, refund) => total + (refund.roundedUpPpm ?? 0), 0)
  return sum(refunds.map(({ amountMinor }) => amountMinor)) - BigInt(Math.floor(roundedUpPpm / 1_000_000))
}

const capturedThere = (status: StatusAtGateway): string =>
  status.status === 'captured' ? `${status.amountMinor} ${status.currency}` : 'not captured'

const capturedHere = ({ capturedMinor, capturedCurrency }: Payment): string =>
  capturedMinor === null ? 'not captured' : `${capturedMinor} ${capturedCurrency}`

const closing = ({ closedAtGateway }: Payment): string => (closedAtGateway ? 'closed' : 'open')

interface Keyed {
  reference: string | null
  /** The fields that must be equal on both sides. */
  content: string
}

const refundThere = ({ reference, status }: GatewayRefund): Keyed => ({ reference, content: status })
const refundHere = ({ gatewayReference: reference, status }: Refund): Keyed => ({
  reference,
  content: status,
})

const disputeThere = ({ reference, ...dispute }: GatewayDispute): Keyed => ({
  reference,
  content: contentOf(dispute),
})
const disputeHere = ({ gatewayReference: reference, ...dispute }: Dispute): Keyed => ({
  reference,
  content: contentOf(dispute),
})

const contentOf = ({ status, amountMinor, currency }: Pick<Dispute, 'status' | 'amountMinor' | 'currency'>) =>
  `${status}, ${amountMinor} ${currency}`

/** Compares records by the gateway's reference. One that is on one side only is a difference. */
function compareRecords(name: string, theirs: Keyed[], ours: Keyed[]) {
  const references = new Set([...theirs, ...ours].flatMap(({ reference }) => reference ?? []))
  const contentIn = (side: Keyed[], wanted: string) =>
    side.find(({ reference }) => reference === wanted)?.content ?? 'none'
  return [...references].map((reference) => ({
    name,
    subject: reference,
    expected: contentIn(theirs, reference),
    found: contentIn(ours, reference),
  }))
}
