import type { Knex } from 'knex'
import { db } from '#shared/platform/db/db.ts'
import type { PlatformTx } from '#shared/platform/db/store-scope.ts'
import { HOUR_MS, inMs, now } from '#shared/platform/time/clock.ts'
import type { Verdict } from './verify-chain.ts'

interface Check {
  chain: string
  verdict: Verdict
  isWhole: boolean
  /** The chain's last anchor, which says when the chain was last verified fully. */
  anchor: { wholeAt: Date | null } | undefined
}

/** Records the outcome of the nightly verification of a chain for /metrics. */
export async function recordCheck(knex: Knex, { chain, verdict, isWhole, anchor }: Check): Promise<void> {
  const at = now()
  await knex('platform_audit_checks')
    .insert({
      chain,
      entries: verdict.verifiedCount,
      fault: verdict.broken?.fault ?? null,
      checked_at: at,
      wholly_checked_at: isWhole ? at : (anchor?.wholeAt ?? null),
      ...(verdict.broken ? {} : { reported_at: null }),
    })
    .onConflict('chain')
    .merge()
}

/** Returns the chains that were broken at their last verification. */
export const findBrokenChains = (knex: Knex): Promise<string[]> =>
  knex('platform_audit_checks').whereNotNull('fault').pluck('chain')

/** Longer than the usual attempts of one night's job, and shorter than the time to the next night. */
const NIGHT_MS = 12 * HOUR_MS

/**
 * Returns those of the broken chains that no mail of this night reports, and marks them as reported. Call it in the
 * transaction that queues the mail.
 */
export async function claimReports({ knex }: PlatformTx, chains: readonly string[]): Promise<Set<string>> {
  const claimed = await knex('platform_audit_checks')
    .whereRaw('chain = any(?)', [[...chains]])
    .where((due) => due.whereNull('reported_at').orWhere('reported_at', '<', inMs(-NIGHT_MS)))
    .update({ reported_at: now() })
    .returning<{ chain: string }[]>('chain')
  return new Set(claimed.map(({ chain }) => chain))
}

/** Deletes the outcomes of all other chains: their stores were purged. */
export async function deletePurgedOutcomes(knex: Knex, chains: readonly string[]): Promise<void> {
  await knex('platform_audit_checks')
    .whereRaw('chain <> all(?)', [[...chains]])
    .delete()
}

export interface CheckFigures {
  broken: number
  /** Seconds since the oldest verification; null if there was none. */
  oldestSeconds: number | null
  /** The longest time since a chain was last verified in full, in seconds; null if none was. */
  oldestWholeSeconds: number | null
}

/** Returns the number of broken chains at the last verification, and the ages of the oldest verifications. */
export async function readCheckFigures(): Promise<CheckFigures> {
  const [row] = await db()('platform_audit_checks').select(
    db().raw(
      'count(fault)::int as broken, min(checked_at) as oldest, min(wholly_checked_at) as "oldestWhole"',
    ),
  )
  const { broken, oldest, oldestWhole } = row as Record<'oldest' | 'oldestWhole', Date | null> & {
    broken: number
  }
  return { broken, oldestSeconds: secondsSince(oldest), oldestWholeSeconds: secondsSince(oldestWhole) }
}

const secondsSince = (time: Date | null): number | null => time && (now().getTime() - time.getTime()) / 1_000
