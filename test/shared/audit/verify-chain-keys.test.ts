import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { storeChain } from '#shared/audit/chain.ts'
import { renewProof } from '#shared/audit/head.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import {
  asSuperuser,
  buildEntries,
  buildStoreWithEntries,
  cutTo,
  rehash,
  verify,
} from '#test/support/builders/audit.ts'
import { buildKey, useKeys } from '#test/support/keys.ts'

const [old, fresh] = [buildKey('old'), buildKey('new')]
const renew = (store: { id: string }) => inStore(store.id, (tx) => renewProof(storeChain(tx)))
const rowsOf = ({ id }: { id: string }, table: string) =>
  asSuperuser(`select to_jsonb(t) as row from ${table} t where store_id = $1`, [id])
const putBack = async (table: string, rows: unknown[]) => {
  for (const { row } of rows as { row: unknown }[])
    await asSuperuser(`insert into ${table} select (jsonb_populate_record(null::${table}, $1::jsonb)).*`, [
      JSON.stringify(row),
    ])
}
const forget = async ({ id }: { id: string }, ...tables: string[]) => {
  for (const table of tables) await asSuperuser(`delete from ${table} where store_id = $1`, [id])
}

async function storeByOldKey() {
  useKeys('ENCRYPTION_KEYS', old)
  const store = await buildStoreWithEntries()
  useKeys('ENCRYPTION_KEYS', fresh, old)
  return store
}

test('an older key can be removed once a newer one has signed the head', async () => {
  const store = await storeByOldKey()
  assert.deepEqual(
    { first: await renew(store), second: await renew(store) },
    { first: 'renewed', second: 'current' },
  )

  useKeys('ENCRYPTION_KEYS', fresh)

  assert.deepEqual(
    { verifiedCount: (await verify(store)).verifiedCount, broken: (await verify(store)).broken },
    { verifiedCount: 5n, broken: null },
  )
  await buildEntries(store, 2)
  assert.deepEqual(
    { verifiedCount: (await verify(store)).verifiedCount, broken: (await verify(store)).broken },
    { verifiedCount: 7n, broken: null },
  )
})

test('an entry signed by the newer key proves the earlier ones too', async () => {
  const store = await storeByOldKey()
  await buildEntries(store, 1)

  useKeys('ENCRYPTION_KEYS', fresh)

  assert.deepEqual(
    { verifiedCount: (await verify(store)).verifiedCount, broken: (await verify(store)).broken },
    { verifiedCount: 6n, broken: null },
  )
})

test('without a key that was removed too early, the entries are unproven and none can be added', async () => {
  const store = await storeByOldKey()
  useKeys('ENCRYPTION_KEYS', fresh)

  assert.deepEqual((await verify(store)).broken, { sequence: 1n, fault: 'unknown_key' })
  await assert.rejects(buildEntries(store, 1), /ENCRYPTION_KEYS does not hold the key "old"/)
  await assert.rejects(renew(store), /ENCRYPTION_KEYS does not hold the key "old"/)

  useKeys('ENCRYPTION_KEYS', fresh, old)
  await buildEntries(store, 1)
  assert.equal((await verify(store)).broken, null)
})

test('a forged entry whose successors were all rehashed is reported', async () => {
  const store = await buildStoreWithEntries()

  await rehash(store, 3)

  assert.deepEqual((await verify(store)).broken, { sequence: 3n, fault: 'changed' })
})

test('a rehashed forgery is reported when the key of its entries was removed', async () => {
  for (const more of [0, 2]) {
    const store = await storeByOldKey()
    await renew(store)
    await buildEntries(store, more)
    useKeys('ENCRYPTION_KEYS', fresh)

    await rehash(store, 3)

    const fault = more ? 'changed' : 'replaced'
    assert.deepEqual(
      { verifiedCount: (await verify(store)).verifiedCount, broken: (await verify(store)).broken },
      { verifiedCount: 0n, broken: { sequence: 1n, fault } },
    )
  }
})

test('a rehashed forgery is reported when the head is changed to match', async () => {
  const store = await storeByOldKey()
  await renew(store)
  useKeys('ENCRYPTION_KEYS', fresh)

  await rehash(store, 3)
  await asSuperuser(
    `update audit_heads h set hash = e.hash from audit_entries e
     where h.store_id = $1 and e.store_id = $1 and e.sequence = h.sequence`,
    [store.id],
  )

  assert.deepEqual((await verify(store)).broken, { sequence: 1n, fault: 'unknown_key' })
  await buildEntries(store, 1)
  const { verifiedCount, broken } = await verify(store)
  assert.deepEqual(
    { verifiedCount, broken },
    { verifiedCount: 0n, broken: { sequence: 1n, fault: 'missing' } },
  )
})

test('a changed entry of a removed key is reported, unless its successors were rehashed', async () => {
  const store = await storeByOldKey()
  await renew(store)
  useKeys('ENCRYPTION_KEYS', fresh)

  await asSuperuser("update audit_entries set ip = '' where store_id = $1 and sequence = 3", [store.id])

  assert.deepEqual((await verify(store)).broken, { sequence: 3n, fault: 'changed' })
})

test('a stolen key that was removed cannot sign another chain in place of the signed one', async () => {
  const store = await storeByOldKey()
  await renew(store)
  const proven = await rowsOf(store, 'audit_heads')

  useKeys('ENCRYPTION_KEYS', old)
  await forget(store, 'audit_entries', 'audit_heads')
  await buildEntries(store, 5)

  useKeys('ENCRYPTION_KEYS', fresh)
  assert.deepEqual((await verify(store)).broken, { sequence: 1n, fault: 'unknown_key' })
  await forget(store, 'audit_heads')
  await putBack('audit_heads', proven)
  assert.deepEqual((await verify(store)).broken, { sequence: 1n, fault: 'replaced' })
})

test('a newer key does not sign a head that was replaced', async () => {
  const store = await storeByOldKey()
  await cutTo(store, 3)

  assert.equal(await renew(store), 'broken')

  useKeys('ENCRYPTION_KEYS', fresh)
  assert.notEqual((await verify(store)).broken, null)
})
