import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { platformChain, storeChain } from '#shared/audit/chain.ts'
import { recordChange } from '#shared/audit/record-change.ts'
import { verifyChain } from '#shared/audit/verify-chain.ts'
import { db } from '#shared/platform/db/db.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import {
  asSuperuser,
  buildChange,
  buildEntries,
  buildStoreWithEntries,
  cutTo,
  verify,
} from '#test/support/builders/audit.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { barrier } from '#test/support/races/barrier.ts'

test('an unchanged chain is verified as intact', async () => {
  const store = await buildStoreWithEntries()

  const { verifiedCount, broken, hash } = await verify(store)

  assert.equal(broken, null)
  assert.equal(verifiedCount, 5n)
  assert.match(hash, /^[0-9a-f]{64}$/)
  assert.equal((await verify(await buildStore())).verifiedCount, 0n)
})

test('a chain longer than one batch is verified as intact', async () => {
  const store = await buildStore()
  await buildEntries(store, 1_001)

  assert.equal((await verify(store)).verifiedCount, 1_001n)
})

test('an aborted verification ends with the reason', async () => {
  const store = await buildStoreWithEntries()
  const signal = AbortSignal.abort(new Error('the night is over'))

  const verified = inStore(store.id, (tx) => verifyChain(storeChain(tx), { signal }))

  await assert.rejects(verified, /the night is over/)
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
  test(`a changed ${column} is reported with its entry`, async () => {
    const store = await buildStoreWithEntries()

    await asSuperuser(`update audit_entries set ${change} where store_id = $1 and sequence = 3`, [store.id])

    assert.deepEqual((await verify(store)).broken, { sequence: 3n, fault: 'changed' })
  })

test('a deleted entry is reported', async () => {
  const store = await buildStoreWithEntries()

  await asSuperuser('delete from audit_entries where store_id = $1 and sequence = 2', [store.id])

  assert.deepEqual((await verify(store)).broken, { sequence: 2n, fault: 'missing' })
})

test('a deleted entry is reported when the later ones are renumbered', async () => {
  const store = await buildStoreWithEntries()

  await asSuperuser('delete from audit_entries where store_id = $1 and sequence = 2', [store.id])
  for (const sequence of [3, 4, 5])
    await asSuperuser('update audit_entries set sequence = $2 - 1 where store_id = $1 and sequence = $2', [
      store.id,
      sequence,
    ])

  assert.deepEqual((await verify(store)).broken, { sequence: 2n, fault: 'changed' })
})

test('deleted last entries are reported', async () => {
  const store = await buildStoreWithEntries()

  await asSuperuser('delete from audit_entries where store_id = $1 and sequence > 3', [store.id])

  assert.deepEqual((await verify(store)).broken, { sequence: 4n, fault: 'missing' })
})

test('a chain without its head is reported', async () => {
  const store = await buildStoreWithEntries()

  await asSuperuser('delete from audit_heads where store_id = $1', [store.id])

  assert.deepEqual((await verify(store)).broken, { sequence: 6n, fault: 'missing' })
})

test('deleted last entries are reported when the head is changed to match', async () => {
  const store = await buildStoreWithEntries()

  await cutTo(store, 3)

  assert.deepEqual((await verify(store)).broken, { sequence: 4n, fault: 'missing' })
})

test('deleted last entries are still reported after the next entry', async () => {
  const store = await buildStoreWithEntries()
  await cutTo(store, 3)

  await buildEntries(store, 2)

  assert.deepEqual((await verify(store)).broken, { sequence: 4n, fault: 'missing' })
})

test('an earlier, signed head that was restored is reported', async () => {
  const store = await buildStoreWithEntries(3)
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

test('a recorded position reveals a replaced chain', async () => {
  const store = await buildStoreWithEntries(3)
  const { verifiedCount, hash } = await verify(store)
  const place = { sequence: verifiedCount, hash: Buffer.from(hash, 'hex') }
  const verifyFrom = () => inStore(store.id, (tx) => verifyChain(storeChain(tx), { checkpoints: [place] }))

  await buildEntries(store, 1)
  assert.deepEqual(
    { verifiedCount: (await verifyFrom()).verifiedCount, broken: (await verifyFrom()).broken },
    { verifiedCount: 4n, broken: null },
  )

  for (const table of ['audit_entries', 'audit_heads'])
    await asSuperuser(`delete from ${table} where store_id = $1`, [store.id])
  await buildEntries(store, 2)
  assert.deepEqual((await verifyFrom()).broken, { sequence: 3n, fault: 'missing' })
  await buildEntries(store, 2)
  assert.deepEqual((await verifyFrom()).broken, { sequence: 3n, fault: 'replaced' })
  assert.equal((await verify(store)).broken, null)
})

/** The verdict on a chain from an entry on. */
async function verifyAfter(store: { id: string }, sequence: bigint, hash?: Buffer) {
  const [row] = (await asSuperuser('select hash from audit_entries where store_id = $1 and sequence = $2', [
    store.id,
    sequence,
  ])) as { hash: Buffer }[]
  const start = { sequence, hash: hash ?? row?.hash ?? Buffer.alloc(32) }
  const { verifiedCount, broken } = await inStore(store.id, (tx) => verifyChain(storeChain(tx), { start }))
  return { verifiedCount, broken }
}

test('a chain is verified from a recorded position on, and its earlier entries are not read', async () => {
  const store = await buildStoreWithEntries()
  await asSuperuser(`update audit_entries set ip = '' where store_id = $1 and sequence = 2`, [store.id])

  for (const sequence of [3n, 5n])
    assert.deepEqual(await verifyAfter(store, sequence), { verifiedCount: 5n, broken: null })

  assert.deepEqual(
    (await verify(store)).broken,
    { sequence: 2n, fault: 'changed' },
    'control: the whole chain',
  )
})

const AFTER_START: Record<string, [change: string, broken: object]> = {
  'a later entry is changed': [
    `update audit_entries set ip = '' where store_id = $1 and sequence = 4`,
    { sequence: 4n, fault: 'changed' },
  ],
  'the recorded entry is changed': [
    `update audit_entries set ip = '' where store_id = $1 and sequence = 3`,
    { sequence: 3n, fault: 'changed' },
  ],
  'the recorded entry is deleted': [
    'delete from audit_entries where store_id = $1 and sequence = 3',
    { sequence: 3n, fault: 'missing' },
  ],
  'the last entries are deleted': [
    'delete from audit_entries where store_id = $1 and sequence > 3',
    { sequence: 4n, fault: 'missing' },
  ],
  'the end is deleted': ['delete from audit_heads where store_id = $1', { sequence: 6n, fault: 'missing' }],
}

for (const [what, [change, broken]] of Object.entries(AFTER_START))
  test(`verification from a recorded position reports that ${what}`, async () => {
    const store = await buildStoreWithEntries()
    const [row] = (await asSuperuser('select hash from audit_entries where store_id = $1 and sequence = 3', [
      store.id,
    ])) as { hash: Buffer }[]

    await asSuperuser(change, [store.id])

    assert.deepEqual((await verifyAfter(store, 3n, row?.hash)).broken, broken)
  })

test('a chain that does not contain the recorded position is verified wholly', async () => {
  const store = await buildStoreWithEntries()

  assert.deepEqual((await verifyAfter(store, 3n, Buffer.alloc(32, 1))).broken, {
    sequence: 3n,
    fault: 'replaced',
  })
  assert.deepEqual((await verifyAfter(store, 9n)).broken, { sequence: 6n, fault: 'missing' })
})

test('two swapped entries are reported', async () => {
  const store = await buildStoreWithEntries()

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

test('an appended entry is reported although it has the hash of its predecessor', async () => {
  const store = await buildStoreWithEntries()

  await asSuperuser(
    `insert into audit_entries
     select (jsonb_populate_record(e, jsonb_build_object('sequence', 6, 'previous_hash', e.hash))).*
     from audit_entries e where store_id = $1 and sequence = 5`,
    [store.id],
  )

  assert.deepEqual((await verify(store)).broken, { sequence: 6n, fault: 'changed' })
})

test('an entry from a copy of the chain is reported although the next one has its hash', async () => {
  const store = await buildStoreWithEntries(1)
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

test('an entry of another store is reported', async () => {
  const [store, other] = [await buildStoreWithEntries(2), await buildStoreWithEntries(3)]

  await asSuperuser('update audit_entries set store_id = $1 where store_id = $2 and sequence = 3', [
    store.id,
    other.id,
  ])

  assert.deepEqual((await verify(store)).broken, { sequence: 3n, fault: 'changed' })
  assert.deepEqual((await verify(other)).broken, { sequence: 3n, fault: 'missing' })
})

test('concurrent changes leave one unbroken chain', async () => {
  const store = await buildStore()

  await Promise.all(Array.from({ length: 40 }, () => buildEntries(store, 1)))

  const { verifiedCount, broken } = await verify(store)
  assert.equal(broken, null)
  assert.equal(verifiedCount, 40n)
})

test('control: without the lock, two concurrent changes continue the same entry', async () => {
  const store = await buildStoreWithEntries(1)
  const meet = barrier(2)

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

  assert.equal((await verify(store)).verifiedCount, 2n)
})

test('a change that is rolled back leaves no entry', async () => {
  const store = await buildStoreWithEntries(1)

  await assert.rejects(
    inStore(store.id, async (tx) => {
      recordChange(tx, buildChange())
      throw new Error('no')
    }),
  )

  assert.equal((await verify(store)).verifiedCount, 1n)
})

test("a change by a super-admin is in the store's chain and in the platform's", async () => {
  const store = await buildStore()
  const actor = { type: 'super_admin', id: newId(), email: 'root@example.test', sessionId: null } as const
  const { verifiedCount: before } = await verifyChain(platformChain(db()))

  await inStore(store.id, async (tx) => recordChange(tx, buildChange({ actor })))

  assert.deepEqual(
    { verifiedCount: (await verify(store)).verifiedCount, broken: (await verify(store)).broken },
    { verifiedCount: 1n, broken: null },
  )
  const { verifiedCount, broken } = await verifyChain(platformChain(db()))
  assert.deepEqual({ verifiedCount, broken }, { verifiedCount: before + 1n, broken: null })
})
