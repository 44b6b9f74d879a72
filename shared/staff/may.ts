import { AuthErrors } from '#shared/identity/errors.ts'
import type { ErrorFactory } from '#shared/platform/errors.ts'
import { StaffErrors } from './errors.ts'
import type { Holder, Right } from './roles.ts'

/** The rights that move money are refused by their own names (interface document, section 7). */
const REFUSALS: Partial<Record<Right, ErrorFactory>> = {
  refund: StaffErrors.refundForbidden,
  mark_paid: StaffErrors.paymentForbidden,
}

/** What someone is told who lacks the right. */
export const refusalOf = (right: Right): ErrorFactory => REFUSALS[right] ?? AuthErrors.forbidden

/** Throws the refusal of the first of these rights that the holder lacks. */
export function assertMay(holder: Holder, ...rights: readonly Right[]): void {
  const missing = rights.find((right) => !holder.rights.includes(right))
  if (missing) throw refusalOf(missing)({ right: missing })
}
