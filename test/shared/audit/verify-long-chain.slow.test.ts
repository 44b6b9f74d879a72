import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { storeChain } from '#shared/audit/chain.ts'
import { recordChange } from '#shared/audit/record-change.ts'
import { verifyChain } from '#shared/audit/verify-chain.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildChange, buildStoreWithEntries } from '#test/support/builders/audit.ts'
import { buildStore } from '#test/support/builders/store.ts'

/** A change of many long fields. Its entry has 400 KB. */
const buildLongChange = () =>
  buildChange({
    after: Object.fromEntries(
      Array.from({ length: 50 }, (_, at) => [`field_${at}`, Array(9).fill('x'.repeat(900))]),
    ),
  })

test('a chain of long entries is verified as intact, in batches of at most 4 MiB', async () => {
  const store = await buildStore()
  for (let i = 0; i < 55; i++) await inStore(store.id, async (tx) => recordChange(tx, buildLongChange()))

  const batches: number[] = []
  const { verifiedCount, broken } = await inStore(store.id, (tx) => {
    tx.knex.on('query-response', (rows: unknown, { sql }: { sql: string }) => {
      if (sql.includes('audit_entries')) batches.push((rows as unknown[]).length)
    })
    return verifyChain(storeChain(tx))
  })

  assert.equal(broken, null)
  assert.equal(verifiedCount, 55n)
  assert.deepEqual(batches, [10, 10, 10, 10, 10, 5, 0])
})

test('other work can run between two entries', async (t) => {
  const store = await buildStoreWithEntries(20)
  let turn = 0
  let ticking = true
  const tick = () => {
    turn += 1
    if (ticking) setImmediate(tick)
  }
  let time = performance.now()
  t.mock.method(performance, 'now', () => {
    time += 100
    return time
  })

  const turns = new Set<number>()
  tick()
  await inStore(store.id, (tx) => {
    const { name, ...chain } = storeChain(tx)
    return verifyChain({
      ...chain,
      // The check of each entry reads the name.
      get name() {
        turns.add(turn)
        return name
      },
    })
  })
  ticking = false

  assert.ok(turns.size >= 20, `${turns.size} turns`)
})
