import { AuthErrors } from '#shared/identity/errors.ts'
import type { ApiToken, StaffMember } from './access.ts'

/** Whether the caller is a super-admin on a support visit. */
export const isSupport = (caller: StaffMember | ApiToken): boolean =>
  caller.type === 'staff' && caller.isSupport

/** Throws `auth.support_forbidden` for a part of an operation that would outlast a support session. */
export function assertNotSupport(caller: StaffMember | ApiToken): void {
  if (isSupport(caller)) throw AuthErrors.supportForbidden()
}
