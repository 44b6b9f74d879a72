import { inStore } from '#shared/platform/db/store-scope.ts'
import { comparePayment, type GatewayPayment } from '#shared/reconciliation/compare-payment.ts'
import { readGatewayBooks, type Window } from '#shared/reconciliation/gateway-books.ts'
import type { Discrepancy } from '#shared/reconciliation/invariant.ts'
import type { PaymentGateway } from '#workers/gateways/payments.ts'

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
  const found: Discrepancy[] = []
  for (const ours of books)
    found.push(...comparePayment(ours, await readPaymentAt(gateway, ours.payment.gatewayReference ?? '')))
  return found
}

async function readPaymentAt(gateway: PaymentGateway, reference: string): Promise<GatewayPayment> {
  return {
    status: await gateway.readPayment(reference),
    refunds: await gateway.listRefunds(reference),
    disputes: await gateway.listDisputes(reference),
  }
}
