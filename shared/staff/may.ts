import { AuthErrors } from '#shared/identity/errors.ts'
import type { ErrorFactory } from '#shared/platform/errors.ts'
import { StaffErrors } from './errors.ts'
import type { Right, RightsHolder } from './roles.ts'

/** Rights that move money have their own error codes (interface document, section 7). */
const REFUSALS: Partial<Record<Right, ErrorFactory>> = {
  refund: StaffErrors.refundForbidden,
  mark_paid: StaffErrors.paymentForbidden,
}

/** The error for a missing right. */
export const refusalOf = (right: Right): ErrorFactory => REFUSALS[right] ?? AuthErrors.forbidden

/** Throws the error of the first of these rights that the holder lacks. */
export function assertMay(holder: RightsHolder, ...rights: readonly Right[]): void {
  const missing = rights.find((right) => !holder.rights.includes(right))
  if (missing) throw refusalOf(missing)({ right: missing })
}
