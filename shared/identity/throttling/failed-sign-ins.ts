import type { Knex } from 'knex'
import { type QuotaUsage, quotaUsageSql, resetQuotas } from '#shared/platform/throttle/quota.ts'
import { normalizeEmail } from '../email.ts'
import type { Device } from '../sessions/session.ts'
import { confirmationsOf } from './failed-confirmations.ts'
import { type Failures, ofDevice, toFailures } from './failures.ts'

/**
 * What failed sign-ins are counted by: an e-mail address among those of a store's customers, or of all who run stores
 * and the platform. Whether it is anybody's makes no difference, so that none can be found out by it.
 */
const subjectOf = (whose: string, email: string): string => `${FAILED} ${whose} ${normalizeEmail(email)}`
const FAILED = 'failed sign-ins'

/** SQL of those failures, as `Taken`: `whose` is an expression, and $1 the address as it is compared. */
export const failuresSql = (whose: string): string =>
  quotaUsageSql(`'${FAILED} ' || ${whose} || ' ' || $1::text`)

/** The same, read. */
export const failuresOf = (whose: string, email: string, taken: QuotaUsage): Failures =>
  toFailures(subjectOf(whose, email), taken)

/** Forgets what failed, for someone who has just chosen a new password: none of it was a guess at that. */
export async function forgetFailures(
  knex: Knex,
  { whose, id, email, device }: { whose: string; id: string; email: string; device: Device },
): Promise<void> {
  const subject = subjectOf(whose, email)
  await resetQuotas(knex, subject, ofDevice(subject, device), confirmationsOf(id))
}
