import { config } from '#shared/platform/config/config.ts'
import { CodedError, type ErrorFactory } from '#shared/platform/errors.ts'
import {
  consumeQuota,
  exhaustedUntil,
  type QuotaUsage,
  readQuotaUsage,
} from '#shared/platform/throttle/quota.ts'
import { HOUR_MS, secondsUntil } from '#shared/platform/time/clock.ts'
import { AuthErrors } from '../errors.ts'
import { isKnown, traceOf } from '../sessions/known-devices.ts'
import type { Device } from '../sessions/session.ts'

// LIMIT_LOGIN slows each address that guesses; many addresses at one account are slowed here (NIST SP 800-63B, 5.2.2).
// Customers and staff are not locked out by it: devices that an account knows have a limit of their own, and whoever
// chooses a new password by mail makes theirs known (OWASP, "Slow down online guessing attacks with device cookies").
// Super-admins choose none by mail: away from the devices they know they wait, or have the command line forget it.

/** Wrong passwords and codes of the last hour, by what they are counted by. */
export interface Failures {
  subject: string
  /** When strangers may try again; null while they may. */
  usedUpUntil: Date | null
}

/** The failures of a subject, where there is nothing else to read beside them. */
export const readFailures = async (subject: string): Promise<Failures> =>
  toFailures(subject, await readQuotaUsage(subject))

/** The same of units that were read already. */
export function toFailures(subject: string, taken: QuotaUsage): Failures {
  const { LIMIT_FAILURES: most } = config()
  return { subject, usedUpUntil: most ? exhaustedUntil(taken, most) : null }
}

/** From where somebody comes to prove who they are. */
export interface Arrival {
  device: Device
  /** Where the account was signed in to before; asked for only when it matters. */
  knownDevices: () => Promise<readonly Device[]>
}

/**
 * Has somebody prove who they are, and counts it when that fails. Once the limit is used up, all are refused but those
 * who come from a known device, before their password is looked at: 429 `rate_limit.exceeded`, whatever it is. A few more
 * than the limit may be under way by then. Where `arrival` is null no device helps, and `tooOften` says what does.
 */
export async function countingFailures<T>(
  failures: Failures,
  arrival: Arrival | null,
  prove: () => Promise<T>,
  tooOften: ErrorFactory = AuthErrors.triedTooOften,
): Promise<T> {
  const refuse = (until: Date) => tooOften({ retryAfter: secondsUntil(until) })
  const { subject, usedUpUntil } = await failuresFrom(arrival, failures)
  if (usedUpUntil) throw refuse(usedUpUntil)
  try {
    return await prove()
  } catch (error) {
    const until = isFailure(error) ? await count(subject) : null
    throw until ? refuse(until) : error
  }
}

/** What counts for who comes so: those of strangers, or once these are used up a known device's own. */
async function failuresFrom(arrival: Arrival | null, failures: Failures): Promise<Failures> {
  if (!arrival || !failures.usedUpUntil) return failures
  const isFromKnown = isKnown(arrival.device, await arrival.knownDevices())
  return isFromKnown ? readFailures(ofDevice(failures.subject, arrival.device)) : failures
}

/** Counts one more. Returns when the next may be tried if even this was too many. */
async function count(subject: string): Promise<Date | null> {
  const { LIMIT_FAILURES: most } = config()
  if (!most) return null
  const { granted, endsAt } = await consumeQuota(subject, most, 1, HOUR_MS)
  return granted ? null : endsAt
}

/** What the failures from a known device are counted by, beside those of strangers. */
export const ofDevice = (subject: string, device: Device): string => `${subject} ${traceOf(device)}`

const FAILURES = [AuthErrors.invalidCredentials, AuthErrors.totpInvalid].map(({ kind }) => kind.code)

const isFailure = (error: unknown): boolean => error instanceof CodedError && FAILURES.includes(error.code)
