import type { Knex } from 'knex'
import { config } from '#shared/platform/config/config.ts'
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
import { type Device, fingerprintOf, isKnownDevice } from '../device.ts'
import { emailScopeOf, normalizeEmail } from '../email.ts'
import { AuthErrors } from '../errors.ts'
import type { PrincipalType } from '../principal.ts'

// LIMIT_LOGIN slows each address that guesses; many addresses at one account are slowed here (NIST SP 800-63B, 5.2.2).
// Customers and staff are not locked out by it: devices that an account knows have a limit of their own, and a password
// reset by mail makes its device a known one (OWASP, "Slow down online guessing attacks with device cookies").
// Super-admins have no reset by mail: on an unknown device they wait, or reset the count on the command line.

/** Wrong passwords and codes of the last hour, by their subject. */
export interface Failures {
  subject: string
  /** When unknown devices may try again; null while they may. */
  usedUpUntil: Date | null
}

/** The device of an attempt, and the devices that the account knows, which are read only past the limit. */
export interface Origin {
  device: Device
  knownDevices: () => Promise<readonly Device[]>
}

/**
 * Whose sign-in fails: an e-mail address in its scope. An address without an account is counted alike, so none is
 * revealed.
 */
const signInSubject = (scope: string, email: string): string =>
  `${SIGN_INS} ${scope} ${normalizeEmail(email)}`
const SIGN_INS = 'failed sign-ins'

const codesSubject = (accountId: string): string => `failed codes ${accountId}`
const confirmationsSubject = (accountId: string): string => `failed confirmations ${accountId}`

/** SQL of failed sign-ins, as `QuotaUsage`: `scope` is an SQL expression, and $1 the normalized address. */
export const failedSignInsSql = (scope: string): string =>
  quotaUsageSql(`'${SIGN_INS} ' || ${scope} || ' ' || $1::text`)

/** The columns of `failedSignInsSql`, read. */
export const toFailedSignIns = (scope: string, email: string, usage: QuotaUsage): Failures =>
  toFailures(signInSubject(scope, email), usage)

function toFailures(subject: string, usage: QuotaUsage): Failures {
  const { LIMIT_FAILURES: most } = config()
  return { subject, usedUpUntil: most ? exhaustedUntil(usage, most) : null }
}

const readFailures = async (subject: string): Promise<Failures> =>
  toFailures(subject, await readQuotaUsage(subject))

/**
 * Runs `verify`, and counts its failure. Past the limit it refuses all but known devices with 429
 * `rate_limit.exceeded`, before the password is looked at and whether or not it is right; a few more than the limit may
 * be under way by then.
 */
export async function limitFailures<T>(
  failures: Failures,
  origin: Origin | null,
  verify: () => Promise<T>,
  tooMany: ErrorFactory = AuthErrors.triedTooOften,
): Promise<T> {
  const refuse = (until: Date) => tooMany({ retryAfter: secondsUntil(until) })
  const { subject, usedUpUntil } = await failuresFrom(origin, failures)
  if (usedUpUntil) throw refuse(usedUpUntil)
  try {
    return await verify()
  } catch (error) {
    const until = isFailure(error) ? await count(subject) : null
    throw until ? refuse(until) : error
  }
}

/**
 * Limits the wrong codes of an account outside its sign-in by password. A new password does not reset this count: else
 * a thief with session and password could choose one to guess on. Without an origin, no device is exempt.
 */
export const limitFailedCodes = async <T>(
  accountId: string,
  origin: Origin | null,
  verify: () => Promise<T>,
): Promise<T> => {
  const tooMany = origin ? AuthErrors.triedTooOften : AuthErrors.codesTriedTooOften
  return limitFailures(await readFailures(codesSubject(accountId)), origin, verify, tooMany)
}

/** Limits the wrong passwords of a signed-in account: a stolen session must not guess more than a stranger. */
export const limitFailedConfirmations = async <T>(
  accountId: string,
  verify: () => Promise<T>,
): Promise<T> => {
  const failures = await readFailures(confirmationsSubject(accountId))
  return limitFailures(failures, null, verify, AuthErrors.confirmedTooOften)
}

/**
 * Resets failed sign-ins and confirmations after the choice of a new password, which none of them guessed at. Failed
 * codes stay.
 */
export async function resetFailures(
  { knex, storeId }: { knex: Knex; storeId: string | null },
  { account, email }: { account: { type: PrincipalType; id: string }; email: string },
  device: Device,
): Promise<void> {
  const subject = signInSubject(emailScopeOf(storeId, account.type), email)
  await resetQuotas(knex, subject, deviceSubject(subject, device), confirmationsSubject(account.id))
}

/** The failures that count for the origin: those of all, or past the limit those of a known device alone. */
async function failuresFrom(origin: Origin | null, failures: Failures): Promise<Failures> {
  if (!origin || !failures.usedUpUntil) return failures
  const isFromKnown = isKnownDevice(origin.device, await origin.knownDevices())
  return isFromKnown ? readFailures(deviceSubject(failures.subject, origin.device)) : failures
}

const deviceSubject = (subject: string, device: Device): string => `${subject} ${fingerprintOf(device)}`

/** Counts a failure. Returns when the next attempt is allowed, if even this one was too many. */
async function count(subject: string): Promise<Date | null> {
  const { LIMIT_FAILURES: most } = config()
  if (!most) return null
  const { granted, endsAt } = await consumeQuota(subject, most, 1, HOUR_MS)
  return granted ? null : endsAt
}

const FAILURES = [AuthErrors.invalidCredentials, AuthErrors.totpInvalid].map(({ kind }) => kind.code)

const isFailure = (error: unknown): boolean => error instanceof CodedError && FAILURES.includes(error.code)
