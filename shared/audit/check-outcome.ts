import type { Knex } from 'knex'
import { db } from '#shared/platform/db/db.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { Verdict } from './verify-chain.ts'

/** Records the outcome of the nightly verification of a chain for /metrics. */
export async function recordCheck(knex: Knex, chain: string, { sound, broken }: Verdict): Promise<void> {
  await knex('platform_audit_checks')
    .insert({ chain, entries: sound, fault: broken?.fault ?? null, checked_at: now() })
    .onConflict('chain')
    .merge()
}

/** Removes the outcomes of chains that were not verified since `start`: their stores were purged. */
export async function deletePurgedOutcomes(knex: Knex, start: Date): Promise<void> {
  await knex('platform_audit_checks').where('checked_at', '<', start).delete()
}

export interface CheckFigures {
  broken: number
  /** Seconds since the verification that is the longest ago; null: there was none. */
  oldestSeconds: number | null
}

/** The number of broken chains at the last verification, and the age of the oldest verification. */
export async function readCheckFigures(): Promise<CheckFigures> {
  const [row] = await db()('platform_audit_checks').select(
    db().raw('count(fault)::int as broken, min(checked_at) as oldest'),
  )
  const { broken, oldest } = row as { broken: number; oldest: Date | null }
  return { broken, oldestSeconds: oldest && (now().getTime() - oldest.getTime()) / 1_000 }
}
