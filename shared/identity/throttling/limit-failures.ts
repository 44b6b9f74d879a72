import { type Device, isKnownDevice } from '#shared/identity/device.ts'
import { config } from '#shared/platform/config/config.ts'
import { CodedError, type ErrorFactory } from '#shared/platform/errors.ts'
import {
  consumeQuota,
  exhaustedUntil,
  type QuotaUsage,
  readQuotaUsage,
} from '#shared/platform/throttle/quota.ts'
import { HOUR_MS, secondsUntil } from '#shared/platform/time/clock.ts'

// LIMIT_LOGIN slows each network address that guesses. These limits slow many addresses that guess at one account (NIST
// SP 800-63B, 5.2.2). They do not lock customers and staff out: known devices share a limit of their own, and a
// password reset by mail makes its device a known one (OWASP, "Slow down online guessing attacks with device cookies").
// Super-admins have no reset by mail. On an unknown device they wait, or reset the count on the command line.

/** The wrong passwords or codes of a subject in the last hour. */
export interface Failures {
  subject: string
  /** The time at which unknown devices may try again; null if they may try now. */
  usedUpUntil: Date | null
}

/** The device of an attempt, and the account's known devices. */
export interface Origin {
  device: Device
  /** Reads the known devices. It is called only past the limit. */
  knownDevices: () => Promise<readonly Device[]>
}

interface FailureLimit {
  /** The error that counts as a failure. */
  counts: ErrorFactory
  /** The error past the limit. */
  tooMany: ErrorFactory
}

/**
 * Runs `verify`, and counts it if it throws the error `counts`. Past the limit, throws `tooMany`. A few concurrent
 * attempts can exceed the limit.
 */
export async function limitFailures<T>(
  failures: Failures,
  origin: Origin | null,
  { counts, tooMany }: FailureLimit,
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

/** Returns the failures that count for the origin. Past the limit, known devices have a count of their own. */
async function failuresFrom(origin: Origin | null, failures: Failures): Promise<Failures> {
  if (!origin || !failures.usedUpUntil) return failures
  const isFromKnown = isKnownDevice(origin.device, await origin.knownDevices())
  return isFromKnown ? readFailures(knownDevicesSubject(failures.subject)) : failures
}

// All known devices share one count. A thief of a session or a mailbox can make any number of devices known.
export const knownDevicesSubject = (subject: string): string => `${subject} known devices`

/** Counts a failure. If it exceeds the limit, returns the time at which the next attempt is allowed; else null. */
async function count(subject: string): Promise<Date | null> {
  const { LIMIT_FAILURES: most } = config()
  if (!most) return null
  const { granted, endsAt } = await consumeQuota(subject, { limit: most, windowMs: HOUR_MS })
  return granted ? null : endsAt
}

/** Converts the usage of a quota to the failures of its subject. */
export function toFailures(subject: string, usage: QuotaUsage): Failures {
  const { LIMIT_FAILURES: most } = config()
  return { subject, usedUpUntil: most ? exhaustedUntil(usage, most) : null }
}

/** Reads the failures of a subject in the last hour. */
export const readFailures = async (subject: string): Promise<Failures> =>
  toFailures(subject, await readQuotaUsage(subject))
