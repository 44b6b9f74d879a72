import { hashEntry, storeChain } from '#shared/audit/chain.ts'
import type { AuditedChange } from '#shared/audit/entry.ts'
import { toEntry } from '#shared/audit/entry.ts'
import { recordChange } from '#shared/audit/record-change.ts'
import { type Verdict, verifyChain } from '#shared/audit/verify-chain.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { superuser } from '#test/support/database.ts'

/** A change by an administrator. */
export const buildChange = (given: Partial<AuditedChange> = {}): AuditedChange => ({
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

/** Appends this many changes to the store's audit log, one after the other. */
export async function buildEntries(store: { id: string }, count: number): Promise<void> {
  for (let i = 1; i <= count; i++)
    await inStore(store.id, async (tx) => recordChange(tx, buildChange({ after: { name: `New ${i}` } })))
}

/** A store with this many entries in its audit log. */
export async function buildStoreWithEntries(count = 5): Promise<BuiltStore> {
  const store = await buildStore()
  await buildEntries(store, count)
  return store
}

/** Deletes the last entries of the audit log, and makes its head name the last one that is left. */
export async function cutTo({ id }: { id: string }, sequence: number): Promise<void> {
  await asSuperuser('delete from audit_entries where store_id = $1 and sequence > $2', [id, sequence])
  await asSuperuser(
    `update audit_heads h set sequence = e.sequence, hash = e.hash from audit_entries e
     where h.store_id = $1 and e.store_id = $1 and e.sequence = $2`,
    [id, sequence],
  )
}

/** Verifies the store's hash chain. */
export const verify = (store: { id: string }): Promise<Verdict> =>
  inStore(store.id, (tx) => verifyChain(storeChain(tx)))

/** Runs SQL as the superuser, past row-level security. */
export async function asSuperuser(sql: string, values: unknown[]): Promise<unknown[]> {
  const { rows } = await superuser.query(sql, values)
  return rows
}

/** Forges one entry and recomputes its hash and all later ones, as an attacker without the key can. */
export async function rehash({ id }: { id: string }, from: number): Promise<void> {
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
