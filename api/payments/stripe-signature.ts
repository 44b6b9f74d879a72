import { PaymentErrors } from '#shared/payments/errors.ts'
import { now } from '#shared/platform/time/clock.ts'

/** Older signatures are rejected, so that an intercepted notification cannot be replayed later. */
export const MAX_AGE_SECONDS = 300

/**
 * Throws `payment.signature_invalid` if the time in a `Stripe-Signature` header (`t=1793000000,v1=5f…`) is not recent.
 * Only a check with the body shows whether the signature is genuine.
 */
export function assertRecent(signature: string): void {
  const parts = signature.split(',')
  const madeAt = parts.find((part) => part.startsWith('t='))?.slice(2)
  const ageSeconds = Math.abs(now().getTime() / 1_000 - Number(madeAt))
  const isSigned = parts.some((part) => part.startsWith('v1='))
  if (!isSigned || !(ageSeconds <= MAX_AGE_SECONDS)) throw PaymentErrors.signatureInvalid()
}
