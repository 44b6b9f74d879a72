import type { Knex } from 'knex'
import { HOUR_MS, secondsUntil } from '../platform/clock.ts'
import { config } from '../platform/config.ts'
import { CodedError } from '../platform/errors.ts'
import {
  readTaken,
  returnUnits,
  type Taken,
  takenSql,
  takeUnits,
  usedUpUntil,
} from '../platform/take-units.ts'
import { normalizeEmail } from './email.ts'
import { AuthErrors } from './errors.ts'
import type { Device } from './session.ts'
import { isKnown, traceOf } from './unknown-device.ts'

// LIMIT_LOGIN slows each address that guesses; many addresses at one account are slowed here (NIST SP 800-63B, 5.2.2).
// Nobody is locked out by it: devices that an account knows have a limit of their own, and whoever chooses a new
// password by mail makes theirs known (OWASP, "Slow down online guessing attacks with device cookies").

/** Sign-ins that failed lately, by what they are counted by. */
export interface Failures {
  subject: string
  /** When strangers may try again; null while they may. */
  usedUpUntil: Date | null
}

/**
 * What failed sign-ins are counted by: an e-mail address among those of a store's customers, or of all who run stores
 * and the platform. Whether it is anybody's makes no difference, so that none can be found out by it.
 */
const subjectOf = (whose: string, email: string): string => `${FAILED} ${whose} ${normalizeEmail(email)}`
const FAILED = 'failed sign-ins'

/** SQL of those failures, as `Taken`: `whose` is an expression, and $1 the address as it is compared. */
export const failuresSql = (whose: string): string => takenSql(`'${FAILED} ' || ${whose} || ' ' || $1::text`)

/** The same, read. */
export const failuresOf = (whose: string, email: string, taken: Taken): Failures =>
  toFailures(subjectOf(whose, email), taken)

/** The failures of a subject of the caller's own naming, with nothing else to read beside them. */
export const readFailures = async (subject: string): Promise<Failures> =>
  toFailures(subject, await readTaken(subject))

function toFailures(subject: string, taken: Taken): Failures {
  const { LIMIT_FAILURES: most } = config()
  return { subject, usedUpUntil: most ? usedUpUntil(taken, most) : null }
}

/**
 * Asks a signed-in account for its password, and counts it when it is wrong: whoever came by the session alone is to
 * guess no longer than a stranger. No device helps; a password that is chosen by mail does.
 */
export const countingConfirmations = async <T>(accountId: string, confirm: () => Promise<T>): Promise<T> =>
  countingFailures(await readFailures(confirmationsOf(accountId)), FROM_NOWHERE, confirm)

const confirmationsOf = (accountId: string): string => `failed confirmations ${accountId}`

interface Arrival {
  device: Device
  /** Where the account was signed in to before; asked for only when it matters. */
  knownDevices: () => Promise<readonly Device[]>
}

const FROM_NOWHERE: Arrival = { device: { ip: null, userAgent: null }, knownDevices: async () => [] }

/**
 * Does what a sign-in does, and counts it when it fails. Once the limit is used up, strangers are refused before their
 * password is looked at: 429 `rate_limit.exceeded`, whatever it is. A few more than the limit may be under way by then.
 */
export async function countingFailures<T>(
  failures: Failures,
  arrival: Arrival,
  signIn: () => Promise<T>,
): Promise<T> {
  const { subject } = await admit(failures, arrival)
  try {
    return await signIn()
  } catch (error) {
    if (isFailure(error)) await count(subject)
    throw error
  }
}

async function admit(failures: Failures, { device, knownDevices }: Arrival): Promise<Failures> {
  if (!failures.usedUpUntil) return failures
  if (!isKnown(device, await knownDevices())) throw tooOften(failures.usedUpUntil)
  const own = await readFailures(ofDevice(failures.subject, device))
  if (own.usedUpUntil) throw tooOften(own.usedUpUntil)
  return own
}

async function count(subject: string): Promise<void> {
  const { LIMIT_FAILURES: most } = config()
  if (!most) return
  const { granted, endsAt } = await takeUnits(subject, most, 1, HOUR_MS)
  if (!granted) throw tooOften(endsAt)
}

/** Forgets what failed, for someone who has just chosen a new password: none of it was a guess at that. */
export async function forgetFailures(
  knex: Knex,
  { whose, id, email, device }: { whose: string; id: string; email: string; device: Device },
): Promise<void> {
  const subject = subjectOf(whose, email)
  await returnUnits(knex, subject, ofDevice(subject, device), confirmationsOf(id))
}

const ofDevice = (subject: string, device: Device): string => `${subject} ${traceOf(device)}`

const tooOften = (until: Date): CodedError => AuthErrors.triedTooOften({ retryAfter: secondsUntil(until) })

const FAILURES = [AuthErrors.invalidCredentials, AuthErrors.totpInvalid].map(({ kind }) => kind.code)

const isFailure = (error: unknown): boolean => error instanceof CodedError && FAILURES.includes(error.code)
