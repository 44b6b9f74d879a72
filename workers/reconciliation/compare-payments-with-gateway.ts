import { inStore } from '#shared/platform/db/store-scope.ts'
import { comparePayment, type GatewayPayment } from '#shared/reconciliation/compare-payment.ts'
import type { Discrepancy } from '#shared/reconciliation/invariant.ts'
import { type PaymentBooks, readGatewayBooks } from '#shared/reconciliation/read-gateway-books.ts'
import { GatewayRefusal, type PaymentGateway } from '#workers/gateways/payments.ts'

/**
 * Compares payments of a store with the gateway by their references there, between two transactions. A captured payment
 * that is unknown here is a difference. It makes three requests for each payment, one payment after the other. A
 * notification that has not arrived yet counts as a difference, so leave out the latest payments.
 */
export async function comparePaymentsWithGateway(
  gateway: PaymentGateway,
  storeId: string,
  references: readonly string[],
): Promise<Discrepancy[]> {
  const books = await inStore(storeId, (tx) => readGatewayBooks(tx, references))
  const known = new Set(books.map(({ payment }) => payment.gatewayReference))
  const found = await compareBooks(gateway, books)
  for (const reference of references.filter((one) => !known.has(one))) {
    const payment = await gateway.readPayment(reference)
    if (payment.status === 'captured')
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
    found.push(...(theirs ? comparePayment(ours, theirs) : [unknownAtGateway(ours)]))
  }
  return found
}

const unknownAtGateway = ({ payment }: PaymentBooks): Discrepancy => ({
  invariant: 'gateway.unknown_payment',
  subject: `payments ${payment.id}`,
  expected: 'none',
  found: `${payment.status} as ${payment.gatewayReference}`,
})

/** Reads a payment at the gateway; null if the gateway does not know it. */
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
