import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { CURRENT_STORE, plannedEachTime, type Statement } from '#shared/platform/db/statement.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { type BuiltAccount, buildCustomer } from '#test/support/builders/accounts.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { superuser } from '#test/support/database.ts'

const COUNT = 3_000

interface Plan {
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

const removed = ({ 'Rows Removed by Filter': rows = 0, Plans = [] }: Plan): number =>
  rows + Plans.reduce((total, plan) => total + removed(plan), 0)

const find = (name: string, store: string): Statement => ({
  name,
  text: `select is_active from customers where store_id = ${store} and id = $1::uuid for key share`,
})

// Nearly all customers belong to one store.
let store: BuiltStore
let customer: BuiltAccount

before(async () => {
  store = await buildStore()
  customer = await buildCustomer(store)
  await superuser.query(
    `insert into customers overriding user value
     select copy.* from customers c, generate_series(1, ${COUNT}) n, jsonb_populate_record(c, jsonb_build_object(
       'id', gen_random_uuid(), 'email', 'copy-' || n, 'email_normalized', 'copy-' || n)) copy
     where c.id = $1`,
    [customer.id],
  )
  await superuser.query('analyze customers')
})

/** Returns the rows that the statement reads in vain in a large store, after an empty store has planned it. */
async function readInVain(statement: Statement): Promise<number> {
  const empty = await buildStore()
  return inStore(empty.id, async (tx) => {
    for (let n = 0; n < 6; n++) await tx.prepared(statement, [customer.id])
    await tx.knex.raw(`select set_config('app.store_id', ?, true)`, [store.id])
    const { rows } = await tx.knex.raw(
      `explain (analyze, format json) execute ${statement.name} ('${customer.id}')`,
    )
    return removed(rows[0]['QUERY PLAN'][0].Plan)
  })
}

test('a look-up that an empty store has planned reads one row of a large store', async () => {
  assert.equal(await readInVain(find('find_in_test', CURRENT_STORE)), 0)
})

test('control: with a store that the planner knows, it reads all rows of the large store', async () => {
  const { text } = plannedEachTime(find('', CURRENT_STORE))

  assert.ok((await readInVain({ name: 'find_in_control', text })) >= COUNT)
})

/** Returns the rows that a list of a store with one customer reads in vain beside a store with most customers. */
async function readBesideLargeStore(setting: 'on' | 'off'): Promise<number> {
  const small = await buildStore()
  await buildCustomer(small)
  return inStore(small.id, async ({ knex }) => {
    if (setting === 'on') await knex.raw("set local enable_seqscan = 'on'")
    const { rows } = await knex.raw(
      `explain (analyze, format json) select is_active from customers
       where store_id = ${CURRENT_STORE} and firstname || '' = firstname`,
    )
    return removed(rows[0]['QUERY PLAN'][0].Plan)
  })
}

test('a list of a small store reads none of the rows of a large one', async () => {
  assert.equal(await readBesideLargeStore('off'), 0)
})

test('control: with sequential scans it reads all rows of the large store', async () => {
  assert.ok((await readBesideLargeStore('on')) >= COUNT)
})
