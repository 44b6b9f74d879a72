import { executeOnPlatform } from '#shared/platform/db/pipelined-query.ts'
import { sha256 } from '#shared/platform/secrets/crypto.ts'

/*
 * The distributed throttle paces the service's own calls to an outside system, over all processes. A caller acquires a
 * slot, makes the call, and releases the slot. (quota.ts limits requests to the service.)
 */

/** The call rate that an outside system allows one of its clients. */
export interface ThrottleRate {
  /** The client as the outside system identifies it, such as an API key. Stored as a hash. */
  subject: string
  /** The number of slots: this many calls are allowed together after a pause. */
  burst: number
  /** Calls per second in the long run. */
  perSecond: number
}

/** A slot for a call, or the time in ms until one is free. `isInUse`: a running call may release its slot earlier. */
export type AcquireResult = { slot: number } | { freeInMs: number; isInUse: boolean }

const SUBJECT = "decode($1, 'hex')"
const inMs = (value: string) => `clock_timestamp() + ${value}::float8 * interval '1 millisecond'`

const ACQUIRE = {
  name: 'acquire_throttle_slot',
  text: `
    with suspension as (
      select suspended_until from throttle_suspensions
      where subject = ${SUBJECT} and suspended_until > clock_timestamp()
    ), free as (
      select slot from throttle_slots
      where subject = ${SUBJECT} and slot < $2::int and free_at <= clock_timestamp()
        and not exists (select from suspension)
      order by free_at limit 1 for no key update skip locked
    ), acquired as (
      update throttle_slots t set is_in_use = true, free_at = ${inMs('$3')}
      from free where t.subject = ${SUBJECT} and t.slot = free.slot
      returning t.slot
    ), created as (
      insert into throttle_slots (subject, slot, is_in_use, free_at)
      select ${SUBJECT}, n, true, ${inMs('$3')} from generate_series(0, $2::int - 1) n
      where not exists (select from acquired) and not exists (select from suspension)
        and not exists (select from throttle_slots where subject = ${SUBJECT} and slot = n)
      order by n limit 1
      on conflict do nothing
      returning slot
    ), freed as (
      select min(free_at) filter (where not is_in_use) as first_at,
        coalesce(bool_or(is_in_use and free_at > clock_timestamp()), false) as is_in_use
      from throttle_slots where subject = ${SUBJECT} and slot < $2::int
    )
    select coalesce((select slot from acquired), (select slot from created)),
      ceil(extract(epoch from greatest((select suspended_until from suspension), first_at) - clock_timestamp()) * 1000),
      is_in_use and not exists (select from suspension)
    from freed`,
}

const RELEASE = {
  name: 'release_throttle_slot',
  text: `
    update throttle_slots set is_in_use = false, free_at = ${inMs('$3')}
    where subject = ${SUBJECT} and slot = $2::int`,
}

// One row suspends all slots of a subject, because clients can cause suspensions and a subject may have thousands.
const SUSPEND = {
  name: 'suspend_throttle_subject',
  text: `
    insert into throttle_suspensions as s (subject, suspended_until) values (${SUBJECT}, ${inMs('$2')})
    on conflict (subject) do update set suspended_until = greatest(s.suspended_until, excluded.suspended_until)`,
}

const hashOf = ({ subject }: ThrottleRate): string => sha256(subject).toString('hex')
const pauseMs = ({ burst, perSecond }: ThrottleRate): number => (burst * 1_000) / perSecond

/**
 * Acquires a slot for a call of at most `timeoutMs`. All processes share the subject's `burst` slots. A slot pauses for
 * `burst ÷ perSecond` seconds after its call ends, so any t seconds see at most `burst + t × perSecond` calls arrive,
 * whatever each call's latency. A pause that starts with the sending would not hold that: a delayed call and a fast one
 * arrive closer together than they were sent. A slot of a process that died is free after the call's time-out and
 * pause.
 *
 * Uses the database's clock, not the service's: the clocks of two machines differ by more than a pause.
 */
export async function acquire(rate: ThrottleRate, timeoutMs: number): Promise<AcquireResult> {
  const values = [hashOf(rate), String(rate.burst), String(timeoutMs + pauseMs(rate))]
  const [row] = await executeOnPlatform(ACQUIRE, values)
  const [slot = null, freeInMs = null, isInUse = null] = row ?? []
  if (slot !== null) return { slot: Number(slot) }
  return { freeInMs: Math.max(0, Number(freeInMs ?? 0)), isInUse: isInUse === 't' }
}

/** Ends a call. The pause of its slot starts now. */
export async function release(rate: ThrottleRate, slot: number): Promise<void> {
  await executeOnPlatform(RELEASE, [hashOf(rate), String(slot), String(pauseMs(rate))])
}

/** Stops all calls for `ms` milliseconds, e.g. for the Retry-After of a 429. */
export async function suspend(rate: ThrottleRate, ms: number): Promise<void> {
  await executeOnPlatform(SUSPEND, [hashOf(rate), String(ms)])
}
