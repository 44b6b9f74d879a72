import { type Static, Type } from 'typebox'
import { Nullable, Shape, Timestamp, toText, toTimestampOrNull, Uuid } from '#shared/platform/http/schema.ts'
import type { Charge } from './charge.ts'

/** A charge that was tried and is not paid yet. */
export const FailedCharge = Shape({
  charge_no: Type.Integer(),
  order_id: { ...Nullable(Uuid), description: 'The order to pay; null while no order could be placed' },
  attempts: Type.Integer({ description: 'Attempts that failed' }),
  reason: Type.String({ description: 'An error code of checkout, or the reason of the payment gateway' }),
  next_attempt_at: { ...Nullable(Timestamp), description: 'Null: it is not tried again' },
})

export const viewFailedCharge = (charge: Charge): Static<typeof FailedCharge> => ({
  charge_no: charge.chargeNo,
  order_id: charge.orderId,
  attempts: charge.attempts,
  reason: toText(charge.failureReason),
  next_attempt_at: toTimestampOrNull(charge.nextAttemptAt),
})
