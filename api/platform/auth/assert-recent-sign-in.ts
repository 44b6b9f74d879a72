import { AuthErrors } from '#shared/identity/errors.ts'
import type { AuthContext } from './auth-context.ts'
import type { Callers } from './callers.ts'
import { hasAnyField } from './has-any-field.ts'

/** The requests of an operation that need a recent sign-in: all, or those with one of these fields in the body. */
export type RecentSignIn = true | readonly string[]

/**
 * Checks that a caller who needs a recent sign-in has one. Throws `auth.reauthentication_required`, and
 * `auth.support_forbidden` for a support session.
 */
export function assertRecentSignIn(
  rule: RecentSignIn | undefined,
  { context }: AuthContext,
  body: unknown,
): void {
  if (!rule || (rule !== true && !hasAnyField(body, rule))) return
  const { staff, superAdmin }: Callers = context
  if (staff?.type === 'api_token') return
  if (staff?.isSupport) throw AuthErrors.supportForbidden()
  if (!(superAdmin ?? staff)?.isSignInRecent) throw AuthErrors.reauthenticationRequired()
}
