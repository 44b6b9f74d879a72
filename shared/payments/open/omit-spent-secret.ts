import { findPaymentOrSetup } from '#shared/payments/payment-or-setup.ts'
import type { BuyerPayment } from '#shared/payments/view.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/**
 * Returns a stored view of a payment or card setup. Omits its client secret once the gateway can no longer use it:
 * after a capture, success or cancellation.
 */
export async function omitSpentSecret(
  tx: StoreTx,
  { client_secret, ...view }: BuyerPayment,
): Promise<BuyerPayment> {
  if (client_secret === undefined) return view
  const { clientSecret } = await findPaymentOrSetup(tx, view.id)
  return clientSecret === client_secret ? { ...view, client_secret } : view
}
