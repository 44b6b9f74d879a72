import { HOUR_MS, secondsUntil } from '../platform/clock.ts'
import { config } from '../platform/config.ts'
import { CodedError } from '../platform/errors.ts'
import { readTaken, type Taken, takeUnits, usedUpUntil } from '../platform/take-units.ts'
import { AuthErrors } from './errors.ts'
import { isKnown, traceOf } from './known-devices.ts'
import type { Device } from './session.ts'

// LIMIT_LOGIN slows each address that guesses; many addresses at one account are slowed here (NIST SP 800-63B, 5.2.2).
// Nobody is locked out by it: devices that an account knows have a limit of their own, and whoever chooses a new
// password by mail makes theirs known (OWASP, "Slow down online guessing attacks with device cookies").

/** Wrong passwords and codes of the last hour, by what they are counted by. */
export interface Failures {
  subject: string
  /** When strangers may try again; null while they may. */
  usedUpUntil: Date | null
}

/** The failures of a subject, where there is nothing else to read beside them. */
export const readFailures = async (subject: string): Promise<Failures> =>
  toFailures(subject, await readTaken(subject))

/** The same of units that were read already. */
export function toFailures(subject: string, taken: Taken): Failures {
  const { LIMIT_FAILURES: most } = config()
  return { subject, usedUpUntil: most ? usedUpUntil(taken, most) : null }
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
 * than the limit may be under way by then. Where `arrival` is null no device helps.
 */
export async function countingFailures<T>(
  failures: Failures,
  arrival: Arrival | null,
  prove: () => Promise<T>,
): Promise<T> {
  const { subject } = await admit(failures, arrival)
  try {
    return await prove()
  } catch (error) {
    if (isFailure(error)) await count(subject)
    throw error
  }
}

async function admit(failures: Failures, arrival: Arrival | null): Promise<Failures> {
  if (!failures.usedUpUntil) return failures
  if (!arrival || !isKnown(arrival.device, await arrival.knownDevices())) throw tooOften(failures.usedUpUntil)
  const own = await readFailures(ofDevice(failures.subject, arrival.device))
  if (own.usedUpUntil) throw tooOften(own.usedUpUntil)
  return own
}

async function count(subject: string): Promise<void> {
  const { LIMIT_FAILURES: most } = config()
  if (!most) return
  const { granted, endsAt } = await takeUnits(subject, most, 1, HOUR_MS)
  if (!granted) throw tooOften(endsAt)
}

/** What the failures from a known device are counted by, beside those of strangers. */
export const ofDevice = (subject: string, device: Device): string => `${subject} ${traceOf(device)}`

const tooOften = (until: Date): CodedError => AuthErrors.triedTooOften({ retryAfter: secondsUntil(until) })

const FAILURES = [AuthErrors.invalidCredentials, AuthErrors.totpInvalid].map(({ kind }) => kind.code)

const isFailure = (error: unknown): boolean => error instanceof CodedError && FAILURES.includes(error.code)
