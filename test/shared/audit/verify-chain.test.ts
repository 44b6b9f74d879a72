import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { platformChain, storeChain } from '#shared/audit/chain.ts'
import { renewProof } from '#shared/audit/head.ts'
import { recordChange } from '#shared/audit/record-change.ts'
import { verifyChain } from '#shared/audit/verify-chain.ts'
import { db } from '#shared/platform/db/db.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildStore } from '#test/support/build.ts'
import { asSuperuser, buildChange, buildEntries, hashAnew, verify } from '#test/support/build-audit.ts'
import { buildKey, useKeys } from '#test/support/keys.ts'
import { meetingPoint } from '#test/support/meeting-point.ts'

async function storeWithEntries(count = 5) {
  const store = await buildStore()
  await buildEntries(store, count)
  return store
}

/** Takes all entries behind that one away, and has the chain end with it. */
async function cutTo({ id }: { id: string }, sequence: number): Promise<void> {
  await asSuperuser('delete from audit_entries where store_id = $1 and sequence > $2', [id, sequence])
  await asSuperuser(
    `update audit_heads h set sequence = e.sequence, hash = e.hash from audit_entries e
     where h.store_id = $1 and e.store_id = $1 and e.sequence = $2`,
    [id, sequence],
  )
}

test('an untouched chain is sound', async () => {
  const store = await storeWithEntries()

  const { sound, broken, hash } = await verify(store)

  assert.equal(broken, null)
  assert.equal(sound, 5n)
  assert.match(hash, /^[0-9a-f]{64}$/)
  assert.equal((await verify(await buildStore())).sound, 0n)
})

test('a chain longer than one slice is sound', async () => {
  const store = await buildStore()
  await buildEntries(store, 1_001)

  assert.equal((await verify(store)).sound, 1_001n)
})

const CHANGES = {
  after: `after = '{"name": "Never"}'`,
  before: 'before = null',
  actor_email: "actor_email = 'someone.else@example.test'",
  actor_id: 'actor_id = gen_random_uuid()',
  ip: "ip = '10.0.0.1'",
  action: "action = 'getNothing'",
  resource_id: 'resource_id = null',
  created_at: "created_at = created_at - interval '1 millisecond'",
  hash: "hash = decode(repeat('00', 32), 'hex')",
  previous_hash: "previous_hash = decode(repeat('00', 32), 'hex')",
}

for (const [column, change] of Object.entries(CHANGES))
  test(`a changed ${column} is found, and the entry named`, async () => {
    const store = await storeWithEntries()

    await asSuperuser(`update audit_entries set ${change} where store_id = $1 and sequence = 3`, [store.id])

    assert.deepEqual((await verify(store)).broken, { sequence: 3n, fault: 'changed' })
  })

test('a deleted entry is found', async () => {
  const store = await storeWithEntries()

  await asSuperuser('delete from audit_entries where store_id = $1 and sequence = 2', [store.id])

  assert.deepEqual((await verify(store)).broken, { sequence: 2n, fault: 'missing' })
})

test('a deleted entry is found though the others close up', async () => {
  const store = await storeWithEntries()

  await asSuperuser('delete from audit_entries where store_id = $1 and sequence = 2', [store.id])
  for (const sequence of [3, 4, 5])
    await asSuperuser('update audit_entries set sequence = $2 - 1 where store_id = $1 and sequence = $2', [
      store.id,
      sequence,
    ])

  assert.deepEqual((await verify(store)).broken, { sequence: 2n, fault: 'changed' })
})

test('a cut end is found', async () => {
  const store = await storeWithEntries()

  await asSuperuser('delete from audit_entries where store_id = $1 and sequence > 3', [store.id])

  assert.deepEqual((await verify(store)).broken, { sequence: 4n, fault: 'missing' })
})

test('a chain without its end is found', async () => {
  const store = await storeWithEntries()

  await asSuperuser('delete from audit_heads where store_id = $1', [store.id])

  assert.deepEqual((await verify(store)).broken, { sequence: 6n, fault: 'missing' })
})

test('a cut end is found though the chain was made to end there', async () => {
  const store = await storeWithEntries()

  await cutTo(store, 3)

  assert.deepEqual((await verify(store)).broken, { sequence: 4n, fault: 'missing' })
})

test('a cut does not heal with the next entry', async () => {
  const store = await storeWithEntries()
  await cutTo(store, 3)

  await buildEntries(store, 2)

  assert.deepEqual((await verify(store)).broken, { sequence: 4n, fault: 'missing' })
})

test('an end that is put back to where it once stood is found, though it is proven', async () => {
  const store = await storeWithEntries(3)
  const [early] = (await asSuperuser('select to_jsonb(h) as row from audit_heads h where store_id = $1', [
    store.id,
  ])) as { row: unknown }[]
  await buildEntries(store, 2)

  await asSuperuser('delete from audit_heads where store_id = $1', [store.id])
  await asSuperuser(
    'insert into audit_heads select (jsonb_populate_record(null::audit_heads, $1::jsonb)).*',
    [JSON.stringify(early?.row)],
  )

  assert.deepEqual((await verify(store)).broken, { sequence: 6n, fault: 'missing' })
})

