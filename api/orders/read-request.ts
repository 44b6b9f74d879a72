import type { Static } from 'typebox'
import { toMinor } from '#shared/platform/money.ts'
import type { OfflinePayment } from '#shared/settlement/record-offline-payment.ts'
import type { MarkOrderPaidRequest } from './schemas.ts'

/** Converts a request body to a payment outside the gateway. */
export const toOfflinePayment = (
  { amount, note }: Static<typeof MarkOrderPaidRequest>,
  currency: string,
): OfflinePayment => ({
  amountMinor: amount === undefined ? null : toMinor(amount, currency, ['amount']),
  note: note ?? null,
})
