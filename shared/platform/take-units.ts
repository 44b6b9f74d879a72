import { inMs, MINUTE_MS, now } from './clock.ts'
import { sha256 } from './crypto.ts'
import { changePlatform } from './one-round-trip.ts'

/** Units of a limit, good until its window ends. */
export interface Grant {
  granted: number
  /** Of the window's units, those that nobody was granted yet. */
  left: number
  endsAt: Date
}

// The first request of a subject opens its window; the statement's row lock puts all processes in one queue.
const TAKE_UNITS = {
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
export async function takeUnits(subject: string, perMinute: number, units: number): Promise<Grant> {
  const [row] = await changePlatform(TAKE_UNITS, [
    sha256(subject).toString('hex'),
    String(units),
    String(perMinute),
    now().toISOString(),
    inMs(MINUTE_MS).toISOString(),
  ])
  const [granted, left, endsAt] = row ?? []
  return { granted: Number(granted), left: Number(left), endsAt: new Date(endsAt ?? 0) }
}
