import { now } from '../../platform/clock.ts'
import { invalid } from '../../platform/validation.ts'

/** When a token is to end; null for never. A moment that is not to come is a fault: 422. */
export function readExpiry(given: string | null): Date | null {
  if (given === null) return null
  const expiry = new Date(given)
  // A leap second makes no date at all, which compares as false too.
  if (!(expiry > now())) throw invalid(['body', 'expires_at'], 'It lies in the future', given)
  return expiry
}
