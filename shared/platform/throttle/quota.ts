import type { Knex } from 'knex'
import { executeOnPlatform, readOnPlatform } from '#shared/platform/db/pipelined-query.ts'
import { namedStatement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { sha256 } from '#shared/platform/secrets/crypto.ts'
import { inMs, MINUTE_MS, now, secondsUntil } from '#shared/platform/time/clock.ts'

/*
 * Fixed-window quotas limit requests to the service, over all processes. A request consumes units of a subject's quota.
 * The first request starts the window. (throttle.ts paces the service's own calls to outside systems.)
 */

/** Units granted for the current window. */
export interface QuotaGrant {
  granted: number
  /** The units of the window that no process has consumed yet. */
  left: number
  endsAt: Date
}

// A subject's first request opens its window. The row lock serializes all processes.
const CONSUME_QUOTA = namedStatement(
  'consume_quota',
  { subject: 'text', units: 'bigint', limit: 'bigint', at: 'timestamptz', newEnd: 'timestamptz' },
  ({ subject, units, limit, at, newEnd }) => `
    insert into rate_limits as r (subject, used, granted, ends_at)
    values (decode(${subject}, 'hex'), least(${units}, ${limit}), least(${units}, ${limit}), ${newEnd})
    on conflict (subject) do update set
      used = case when r.ends_at <= ${at} then excluded.used
                  else greatest(r.used, least(r.used + ${units}, ${limit})) end,
      granted = case when r.ends_at <= ${at} then excluded.granted
                     else greatest(0, least(${units}, ${limit} - r.used)) end,
      ends_at = case when r.ends_at <= ${at} then excluded.ends_at else r.ends_at end
    returning granted, greatest(0, ${limit} - used) as left, ends_at`,
)

/** A consumption of units, at most `limit` of them in a window. */
export interface QuotaUse {
  limit: number
  /** Default: 1. */
  units?: number
  /** Default: a minute. */
  windowMs?: number
}

/**
 * Consumes units of a subject's quota in the current window, or as many as are left. All processes consume from the
 * same row, so together they never get more than the limit. `subject` is stored as a hash.
 */
export async function consumeQuota(subject: string, use: QuotaUse): Promise<QuotaGrant> {
  const [row] = await executeOnPlatform(CONSUME_QUOTA, valuesOf(subject, use))
  const [granted, left, endsAt] = row ?? []
  return { granted: Number(granted), left: Number(left), endsAt: new Date(endsAt ?? 0) }
}

/** Does the same in a transaction, whose rollback restores the units. */
export async function consumeQuotaIn(tx: StoreTx, subject: string, use: QuotaUse): Promise<QuotaGrant> {
  const [row] = await tx.prepared<{ granted: bigint; left: bigint; ends_at: Date }>(
    CONSUME_QUOTA,
    valuesOf(subject, use),
  )
  if (!row) throw new Error('The statement of a quota returned no row')
  return { granted: Number(row.granted), left: Number(row.left), endsAt: row.ends_at }
}

/** Consumes units in a transaction. Throws 429 `rate_limit.exceeded` if none are left. */
export async function requireQuotaIn(tx: StoreTx, subject: string, use: QuotaUse): Promise<void> {
  const { granted, endsAt } = await consumeQuotaIn(tx, subject, use)
  if (!granted) throw CommonErrors.rateLimitExceeded({ retryAfter: secondsUntil(endsAt) })
}

/** Consumes units in a transaction. If that leaves none, resets the quota and returns true. */
export async function useUpQuotaIn(tx: StoreTx, subject: string, use: QuotaUse): Promise<boolean> {
  const { left } = await consumeQuotaIn(tx, subject, use)
  if (left > 0) return false
  await resetQuotas(tx.knex, subject)
  return true
}

const valuesOf = (subject: string, { limit, units = 1, windowMs = MINUTE_MS }: QuotaUse): string[] =>
  CONSUME_QUOTA.values({
    subject: sha256(subject).toString('hex'),
    units: String(units),
    limit: String(limit),
    at: now().toISOString(),
    newEnd: inMs(windowMs).toISOString(),
  })

/** The used units of a subject and the end of their window, as text of PostgreSQL; null without usage. */
export type QuotaUsage = readonly [used: string | null, endsAt: string | null]

/** SQL that selects the `QuotaUsage` of a subject. `subject` is an SQL expression. */
export const quotaUsageSql = (subject: string): string =>
  `select used, ends_at from rate_limits where subject = sha256(convert_to(${subject}, 'UTF8'))`

const QUOTA_USAGE = { name: 'quota_usage', text: quotaUsageSql('$1::text') }

/** Reads a subject's usage without consuming a unit. */
export async function readQuotaUsage(subject: string): Promise<QuotaUsage> {
  const [row] = await readOnPlatform(QUOTA_USAGE, [subject])
  const [used = null, endsAt = null] = row ?? []
  return [used, endsAt]
}

/**
 * Reads in a transaction whether a subject has used up `limit`. Returns the end of its window; null if units are left.
 */
export async function readExhaustedUntil(tx: StoreTx, subject: string, limit: number): Promise<Date | null> {
  const [row] = await tx.prepared<{ used: bigint; ends_at: Date }>(QUOTA_USAGE, [subject])
  return row ? exhaustedUntil([String(row.used), row.ends_at.toISOString()], limit) : null
}

/** Returns the end of the window if `limit` is used up; null if units are left. */
export function exhaustedUntil([used, endsAt]: QuotaUsage, limit: number): Date | null {
  const end = new Date(endsAt ?? 0)
  return Number(used ?? 0) >= limit && end > now() ? end : null
}

/** Restores all units of subjects when the transaction commits. */
export async function resetQuotas(knex: Knex, ...subjects: string[]): Promise<void> {
  await knex('rate_limits').whereIn('subject', subjects.map(sha256)).delete()
}
