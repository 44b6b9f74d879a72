import assert from 'node:assert/strict'
import { test } from 'node:test'
import { breakConnections, db } from '#shared/platform/db/db.ts'
import { newId } from '#shared/platform/db/id.ts'
import { log } from '#shared/platform/log.ts'
import { isolateStoreFailures } from '#shared/stores/isolate-store-failures.ts'
import { superuser } from '#test/support/database.ts'

/** Works for stores one after the other, of which some fail. Returns those that were attempted, and the error. */
async function workFor(stores: readonly string[], work: (storeId: string) => Promise<unknown>) {
  const attempted: string[] = []
  const error: Error | null = await isolateStoreFailures(async (runForStore) => {
    for (const storeId of stores)
      await runForStore(storeId, () => {
        attempted.push(storeId)
        return work(storeId)
      })
  }).then(
    () => null,
    (thrown) => thrown,
  )
  return { attempted, error }
}

const threeStores = () => [newId(), newId(), newId()] as const

test('without an error the result of the job is returned', async () => {
  const [storeId] = threeStores()

  const result = await isolateStoreFailures(async (runForStore) => [
    await runForStore(storeId, async () => 7),
  ])

  assert.deepEqual(result, [7])
})

test("an error of one store is logged with its id, and thrown after the others' work", async (t) => {
  const [first, broken, last] = threeStores()
  const errors = t.mock.method(log, 'error')
  const cause = new Error('a corrupt row')

  const { attempted, error } = await workFor([first, broken, last], async (storeId) => {
    if (storeId === broken) throw cause
  })

  assert.deepEqual(attempted, [first, broken, last])
  assert.equal(error?.message, `The work failed 1 times, for these stores: ${broken}: a corrupt row`)
  assert.equal(error?.cause, cause)
  assert.deepEqual(
    errors.mock.calls.map(({ arguments: [line] }) => line),
    [{ err: cause, storeId: broken }],
  )
})

test('the message of many errors is bounded', async () => {
  const stores = Array.from({ length: 100 }, () => newId())

  const { error } = await workFor(stores, () => Promise.reject(new Error('x'.repeat(10_000))))

  assert.match(error?.message ?? '', /^The work failed 100 times/)
  assert.ok((error?.message.length ?? 0) < 1_500)
})

test('an error while the database does not respond ends the job immediately', async (t) => {
  const { rows } = await db().raw('select current_database() as name')
  const limitConnections = (count: number) =>
    superuser.query(`alter database "${rows[0].name}" connection limit ${count}`)
  t.after(() => limitConnections(-1))
  const [first, second] = threeStores()

  const { attempted, error } = await workFor([first, second], async () => {
    await limitConnections(0)
    breakConnections()
    throw new Error('Connection terminated unexpectedly')
  })

  assert.deepEqual(attempted, [first])
  assert.equal(error?.message, 'Connection terminated unexpectedly')
})

test('an abort ends the job immediately', async () => {
  const stop = new AbortController()
  const attempted: string[] = []

  const job = isolateStoreFailures(async (runForStore) => {
    for (const storeId of threeStores())
      await runForStore(storeId, async () => {
        attempted.push(storeId)
        stop.abort(new Error('the worker stops'))
        throw new Error('interrupted')
      })
  }, stop.signal)

  await assert.rejects(job, /the worker stops/)
  assert.equal(attempted.length, 1)
})
