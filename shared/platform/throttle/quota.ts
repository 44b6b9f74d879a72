import type { Knex } from 'knex'
import { executeOnPlatform, readOnPlatform } from '../db/pipelined-query.ts'
import type { StoreTx } from '../db/store-scope.ts'
import { sha256 } from '../secrets/crypto.ts'
import { inMs, MINUTE_MS, now } from '../time/clock.ts'

/** Units of a limit, good until its window ends. */
export interface QuotaGrant {
  granted: number
  /** Of the window's units, those that nobody was granted yet. */
  left: number
  endsAt: Date
}

// The first request of a subject opens its window; the statement's row lock puts all processes in one queue.
const CONSUME_QUOTA = {
  name: 'take_units',
  text: `
    insert into rate_limits as r (subject, used, granted, ends_at)
    values (decode($1, 'hex'), least($2::bigint, $3::bigint), least($2::bigint, $3::bigint), $5::timestamptz)
    on conflict (subject) do update set
      used = case when r.ends_at <= $4::timestamptz then excluded.used
                  else greatest(r.used, least(r.used + $2::bigint, $3::bigint)) end,
      granted = case when r.ends_at <= $4::timestamptz then excluded.granted
                     else greatest(0, least($2::bigint, $3::bigint - r.used)) end,
      ends_at = case when r.ends_at <= $4::timestamptz then excluded.ends_at else r.ends_at end
    returning granted, greatest(0, $3::bigint - used), ends_at`,
}

/**
 * Takes `units` of what `subject` may have of a limit in its present window, or as many as are left of it. All
 * processes take from the same row, so together they are never granted more than the limit. `subject` is kept as a hash.
 */
export async function consumeQuota(
  subject: string,
  most: number,
  units: number,
  windowMs = MINUTE_MS,
): Promise<QuotaGrant> {
  const [row] = await executeOnPlatform(CONSUME_QUOTA, valuesOf(subject, most, units, windowMs))
  const [granted, left, endsAt] = row ?? []
  return { granted: Number(granted), left: Number(left), endsAt: new Date(endsAt ?? 0) }
}

/** Takes one unit in a transaction, which gives it back if it fails. Returns when the window ends if none was left. */
export async function consumeQuotaIn(
  tx: StoreTx,
  subject: string,
  most: number,
  windowMs: number,
): Promise<Date | null> {
  const [row] = await tx.prepared<{ granted: bigint; ends_at: Date }>(
    CONSUME_QUOTA,
    valuesOf(subject, most, 1, windowMs),
  )
  return row && !row.granted ? row.ends_at : null
}

const valuesOf = (subject: string, most: number, units: number, windowMs: number): string[] => [
  sha256(subject).toString('hex'),
  String(units),
  String(most),
  now().toISOString(),
  inMs(windowMs).toISOString(),
]

/** Units that a subject has taken, and when their window ends, as PostgreSQL writes them; null where none were. */
export type QuotaUsage = readonly [used: string | null, endsAt: string | null]

/** SQL that selects `Taken` of the subject that an SQL expression names. */
export const quotaUsageSql = (subject: string): string =>
  `select used, ends_at from rate_limits where subject = sha256(convert_to(${subject}, 'UTF8'))`

const QUOTA_USAGE = { name: 'taken_units', text: quotaUsageSql('$1::text') }

/** What a subject has taken so far; it takes nothing. */
export async function readQuotaUsage(subject: string): Promise<QuotaUsage> {
  const [[used = null, endsAt = null] = []] = await readOnPlatform(QUOTA_USAGE, [subject])
  return [used, endsAt]
}

/** When the window ends of a subject that has nothing left; null while it has. */
export function exhaustedUntil([used, endsAt]: QuotaUsage, most: number): Date | null {
  const end = new Date(endsAt ?? 0)
  return Number(used ?? 0) >= most && end > now() ? end : null
}

/** Gives subjects all of their units back, when the transaction commits. */
export async function resetQuotas(knex: Knex, ...subjects: string[]): Promise<void> {
  await knex('rate_limits').whereIn('subject', subjects.map(sha256)).delete()
}
