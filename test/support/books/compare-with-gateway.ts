import { Payment } from '#shared/payments/payment.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import type { Discrepancy } from '#shared/reconciliation/invariant.ts'
import type { Window } from '#shared/reconciliation/read-gateway-books.ts'
import type { PaymentGateway } from '#workers/gateways/payments.ts'
import { comparePaymentsWithGateway } from '#workers/reconciliation/compare-payments-with-gateway.ts'

/** Compares all of a store's payments of a window with the gateway, oldest first. */
export async function compareWithGateway(
  gateway: PaymentGateway,
  storeId: string,
  { from, to }: Window,
): Promise<Discrepancy[]> {
  const payments = await inStore(storeId, (tx) =>
    Payment.in(tx)
      .whereNotNull('gateway_reference')
      .where('created_at', '>=', from)
      .where('created_at', '<', to),
  )
  const references = payments.flatMap(({ gatewayReference }) => gatewayReference ?? [])
  return comparePaymentsWithGateway(gateway, storeId, references)
}
