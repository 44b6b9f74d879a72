import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { listEvents } from '#shared/platform/events/list-events.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { superuser } from '#test/support/database.ts'
import { explain } from '#test/support/measure/explain.ts'

const MANY = 6_000

let store: { id: string }

before(async () => {
  store = await buildStore()
  await superuser.query(
    `insert into events (store_id, id, type, data, sequence, created_at, published_at)
     select $1, gen_random_uuid(), case when n % 3000 = 0 then 'test.rare' else 'test.common' end, '{}', n, now(), now()
     from generate_series(1, ${MANY}) n`,
    [store.id],
  )
  await superuser.query('vacuum analyze events')
})

test('events of rare types are read by an index, not among all events', async () => {
  const [plan] = await explain(store, (tx) =>
    listEvents(tx, { types: ['test.rare', 'test.none'], after: 0n, limit: 10 }),
  )

  assert.match(plan ?? '', /using events_by_type .*\n.*Index Cond: .*type = .*sequence > /)
})

test('events of several types are listed in their sequence, from the one after the last', async () => {
  const list = async (types: string[], after: bigint) => {
    const events = await inStore(store.id, (tx) => listEvents(tx, { types, after, limit: 3 }))
    return events.map(({ type, sequence }) => `${type} ${sequence}`)
  }

  assert.deepEqual(await list(['test.rare'], 0n), ['test.rare 3000', 'test.rare 6000'])
  assert.deepEqual(await list(['test.rare'], 3000n), ['test.rare 6000'])
  assert.deepEqual(await list(['test.rare', 'test.common'], 2998n), [
    'test.common 2999',
    'test.rare 3000',
    'test.common 3001',
  ])
  assert.deepEqual(await list([], 0n), [])
})
