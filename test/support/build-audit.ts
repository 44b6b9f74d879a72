import { storeChain } from '#shared/audit/chain.ts'
import type { Change } from '#shared/audit/entry.ts'
import { recordChange } from '#shared/audit/record-change.ts'
import { type Verdict, verifyChain } from '#shared/audit/verify-chain.ts'
import { newId } from '#shared/platform/id.ts'
import { inStore } from '#shared/platform/store-scope.ts'
import { superuser } from './database.ts'

/** A change as an administrator would make it. */
export const buildChange = (given: Partial<Change> = {}): Change => ({
  actor: { type: 'staff', id: newId(), email: 'tom@example.test', sessionId: newId() },
  ip: '127.0.0.1',
  requestId: 'request-1',
  action: 'patchAdminThingsId',
  resourceType: 'things',
  resourceId: newId(),
  before: { name: 'Old' },
  after: { name: 'New' },
  ...given,
})

/** Enters so many changes in the store's audit log, one after the other. */
export async function buildEntries(store: { id: string }, count: number): Promise<void> {
  for (let i = 1; i <= count; i++)
    await inStore(store.id, async (tx) => recordChange(tx, buildChange({ after: { name: `New ${i}` } })))
}

/** Verifies the store's chain. */
export const verify = (store: { id: string }): Promise<Verdict> =>
  inStore(store.id, (tx) => verifyChain(storeChain(tx)))

/** Asks or does what only someone with all rights to the database can, past row-level security. */
export async function asSuperuser(sql: string, values: unknown[]): Promise<unknown[]> {
  const { rows } = await superuser.query(sql, values)
  return rows
}
