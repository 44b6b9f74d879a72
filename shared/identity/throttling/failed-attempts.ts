import type { Knex } from 'knex'
import { type Device, isKnownDevice } from '#shared/identity/device.ts'
import { emailScopeOf, normalizeEmail } from '#shared/identity/email.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import type { PrincipalType } from '#shared/identity/principal.ts'
import { config } from '#shared/platform/config/config.ts'
import type { PlatformTx } from '#shared/platform/db/store-scope.ts'
import { CodedError, type ErrorFactory } from '#shared/platform/errors.ts'
import {
  consumeQuota,
  exhaustedUntil,
  type QuotaUsage,
  quotaUsageSql,
  readQuotaUsage,
  resetQuotas,
} from '#shared/platform/throttle/quota.ts'
import { HOUR_MS, secondsUntil } from '#shared/platform/time/clock.ts'

// LIMIT_LOGIN slows each network address that guesses. This file slows many addresses that guess at one account (NIST
// SP 800-63B, 5.2.2). It does not lock customers and staff out: known devices share a limit of their own, and a
// password reset by mail makes its device a known one (OWASP, "Slow down online guessing attacks with device cookies").
// Super-admins have no reset by mail. On an unknown device they wait, or reset the count on the command line.

/** The wrong passwords or codes of a subject in the last hour. */
export interface Failures {
  subject: string
  /** The time at which unknown devices may try again; null if they may try now. */
  usedUpUntil: Date | null
}

/**
 * The device of an attempt, and a function that reads the account's known devices. It is called only past the limit.
 */
export interface Origin {
  device: Device
  knownDevices: () => Promise<readonly Device[]>
}

/**
 * Returns the subject of failed sign-ins: an e-mail address in its scope. Addresses without an account are counted too,
 * so that the limit reveals no account.
 */
const signInSubject = (scope: string, email: string): string =>
  `${SIGN_INS} ${scope} ${normalizeEmail(email)}`
const SIGN_INS = 'failed sign-ins'

const codesSubject = (accountId: string): string => `failed codes ${accountId}`
const confirmationsSubject = (accountId: string): string => `failed confirmations ${accountId}`

/** SQL that selects failed sign-ins as `QuotaUsage`. `scope` is an SQL expression. $1 is the normalized address. */
export const failedSignInsSql = (scope: string): string =>
  quotaUsageSql(`'${SIGN_INS} ' || ${scope} || ' ' || $1::text`)

/** Converts the columns of `failedSignInsSql`. */
export const toFailedSignIns = (scope: string, email: string, usage: QuotaUsage): Failures =>
  toFailures(signInSubject(scope, email), usage)

function toFailures(subject: string, usage: QuotaUsage): Failures {
  const { LIMIT_FAILURES: most } = config()
  return { subject, usedUpUntil: most ? exhaustedUntil(usage, most) : null }
}

const readFailures = async (subject: string): Promise<Failures> =>
  toFailures(subject, await readQuotaUsage(subject))

interface Limit {
  /** The error that counts as a failure. */
  counts: ErrorFactory
  /** The error past the limit. */
  tooMany: ErrorFactory
}

/** Runs `verify`, and counts its failure. A few concurrent attempts can exceed the limit. */
async function limitFailures<T>(
  failures: Failures,
  origin: Origin | null,
  { counts, tooMany }: Limit,
  verify: () => Promise<T>,
): Promise<T> {
  const refuse = (until: Date) => tooMany({ retryAfter: secondsUntil(until) })
  const { subject, usedUpUntil } = await failuresFrom(origin, failures)
  if (usedUpUntil) throw refuse(usedUpUntil)
  try {
    return await verify()
  } catch (error) {
    const isFailure = error instanceof CodedError && error.code === counts.kind.code
    const until = isFailure ? await count(subject) : null
    throw until ? refuse(until) : error
  }
}

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

/**
 * Limits the wrong codes of an account, at its sign-in too. A new password does not reset this count, because a thief
 * with session and password could set one to go on guessing. Without an origin, no device is exempt.
 */
export const limitFailedCodes = async <T>(
  accountId: string,
  origin: Origin | null,
  verify: () => Promise<T>,
): Promise<T> => {
  const tooMany = origin ? AuthErrors.triedTooOften : AuthErrors.codesTriedTooOften
  const failures = await readFailures(codesSubject(accountId))
  return limitFailures(failures, origin, { counts: AuthErrors.totpInvalid, tooMany }, verify)
}

/**
 * Limits the wrong passwords of a signed-in account. A stolen session may not guess more often than a caller without a
 * session.
 */
export const limitFailedConfirmations = async <T>(
  accountId: string,
  verify: () => Promise<T>,
): Promise<T> => {
  const failures = await readFailures(confirmationsSubject(accountId))
  const limit = { counts: AuthErrors.invalidCredentials, tooMany: AuthErrors.confirmedTooOften }
  return limitFailures(failures, null, limit, verify)
}

/**
 * Resets failed sign-ins and confirmations after a new password was set, because they tried the old one. Failed codes
 * stay.
 */
export async function resetFailures(
  { knex, storeId }: { knex: Knex; storeId: string | null },
  { account, email }: { account: { type: PrincipalType; id: string }; email: string },
): Promise<void> {
  const subject = signInSubject(emailScopeOf(storeId, account.type), email)
  await resetQuotas(knex, subject, knownDevicesSubject(subject), confirmationsSubject(account.id))
}

/** Resets the failed codes of an account, for the operator. */
export async function resetFailedCodes({ knex }: PlatformTx, accountId: string): Promise<void> {
  const subject = codesSubject(accountId)
  await resetQuotas(knex, subject, knownDevicesSubject(subject))
}

/** Returns the failures that count for the origin. Past the limit, known devices have a count of their own. */
async function failuresFrom(origin: Origin | null, failures: Failures): Promise<Failures> {
  if (!origin || !failures.usedUpUntil) return failures
  const isFromKnown = isKnownDevice(origin.device, await origin.knownDevices())
  return isFromKnown ? readFailures(knownDevicesSubject(failures.subject)) : failures
}

// All known devices share one count. A thief of a session or a mailbox can make any number of devices known.
const knownDevicesSubject = (subject: string): string => `${subject} known devices`

/** Counts a failure. If it exceeds the limit, returns the time at which the next attempt is allowed; else null. */
async function count(subject: string): Promise<Date | null> {
  const { LIMIT_FAILURES: most } = config()
  if (!most) return null
  const { granted, endsAt } = await consumeQuota(subject, { limit: most, windowMs: HOUR_MS })
  return granted ? null : endsAt
}