test('a place that was written down shows a chain that was put in place of it', async () => {
  const store = await storeWithEntries(3)
  const { sound, hash } = await verify(store)
  const place = { sequence: sound, hash: Buffer.from(hash, 'hex') }
  const verifyFrom = () => inStore(store.id, (tx) => verifyChain(storeChain(tx), place))

  await buildEntries(store, 1)
  assert.deepEqual(
    { sound: (await verifyFrom()).sound, broken: (await verifyFrom()).broken },
    { sound: 4n, broken: null },
  )

  for (const table of ['audit_entries', 'audit_heads'])
    await asSuperuser(`delete from ${table} where store_id = $1`, [store.id])
  await buildEntries(store, 2)
  assert.deepEqual((await verifyFrom()).broken, { sequence: 3n, fault: 'missing' })
  await buildEntries(store, 2)
  assert.deepEqual((await verifyFrom()).broken, { sequence: 3n, fault: 'replaced' })
  assert.equal((await verify(store)).broken, null)
})

test('two entries in each other’s place are found', async () => {
  const store = await storeWithEntries()

  for (const [from, to] of [
    [2, 99],
    [4, 2],
    [99, 4],
  ])
    await asSuperuser('update audit_entries set sequence = $3 where store_id = $1 and sequence = $2', [
      store.id,
      from,
      to,
    ])

  assert.deepEqual((await verify(store)).broken, { sequence: 2n, fault: 'changed' })
})

test('an entry put in at the end is found, though it names its predecessor', async () => {
  const store = await storeWithEntries()

  await asSuperuser(
    `insert into audit_entries
     select (jsonb_populate_record(e, jsonb_build_object('sequence', 6, 'previous_hash', e.hash))).*
     from audit_entries e where store_id = $1 and sequence = 5`,
    [store.id],
  )

  assert.deepEqual((await verify(store)).broken, { sequence: 6n, fault: 'changed' })
})

test('an entry of another past of the chain is found, though the next one is tied to it', async () => {
  const store = await storeWithEntries(1)
  const copyOf = async (table: string, sequence: number) => {
    const rows = await asSuperuser(
      `select to_jsonb(t) as row from ${table} t where store_id = $1 and sequence = $2`,
      [store.id, sequence],
    )
    return JSON.stringify((rows as { row: unknown }[])[0]?.row)
  }
  const putIn = (table: string, row: string) =>
    asSuperuser(`insert into ${table} select (jsonb_populate_record(null::${table}, $1::jsonb)).*`, [row])
  const remove = (table: string, sequence: number) =>
    asSuperuser(`delete from ${table} where store_id = $1 and sequence = $2`, [store.id, sequence])
  const end = await copyOf('audit_heads', 1)
  await buildEntries(store, 1)
  const other = await copyOf('audit_entries', 2)
  await remove('audit_entries', 2)
  await remove('audit_heads', 2)
  await putIn('audit_heads', end)
  await buildEntries(store, 2)
  assert.equal((await verify(store)).broken, null)

  await remove('audit_entries', 2)
  await putIn('audit_entries', other)
  await asSuperuser(
    `update audit_entries e set previous_hash = p.hash from audit_entries p
     where e.store_id = $1 and e.sequence = 3 and p.store_id = $1 and p.sequence = 2`,
    [store.id],
  )

  assert.deepEqual((await verify(store)).broken, { sequence: 3n, fault: 'changed' })
})

test('an entry of another store is found', async () => {
  const [store, other] = [await storeWithEntries(2), await storeWithEntries(3)]

  await asSuperuser('update audit_entries set store_id = $1 where store_id = $2 and sequence = 3', [
    store.id,
    other.id,
  ])

  assert.deepEqual((await verify(store)).broken, { sequence: 3n, fault: 'changed' })
  assert.deepEqual((await verify(other)).broken, { sequence: 3n, fault: 'missing' })
})

test('changes at once keep one unbroken chain', async () => {
  const store = await buildStore()

  await Promise.all(Array.from({ length: 40 }, () => buildEntries(store, 1)))

  const { sound, broken } = await verify(store)
  assert.equal(broken, null)
  assert.equal(sound, 40n)
})

test('control: without the lock, two changes at once continue the same entry', async () => {
  const store = await storeWithEntries(1)
  const meet = meetingPoint(2)

  const naively = () =>
    inStore(store.id, async ({ knex }) => {
      const { sequence } = await knex('audit_heads').where('store_id', store.id).first('sequence')
      await meet()
      return sequence + 1n
    })

  assert.deepEqual(await Promise.all([naively(), naively()]), [2n, 2n])
})

test('the end of the chain is locked last, so changes do not wait for one another', async () => {
  const store = await buildStore()
  const second = Promise.withResolvers<void>()

  const slow = inStore(store.id, async (tx) => {
    recordChange(tx, buildChange())
    await second.promise
  })
  await buildEntries(store, 1)
  second.resolve()
  await slow

  assert.equal((await verify(store)).sound, 2n)
})

