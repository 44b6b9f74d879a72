import { executeOnPlatform } from '../db/pipelined-query.ts'
import { sha256 } from '../secrets/crypto.ts'

/** How often an outside system may be called, by whoever it counts as one caller. */
export interface ThrottleRate {
  /** Whom the outside system counts, such as an API key. Kept as a hash. */
  subject: string
  /** Calls that may be made at once after a pause. */
  burst: number
  /** Calls a second, in the long run. */
  perSecond: number
}

/** A lane to call in, or how long until it is worth asking again. */
export type Acquisition = { lane: number } | { freeInMs: number; isInUse: boolean }

const SUBJECT = "decode($1, 'hex')"
const inMs = (value: string) => `clock_timestamp() + ${value}::float8 * interval '1 millisecond'`

const ACQUIRE_SLOT = {
  name: 'take_lane',
  text: `
    with free as (
      select lane from rate_lanes
      where subject = ${SUBJECT} and lane < $2::int and free_at <= clock_timestamp()
      order by free_at limit 1 for no key update skip locked
    ), taken as (
      update rate_lanes r set is_in_use = true, free_at = ${inMs('$3')}
      from free where r.subject = ${SUBJECT} and r.lane = free.lane
      returning r.lane
    ), opened as (
      insert into rate_lanes (subject, lane, is_in_use, free_at, closed_until)
      select ${SUBJECT}, n, true, ${inMs('$3')}, '-infinity' from generate_series(0, $2::int - 1) n
      where not exists (select from taken)
        and not exists (select from rate_lanes where subject = ${SUBJECT} and lane = n)
      order by n limit 1
      on conflict do nothing
      returning lane
    )
    select coalesce((select lane from taken), (select lane from opened)),
      ceil(extract(epoch from min(free_at) filter (where not is_in_use) - clock_timestamp()) * 1000),
      bool_or(is_in_use and free_at > clock_timestamp())
    from rate_lanes where subject = ${SUBJECT} and lane < $2::int`,
}

const RELEASE_SLOT = {
  name: 'leave_lane',
  text: `
    update rate_lanes set is_in_use = false, free_at = greatest(${inMs('$3')}, closed_until)
    where subject = ${SUBJECT} and lane = $2::int`,
}

const SUSPEND_SLOTS = {
  name: 'close_lanes',
  text: `
    insert into rate_lanes as r (subject, lane, is_in_use, free_at, closed_until)
    select ${SUBJECT}, n, false, ${inMs('$3')}, ${inMs('$3')} from generate_series(0, $2::int - 1) n
    on conflict (subject, lane) do update set
      closed_until = greatest(r.closed_until, excluded.closed_until),
      free_at = greatest(r.free_at, excluded.closed_until)`,
}

const hashOf = ({ subject }: ThrottleRate): string => sha256(subject).toString('hex')
const restMs = ({ burst, perSecond }: ThrottleRate): number => (burst * 1_000) / perSecond

/**
 * Takes a lane for a call that ends within `longestMs`. There are `burst` lanes, shared by all processes, and each
 * rests for `burst ÷ perSecond` after its call has ended. So in any stretch of t seconds at most `burst + t × perSecond`
 * calls arrive, however long each was on its way: a pause that began with the sending would shrink whenever a call
 * is delayed and the next one is not. A process that dies leaves its lane to the rest when the call's time is over.
 *
 * The database's clock counts here, not the service's: the clocks of two machines differ by more than a pause.
 */
export async function acquire(pace: ThrottleRate, longestMs: number): Promise<Acquisition> {
  const { burst } = pace
  const values = [hashOf(pace), String(burst), String(longestMs + restMs(pace))]
  const [row] = await executeOnPlatform(ACQUIRE_SLOT, values)
  const [lane = null, freeInMs = null, isInUse = null] = row ?? []
  if (lane !== null) return { lane: Number(lane) }
  return { freeInMs: Math.max(0, Number(freeInMs ?? 0)), isInUse: isInUse === 't' }
}

/** Ends a call: its lane rests from now on. */
export async function release(pace: ThrottleRate, lane: number): Promise<void> {
  await executeOnPlatform(RELEASE_SLOT, [hashOf(pace), String(lane), String(restMs(pace))])
}

/** Lets nobody call for so long, as the other side asked. */
export async function suspend(pace: ThrottleRate, ms: number): Promise<void> {
  await executeOnPlatform(SUSPEND_SLOTS, [hashOf(pace), String(pace.burst), String(ms)])
}
