import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { findOpening } from '../opening.ts'
import type { BuyerPayment } from '../view.ts'

/**
 * A stored view of a payment or a card setup, without its client secret when the gateway can no longer use it: it is
 * captured, succeeded or canceled.
 */
export async function omitSpentSecret(
  tx: StoreTx,
  { client_secret, ...view }: BuyerPayment,
): Promise<BuyerPayment> {
  if (client_secret === undefined) return view
  const { clientSecret } = await findOpening(tx, view.id)
  return clientSecret === client_secret ? { ...view, client_secret } : view
}
