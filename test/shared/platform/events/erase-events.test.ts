import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { customerUpdated } from '#shared/customers/events.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { eraseEvents } from '#shared/platform/events/erase-events.ts'
import { type EventKind, emit, emitAll } from '#shared/platform/events/events.ts'
import { buildStore } from '#test/support/builders/store.ts'

// These events have only the data that the tests need.
const updated: EventKind = customerUpdated

test('a person is erased from large events one at a time, and the events of others stay', async () => {
  const store = await buildStore()
  const [person, other] = [newId(), newId()]
  const customer = (id: string) => ({
    id,
    email: `${id}@example.test`,
    metadata: { note: 'n'.repeat(300_000) },
  })
  await inStore(store.id, async (tx) => {
    for (let n = 0; n < 6; n++) await emit(tx, updated, customer(n % 2 ? other : person))
  })
  let largest = 0

  const erased = await inStore(store.id, (tx) => {
    tx.knex.on('query-response', (_result: unknown, { response }: { response?: { rows?: unknown[] } }) => {
      largest = Math.max(largest, JSON.stringify(response?.rows ?? []).length)
    })
    return eraseEvents(tx, [person], person)
  })

  const emails: string[] = await inStore(store.id, async (tx) =>
    (await tx.knex('events').where('store_id', tx.storeId).select('data')).map(({ data }) => data.email),
  )
  assert.ok(largest > 300_000 && largest < 500_000, `${largest} bytes were read together`)
  assert.equal(erased.length, 3)
  assert.equal(emails.filter((email) => email === `${other}@example.test`).length, 3)
  assert.ok(!emails.includes(`${person}@example.test`))
})

test('the events of many subjects are found by several statements, because one may not return all', async () => {
  const store = await buildStore()
  const subjects = Array.from({ length: 2_500 }, newId)
  await inStore(store.id, (tx) =>
    emitAll(
      tx,
      updated,
      subjects.map((id) => ({ id, email: `${id}@example.test` })),
    ),
  )
  let most = 0

  const erased = await inStore(store.id, (tx) => {
    tx.knex.on('query-response', (_result: unknown, { response }: { response?: { rows?: unknown[] } }) => {
      most = Math.max(most, response?.rows?.length ?? 0)
    })
    return eraseEvents(tx, subjects, newId())
  })

  assert.equal(new Set(erased).size, subjects.length)
  assert.equal(most, 1_000)
})

test('a person is erased from many small events by few statements', async () => {
  const store = await buildStore()
  const person = newId()
  await inStore(store.id, async (tx) => {
    const customer = { id: person, email: `${person}@example.test` }
    await emitAll(
      tx,
      updated,
      Array.from({ length: 250 }, () => customer),
    )
  })
  let statements = 0

  const erased = await inStore(store.id, (tx) => {
    tx.knex.on('query', () => {
      statements += 1
    })
    return eraseEvents(tx, [person], person)
  })

  const left = await inStore(store.id, ({ knex }) =>
    knex('events').whereRaw("data ->> 'email' = ?", `${person}@example.test`),
  )
  assert.equal(erased.length, 250)
  assert.equal(left.length, 0)
  assert.ok(statements < 20, `${statements} statements`)
})
