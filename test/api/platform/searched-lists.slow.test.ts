import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { listOrders } from '#shared/orders/list-orders.ts'
import type { ListFilter, Page } from '#shared/platform/db/list-query.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { listQuestions } from '#shared/questions/list-questions.ts'
import { listReturns } from '#shared/returns/list-returns.ts'
import { listSubscriptions } from '#shared/subscriptions/list-subscriptions.ts'
import { listVouchers } from '#shared/vouchers/list-vouchers.ts'
import { buildOrder } from '#test/support/builders/orders.ts'
import { buildQuestions } from '#test/support/builders/question-scene.ts'
import { buildReturn, buildShippedOrder } from '#test/support/builders/returns.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { buildSubscription } from '#test/support/builders/subscriptions.ts'
import { buildVoucher } from '#test/support/builders/vouchers.ts'
import { superuser } from '#test/support/database.ts'
import { explain } from '#test/support/measure/explain.ts'

const MANY = 6_000

let store: BuiltStore

before(async () => {
  store = await buildStore()
})

interface SearchedList {
  build(): Promise<unknown>
  list(tx: StoreTx, filter: ListFilter): PromiseLike<Page<unknown>>
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
     select store_id, word, id from (select *, 'copy' || row_number() over () as own from copies) numbered
     cross join unnest(array[own, 'common']) word`,
    [store.id],
  )
  await superuser.query(`vacuum analyze ${table}`)
  await superuser.query(`vacuum analyze ${name}_words`)
}

for (const [name, { build, list, distinct, table = `${name}s` }] of Object.entries(LISTS)) {
  const search = (q: string) => (tx: StoreTx) => list(tx, { page: 1, page_size: 20, q })

  test(`an index finds the ${name}s with a word among many`, async () => {
    await build()
    await multiply(name, table, distinct)

    const plans = await explain(store, search('copy1234'))

    const [words, ...others] = plans.filter((plan) => plan.includes(`${name}_words`))
    assert.match(words ?? '', /Index Cond: .*word >= /)
    assert.deepEqual(others, [], 'the count and the page read the rows by their ids')
    const byIds = plans.filter((plan) => plan.includes(` on ${table}`) && /Index Cond: .*id = ANY/.test(plan))
    assert.equal(byIds.length, 2, 'the count and the page')
    for (const plan of plans) assert.doesNotMatch(plan, new RegExp(`Seq Scan on ${table}`))
  })

  test(`a page of the ${name}s with a word of most of them reads few of them`, async () => {
    const { total, results } = await inStore(store.id, search('common'))
    const plans = await explain(store, search('common'))

    assert.deepEqual({ total, length: results.length }, { total: MANY, length: 20 })
    const page = plans.find((plan) => plan.startsWith('Limit') && plan.includes(` on ${table}`)) ?? ''
    assert.doesNotMatch(page, /^ *(->)? *Sort /m)
  })
}
