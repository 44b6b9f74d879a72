import type { Context } from 'koa'
import { sentToken } from '#api/platform/auth/accepted-tokens.ts'
import type { Access } from '#api/platform/auth/access.ts'
import type { AuthContext } from '#api/platform/auth/auth-context.ts'
import { authenticate } from '#api/platform/auth/authenticate.ts'
import type { Operation } from '#api/platform/operation/operation.ts'
import type { CountedLimits } from '#api/platform/rate-limits/limits.ts'
import { limitEarly, limitFirst, limitNewToken, limitRefused } from '#api/platform/rate-limits/rate-limit.ts'
import { CodedError } from '#shared/platform/errors.ts'

/** The operations for the own account look API tokens up to refuse them. */
const LOOKS_UP_API_TOKENS: ReadonlySet<Access['kind']> = new Set(['staff', 'account'])

/**
 * Authenticates the caller of an operation, and counts the request before its body is read. Past the limit of the
 * network, nothing is looked up, and past the limit of new API tokens, no unknown token is. Throws the errors of
 * `authenticate` and 429 `rate_limit.exceeded`.
 */
export async function authenticateAndLimit(
  ctx: Context,
  { access }: Operation,
  limits: CountedLimits,
): Promise<AuthContext> {
  await limitFirst(ctx, limits)
  const token = LOOKS_UP_API_TOKENS.has(access.kind) ? sentToken(ctx) : null
  if (token && !token.isAccepted()) await limitNewToken(ctx)
  try {
    const auth = await authenticate(ctx, access)
    token?.note(true)
    await limitEarly(ctx, limits, auth)
    return auth
  } catch (error) {
    if (!(error instanceof CodedError) || ![401, 403].includes(error.status)) throw error
    if (error.status === 401) token?.note(false)
    // Limits guesses of keys and tokens, and repeated requests for forbidden operations.
    await limitRefused(ctx, limits)
    throw error
  }
}
