import { assertNotSupport } from '#api/platform/auth/assert-not-support.ts'
import type { StaffOrApiToken } from '#api/platform/auth/callers.ts'
import type { MismatchDecision } from '#shared/settlement/resolve-mismatch.ts'
import { assertMay } from '#shared/staff/rights.ts'

/**
 * Asserts that a caller may make a decision about a mismatched payment. `accept` marks the order as paid for any
 * amount, so it needs the same rights as POST /admin/orders/{order_id}/mark-paid. Throws `auth.support_forbidden` and
 * `order.payment_forbidden`.
 */
export function assertMayResolve(caller: StaffOrApiToken, decision: MismatchDecision): void {
  if (decision !== 'accept') return
  assertNotSupport(caller)
  assertMay(caller, 'mark_paid')
}
