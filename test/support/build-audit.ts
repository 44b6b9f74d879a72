import { hashEntry, storeChain } from '#shared/audit/chain.ts'
import type { Change } from '#shared/audit/entry.ts'
import { toEntry } from '#shared/audit/entry.ts'
import { recordChange } from '#shared/audit/record-change.ts'
import { type Verdict, verifyChain } from '#shared/audit/verify-chain.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
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

/** Forges the entry at a place, and hashes it and all behind it anew: what someone can do who has no key. */
export async function hashAnew({ id }: { id: string }, from: number): Promise<void> {
  const { rows } = await superuser.query(
    'select * from audit_entries where store_id = $1 and sequence >= $2 order by sequence',
    [id, from],
  )
  let previousHash: Buffer | undefined
  for (const row of rows) {
    const written = toEntry({ ...row, sequence: BigInt(row.sequence) })
    const { hash: _, keyId: _keyId, proof: _proof, ...kept } = written
    const entry = { ...kept, ...(previousHash ? { previousHash } : { ip: '203.0.113.9' }) }
    previousHash = hashEntry(id, entry)
    await superuser.query(
      'update audit_entries set ip = $3, previous_hash = $4, hash = $5 where store_id = $1 and sequence = $2',
      [id, row.sequence, entry.ip, entry.previousHash, previousHash],
    )
  }
}
