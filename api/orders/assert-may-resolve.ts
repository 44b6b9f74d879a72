import { assertNotSupport } from '#api/platform/auth/assert-not-support.ts'
import type { StaffOrApiToken } from '#api/platform/auth/callers.ts'
import type { MismatchDecision } from '#shared/settlement/resolve-mismatch.ts'
import { assertMay } from '#shared/staff/rights.ts'

/**
 * Refuses callers that may not decide about a mismatched payment as they do. An accepted payment marks the order as
 * paid, whatever its amount, so it needs what POST /admin/orders/{order_id}/mark-paid needs. Throws
 * `auth.support_forbidden` and `order.payment_forbidden`.
 */
export function assertMayResolve(caller: StaffOrApiToken, decision: MismatchDecision): void {
  if (decision !== 'accept') return
  assertNotSupport(caller)
  assertMay(caller, 'mark_paid')
}
