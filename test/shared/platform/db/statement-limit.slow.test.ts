import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import '#test/support/database.ts'
import { closeDb, db } from '#shared/platform/db/db.ts'
import { poolOf } from '#shared/platform/db/knex-internals.ts'
import { TooMuchData } from '#shared/platform/db/limit-read.ts'
import { executeInStore } from '#shared/platform/db/pipelined-query.ts'
import { inPlatform, inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { CodedError, CommonErrors } from '#shared/platform/errors.ts'
import { ownStore } from '#shared/stores/store.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { superuser } from '#test/support/database.ts'
import { until } from '#test/support/races/until.ts'

const MIB = 1024 * 1024
const TOO_MUCH = 17 * MIB
const ALLOWED = 15 * MIB

beforeEach(closeDb)

const textOf = (bytes: number) => `select repeat('x', ${bytes}) as text`
const readText = ({ knex }: Pick<StoreTx, 'knex'>, bytes: number) => knex.raw(textOf(bytes))

const WORK: Record<string, (storeId: string) => Promise<unknown>> = {
  'a change in a store': (id) => inStore(id, (tx) => readText(tx, TOO_MUCH)),
  'a change in one round trip': (id) => executeInStore(id, { name: 'large', text: textOf(TOO_MUCH) }, []),
  'a change of the platform': () => inPlatform((tx) => readText(tx, TOO_MUCH)),
}

for (const [kind, work] of Object.entries(WORK))
  test(`${kind} throws TooMuchData when a statement returns more than 16 MiB`, async () => {
    const { id } = await buildStore()

    await assert.rejects(work(id), (error) => {
      assert.ok(error instanceof TooMuchData)
      assert.ok(!(error instanceof CodedError), 'a job would take it for a decision of the domain')
      assert.equal(error.error.code, CommonErrors.tooMuchData.kind.code)
      return true
    })

    assert.deepEqual(
      await inStore(id, ({ knex }) => knex.raw('select 1').then(({ rowCount }) => rowCount)),
      1,
    )
    assert.equal(poolOf(db()).numUsed(), 0)
  })

test('statements that return 16 MiB together, but not one of them, all run', async () => {
  const { id } = await buildStore()

  const lengths = await inStore(id, async (tx) => {
    const read = async () => (await readText(tx, ALLOWED)).rows[0].text.length
    return [await read(), await read(), await read()]
  })

  assert.deepEqual(lengths, [ALLOWED, ALLOWED, ALLOWED])
})

test('nothing is stored of a change that ends because a statement returned too much', async () => {
  const { id } = await buildStore()
  const name = async () => (await inStore(id, ({ knex }) => knex('stores').first('name'))).name
  const before = await name()

  const change = inStore(id, async (tx) => {
    await ownStore(tx).update({ name: 'After' })
    await readText(tx, TOO_MUCH)
  })

  await assert.rejects(change, TooMuchData)
  assert.equal(await name(), before)
})

const LOCK = 16_018
const PART = 12 * MIB
// The first row is sent before the second one waits for the lock.
const HALTED = `select case i when 1 then repeat('x', ${PART}) else (select pg_advisory_xact_lock(${LOCK})::text) end
                from generate_series(1, 2) i`

test('large statements at the same time are limited by store, and another store has room', async () => {
  const [greedy, other] = [await buildStore(), await buildStore()]
  await superuser.query('select pg_advisory_lock($1)', [LOCK])
  const halted = inStore(greedy.id, ({ knex }) => knex.raw(HALTED))
  await until('the statement waits for the lock', isWaiting)

  const refused = await inStore(greedy.id, (tx) => readText(tx, PART)).catch((error) => error)
  const { rows } = await inStore(other.id, (tx) => readText(tx, PART))
  await superuser.query('select pg_advisory_unlock($1)', [LOCK])
  await halted

  assert.ok(refused instanceof TooMuchData)
  assert.equal(refused.error.code, CommonErrors.rateLimitExceeded.kind.code)
  assert.equal(rows[0].text.length, PART)
})

async function isWaiting(): Promise<boolean> {
  const { rows } = await superuser.query(
    "select 1 from pg_stat_activity where datname = current_database() and wait_event = 'advisory' and query = $1",
    [HALTED],
  )
  return rows.length > 0
}
