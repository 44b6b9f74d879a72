import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { listOrders } from '#shared/orders/list-orders.ts'
import type { ListFilter } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { listQuestions } from '#shared/questions/list-questions.ts'
import { listReturns } from '#shared/returns/list-returns.ts'
import { listSubscriptions } from '#shared/subscriptions/list-subscriptions.ts'
import { listVouchers } from '#shared/vouchers/list-vouchers.ts'
import { type BuiltStore, buildStore } from '#test/support/build.ts'
import { buildOrder } from '#test/support/build-orders.ts'
import { buildQuestions } from '#test/support/build-question-scene.ts'
import { buildReturn, buildShippedOrder } from '#test/support/build-returns.ts'
import { buildSubscription } from '#test/support/build-subscriptions.ts'
import { buildVoucher } from '#test/support/build-vouchers.ts'
import { superuser } from '#test/support/database.ts'
import { explain } from '#test/support/explain.ts'

const MANY = 3_000

let store: BuiltStore

before(async () => {
  store = await buildStore()
})

interface SearchedList {
  build(): Promise<unknown>
  list(tx: StoreTx, filter: ListFilter): PromiseLike<unknown>
  /** Default: the name with an `s`. */
  table?: string
  /** The columns that differ between copies, as parameters of `jsonb_build_object`. */
  distinct: string
}

const LISTS: Record<string, SearchedList> = {
  order: {
    build: () => buildOrder(store),
    list: listOrders,
    distinct: "'number', 'copy-' || n",
  },
  question: {
    build: async () => (await buildQuestions(store)).ask(),
    list: (tx, filter) => listQuestions(tx, filter, { seesAddress: true }),
    table: 'product_questions',
    distinct: "'body', 'copy-' || n",
  },
  return: {
    build: async () => buildReturn(store, await buildShippedOrder(store)),
    list: listReturns,
    distinct: "'number', 'copy-' || n",
  },
  subscription: {
    build: () => buildSubscription(store),
    list: (tx, filter) => listSubscriptions(tx, filter, 'en'),
    distinct: "'due_at', null",
  },
  voucher: {
    build: () => buildVoucher(store),
    list: listVouchers,
    distinct: "'code_hash', '\\x' || md5(n::text)",
  },
}

/** Copies a row of the store many times, each with a word of its own. */
async function multiply(name: string, table: string, distinct: string): Promise<void> {
  await superuser.query(
    `with copies as (
       insert into ${table} select copy.*
       from (select * from ${table} where store_id = $1 limit 1) one, generate_series(1, ${MANY}) n,
         jsonb_populate_record(one::${table}, jsonb_build_object('id', gen_random_uuid(), 'n', n, ${distinct})) copy
       returning store_id, id)
     insert into ${name}_words (store_id, word, ${name}_id)
     select store_id, 'copy' || row_number() over (), id from copies`,
    [store.id],
  )
  await superuser.query(`vacuum analyze ${table}`)
  await superuser.query(`vacuum analyze ${name}_words`)
}

for (const [name, { build, list, distinct, table = `${name}s` }] of Object.entries(LISTS))
  test(`an index finds the ${name}s with a word among many`, async () => {
    await build()
    await multiply(name, table, distinct)
    const filter = { page: 1, page_size: 20, q: 'copy1234' }

    const plans = await explain(store, (tx) => list(tx, filter))

    const searches = plans.filter((plan) => plan.includes(`${name}_words`))
    assert.equal(searches.length, 2, 'the count and the page')
    for (const plan of searches) {
      assert.match(plan, /Index Cond: .*word >= /)
      assert.doesNotMatch(plan, new RegExp(`Seq Scan on ${table}`))
    }
  })