test('a change that is rolled back leaves no entry', async () => {
  const store = await storeWithEntries(1)

  await assert.rejects(
    inStore(store.id, async (tx) => {
      recordChange(tx, buildChange())
      throw new Error('no')
    }),
  )

  assert.equal((await verify(store)).sound, 1n)
})

test("what a super-admin does stands in the store's chain and in the platform's", async () => {
  const store = await buildStore()
  const actor = { type: 'super_admin', id: newId(), email: 'root@example.test', sessionId: null } as const
  const { sound: before } = await verifyChain(platformChain(db()))

  await inStore(store.id, async (tx) => recordChange(tx, buildChange({ actor })))

  assert.deepEqual(
    { sound: (await verify(store)).sound, broken: (await verify(store)).broken },
    { sound: 1n, broken: null },
  )
  const { sound, broken } = await verifyChain(platformChain(db()))
  assert.deepEqual({ sound, broken }, { sound: before + 1n, broken: null })
})

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
  const store = await storeWithEntries()
  useKeys('ENCRYPTION_KEYS', fresh, old)
  return store
}

test('an older key can go once a newer one has proven the end', async () => {
  const store = await storeByOldKey()
  assert.deepEqual([await renew(store), await renew(store)], ['renewed', 'current'])

  useKeys('ENCRYPTION_KEYS', fresh)

  assert.deepEqual(
    { sound: (await verify(store)).sound, broken: (await verify(store)).broken },
    { sound: 5n, broken: null },
  )
  await buildEntries(store, 2)
  assert.deepEqual(
    { sound: (await verify(store)).sound, broken: (await verify(store)).broken },
    { sound: 7n, broken: null },
  )
})

test('an entry by the newer key vouches for those before it, too', async () => {
  const store = await storeByOldKey()
  await buildEntries(store, 1)

  useKeys('ENCRYPTION_KEYS', fresh)

  assert.deepEqual(
    { sound: (await verify(store)).sound, broken: (await verify(store)).broken },
    { sound: 6n, broken: null },
  )
})

test('a key that went too early is missed: nothing vouches for the entries, and none can be added', async () => {
  const store = await storeByOldKey()
  useKeys('ENCRYPTION_KEYS', fresh)

  assert.deepEqual((await verify(store)).broken, { sequence: 1n, fault: 'unknown_key' })
  await assert.rejects(buildEntries(store, 1), /ENCRYPTION_KEYS does not hold the key "old"/)
  await assert.rejects(renew(store), /ENCRYPTION_KEYS does not hold the key "old"/)

  useKeys('ENCRYPTION_KEYS', fresh, old)
  await buildEntries(store, 1)
  assert.equal((await verify(store)).broken, null)
})

test('a forgery whose followers were all hashed anew is found, and its first entry named', async () => {
  const store = await storeWithEntries()

  await hashAnew(store, 3)

  assert.deepEqual((await verify(store)).broken, { sequence: 3n, fault: 'changed' })
})

test('it is found when the key of those entries is gone, too', async () => {
  for (const more of [0, 2]) {
    const store = await storeByOldKey()
    await renew(store)
    await buildEntries(store, more)
    useKeys('ENCRYPTION_KEYS', fresh)

    await hashAnew(store, 3)

    const fault = more ? 'changed' : 'replaced'
    assert.deepEqual(
      { sound: (await verify(store)).sound, broken: (await verify(store)).broken },
      { sound: 0n, broken: { sequence: 1n, fault } },
    )
  }
})

test('it is found though the chain was made to end with it', async () => {
  const store = await storeByOldKey()
  await renew(store)
  useKeys('ENCRYPTION_KEYS', fresh)

  await hashAnew(store, 3)
  await asSuperuser(
    `update audit_heads h set hash = e.hash from audit_entries e
     where h.store_id = $1 and e.store_id = $1 and e.sequence = h.sequence`,
    [store.id],
  )

  assert.deepEqual((await verify(store)).broken, { sequence: 1n, fault: 'unknown_key' })
  await buildEntries(store, 1)
  const { sound, broken } = await verify(store)
  assert.deepEqual({ sound, broken }, { sound: 0n, broken: { sequence: 1n, fault: 'missing' } })
})

test('a changed entry of a key that is gone is named itself, unless what follows was hashed anew', async () => {
  const store = await storeByOldKey()
  await renew(store)
  useKeys('ENCRYPTION_KEYS', fresh)

  await asSuperuser("update audit_entries set ip = '' where store_id = $1 and sequence = 3", [store.id])

  assert.deepEqual((await verify(store)).broken, { sequence: 3n, fault: 'changed' })
})

test('whoever stole a key that has gone can put no other chain in place of the proven one', async () => {
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

test('an end that somebody else put there is proven by no newer key', async () => {
  const store = await storeByOldKey()
  await cutTo(store, 3)

  assert.equal(await renew(store), 'broken')

  useKeys('ENCRYPTION_KEYS', fresh)
  assert.notEqual((await verify(store)).broken, null)
})
