import { CardSetup } from '#shared/payments/card-setup.ts'
import { Payment } from '#shared/payments/payment.ts'
import { type PaymentOrSetup, targetOfPaymentOrSetup } from '#shared/payments/payment-or-setup.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertMayTryCard } from './card-testing.ts'

/** Stores the buyer's network of a payment or card setup until the gateway can no longer complete it. */
export async function recordPayerNetwork(
  tx: StoreTx,
  paymentOrSetupId: string,
  network: string,
): Promise<void> {
  const payer = { payerNetwork: network }
  await Payment.in(tx).findById(paymentOrSetupId).whereNull('closed_at_gateway').patch(payer)
  await CardSetup.in(tx).findById(paymentOrSetupId).whereNull('closed_at_gateway').patch(payer)
}

/**
 * Records the buyer's network of a payment or card setup. Throws 429 `rate_limit.exceeded` if too many cards were
 * declined. Call it only after the caller has proved to be the buyer, because nobody else may learn about declines.
 */
export async function limitAndRecordPayer(
  tx: StoreTx,
  paymentOrSetup: PaymentOrSetup,
  network: string,
): Promise<void> {
  await assertMayTryCard(tx, { network, target: targetOfPaymentOrSetup(paymentOrSetup) })
  await recordPayerNetwork(tx, paymentOrSetup.id, network)
}
