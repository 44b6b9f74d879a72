import { inStore } from '#shared/platform/db/store-scope.ts'
import { comparePayment, type GatewayPayment } from '#shared/reconciliation/compare-payment.ts'
import {
  type PaymentBooks,
  readGatewayBooks,
  readGatewayBooksOf,
  type Window,
} from '#shared/reconciliation/gateway-books.ts'
import type { Discrepancy } from '#shared/reconciliation/invariant.ts'
import { GatewayRefusal, type PaymentGateway } from '#workers/gateways/payments.ts'

/**
 * Compares a store's payments of a window with the gateway, between two transactions: three requests to the gateway for
 * each payment, one payment after the other. Events on their way are differences, so end the window some time ago.
 */
export async function compareWithGateway(
  gateway: PaymentGateway,
  storeId: string,
  window: Window,
): Promise<Discrepancy[]> {
  const books = await inStore(storeId, (tx) => readGatewayBooks(tx, window))
  return compareBooks(gateway, books)
}

/**
 * Compares payments of a store with the gateway by its references. A captured one that is unknown here is a difference.
 */
export async function comparePaymentsWithGateway(
  gateway: PaymentGateway,
  storeId: string,
  references: readonly string[],
): Promise<Discrepancy[]> {
  const books = await inStore(storeId, (tx) => readGatewayBooksOf(tx, references))
  const known = new Set(books.map(({ payment }) => payment.gatewayReference))
  const found = await compareBooks(gateway, books)
  for (const reference of references.filter((one) => !known.has(one))) {
    const { status, ...payment } = await gateway.readPayment(reference)
    if (status === 'captured' && 'amountMinor' in payment)
      found.push({
        invariant: 'gateway.unknown_payment',
        subject: reference,
        expected: `${payment.amountMinor} ${payment.currency}`,
        found: 'none',
      })
  }
  return found
}

async function compareBooks(gateway: PaymentGateway, books: readonly PaymentBooks[]): Promise<Discrepancy[]> {
  const found: Discrepancy[] = []
  for (const ours of books) {
    const theirs = await readPaymentAt(gateway, ours.payment.gatewayReference ?? '')
    found.push(...(theirs ? comparePayment(ours, theirs) : [unknownThere(ours)]))
  }
  return found
}

const unknownThere = ({ payment }: PaymentBooks): Discrepancy => ({
  invariant: 'gateway.unknown_payment',
  subject: `payments ${payment.id}`,
  expected: 'none',
  found: `${payment.status} as ${payment.gatewayReference}`,
})

/** Null: the gateway does not know the payment. */
async function readPaymentAt(gateway: PaymentGateway, reference: string): Promise<GatewayPayment | null> {
  try {
    return {
      status: await gateway.readPayment(reference),
      refunds: await gateway.listRefunds(reference),
      disputes: await gateway.listDisputes(reference),
    }
  } catch (error) {
    if (error instanceof GatewayRefusal && error.reason === 'resource_missing') return null
    throw error
  }
}
