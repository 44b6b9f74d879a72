import { normalizeEmail } from '#shared/identity/email.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { type QuotaUsage, quotaUsageSql } from '#shared/platform/throttle/quota.ts'
import { type Failures, limitFailures, type Origin, toFailures } from './limit-failures.ts'

const SIGN_INS = 'failed sign-ins'

/**
 * Returns the subject of failed sign-ins: an e-mail address in its scope. Addresses without an account are counted too,
 * so that the limit reveals no account.
 */
export const signInSubject = (scope: string, email: string): string =>
  `${SIGN_INS} ${scope} ${normalizeEmail(email)}`

/** SQL that selects failed sign-ins as `QuotaUsage`. `scope` is an SQL expression. $1 is the normalized address. */
export const failedSignInsSql = (scope: string): string =>
  quotaUsageSql(`'${SIGN_INS} ' || ${scope} || ' ' || $1::text`)

/** Converts the columns of `failedSignInsSql`. */
export const toFailedSignIns = (scope: string, email: string, usage: QuotaUsage): Failures =>
  toFailures(signInSubject(scope, email), usage)

/**
 * Limits the wrong passwords of a sign-in. Past the limit it refuses unknown devices with 429 `rate_limit.exceeded`
 * before it checks the password, even a correct one.
 */
export const limitFailedSignIns = <T>(
  failures: Failures,
  origin: Origin,
  verify: () => Promise<T>,
): Promise<T> =>
  limitFailures(
    failures,
    origin,
    { counts: AuthErrors.invalidCredentials, tooMany: AuthErrors.triedTooOften },
    verify,
  )
