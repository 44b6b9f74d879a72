import type { Knex } from 'knex'
import type { Page } from '#shared/platform/db/list-query.ts'
import { inPlatform, inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { inMs } from '#shared/platform/time/clock.ts'
import { platformChain, storeChain } from './chain.ts'
import type { AuditEntry } from './entry.ts'
import { type AuditFilter, listAuditEntries } from './list-audit-entries.ts'
import { type OpenedEntry, openEntries } from './sealed-content.ts'

/** Returns one page of the matching entries of the store's log, newest first. */
export async function readStoreLog(tx: StoreTx, filter: AuditFilter): Promise<Page<OpenedEntry>> {
  const { results, total } = await listAuditEntries(storeChain(tx), filter)
  return { results: await openEntries(tx, results), total }
}

/**
 * Returns one page of the matching entries of the platform's log, newest first. The keys of personal entries are in
 * their stores.
 */
export async function readPlatformLog(filter: AuditFilter): Promise<Page<OpenedEntry>> {
  const { results, total } = await inPlatform(({ knex }) => listAuditEntries(platformChain(knex), filter))
  const opened = new Map<bigint, OpenedEntry>()
  for (const [storeId, entries] of Map.groupBy(results, (entry) => (entry.sealed ? entry.storeId : null)))
    for (const entry of await openIn(storeId, entries)) opened.set(entry.sequence, entry)
  return { results: results.flatMap(({ sequence }) => opened.get(sequence) ?? []), total }
}

interface RecordedAction {
  actorId: string
  action: string
  resourceId: string | null
  /** Null if the action concerned no store. */
  storeId: string | null
}

/** Whether the platform's log has an entry of an action from the last `withinMs` milliseconds. */
export async function wasRecorded(
  knex: Knex,
  { actorId, action, resourceId, storeId }: RecordedAction,
  withinMs: number,
): Promise<boolean> {
  const { entries } = platformChain(knex)
  const same = { actor_id: actorId, action, resource_id: resourceId, store_id: storeId }
  const found = await knex(entries).where(same).where('created_at', '>', inMs(-withinMs)).first('sequence')
  return found !== undefined
}

const openIn = async (storeId: string | null, entries: AuditEntry[]): Promise<OpenedEntry[]> =>
  storeId
    ? inStore(storeId, (tx) => openEntries(tx, entries))
    : entries.map((entry) => ({ ...entry, isErased: false }))
