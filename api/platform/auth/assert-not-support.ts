import { AuthErrors } from '#shared/identity/errors.ts'
import type { StaffOrApiToken } from './callers.ts'
import { hasAnyField } from './has-any-field.ts'

/** Whether the caller is a super-admin in a support session. */
export const isSupport = (caller: StaffOrApiToken): boolean => caller.type === 'staff' && caller.isSupport

/** Throws `auth.support_forbidden` if a body has one of the fields whose values would outlast a support session. */
export function refuseSupportFields(caller: StaffOrApiToken, body: object, fields: readonly string[]): void {
  if (hasAnyField(body, fields)) assertNotSupport(caller)
}

/** Throws `auth.support_forbidden` for a part of an operation that would outlast a support session. */
export function assertNotSupport(caller: StaffOrApiToken): void {
  if (isSupport(caller)) throw AuthErrors.supportForbidden()
}
