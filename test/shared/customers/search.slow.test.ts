import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchedWords, wordsOf } from '#shared/customers/customer-words.ts'
import { CUSTOMERS, type CustomerFilter, listCustomers } from '#shared/customers/list-customers.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { DAY_MS } from '#shared/platform/time/clock.ts'
import { buildCustomer } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { superuser } from '#test/support/database.ts'
import { explain } from '#test/support/measure/explain.ts'

test('the words of a customer are parts of the name, the address and the telephone number', () => {
  const words = wordsOf({
    firstname: 'José María',
    lastname: "O'Neil-Strauß",
    email: 'J.M@Mail.Example',
    telephone: '+49 (0)30 901820',
  })

  assert.deepEqual(words.sort(), [
    '30901820',
    '4930901820',
    '901820',
    'j.m@mail.example',
    'jose',
    'm@mail.example',
    'mail.example',
    'maria',
    'neil',
    'o',
    'strauss',
  ])
})

test('a search for a telephone number ignores its punctuation', () => {
  assert.deepEqual(searchedWords('(030) 90-18 20'), ['30901820'])
  assert.deepEqual(searchedWords('ada 30'), ['ada', '30'])
})

const MANY = 20_000

test('every list and search of many customers can use an index', async () => {
  const store = await buildStore()
  const { id } = await buildCustomer(store)
  await multiply(id)

  const plans = await explain(store, async (tx) => {
    for (const sort of CUSTOMERS.sortNames) await listPage(tx, { sort })
    await listPage(tx, { q: 'byron123' })
    await listPage(tx, { q: 'ada byron1234', sort: 'lastname' })
  })

  assert.ok(plans.length >= 2 * CUSTOMERS.sortNames.length)
  for (const plan of plans) assert.doesNotMatch(plan, /Seq Scan on customer/)
  const searches = plans.filter((plan) => plan.includes('customer_words'))
  for (const plan of searches) assert.match(plan, /Index Cond: .*word >= /)
})

test('a filter that leaves few of many customers counts them by an index', async () => {
  const store = await buildStore()
  const { id } = await buildCustomer(store)
  await multiply(id)
  const later = new Date(Date.now() + 365 * DAY_MS).toISOString()
  const cases: { filter: Partial<CustomerFilter>; index: RegExp }[] = [
    { filter: { is_active: false }, index: /customers_inactive/ },
    { filter: { accepts_marketing: true }, index: /customers_marketing/ },
    { filter: { has_orders: true }, index: /customers_with_orders/ },
    { filter: { total_spent_from: 100n }, index: /Index Cond: .*total_spent_minor >= / },
    { filter: { last_order_from: later }, index: /Index Cond: .*last_order_at >= / },
    { filter: { created_from: later }, index: /Index Cond: .*created_at >= / },
    { filter: { updated_from: later }, index: /Index Cond: .*updated_at >= / },
  ]

  for (const { filter, index } of cases) {
    const plans = await explain(store, (tx) => listPage(tx, filter))
    assert.match(plans.find((plan) => plan.includes('Aggregate')) ?? '', index)
  }
})

/** Copies a customer many times. */
async function multiply(id: string): Promise<void> {
  await superuser.query(
    `insert into customers (store_id, id, email, email_normalized, firstname, lastname, customer_group_id, created_at, updated_at)
     select store_id, gen_random_uuid(), n || email, n || email_normalized, firstname, lastname || n, customer_group_id,
       created_at + n * interval '1 s', updated_at
     from customers, generate_series(1, ${MANY}) n where id = $1`,
    [id],
  )
  await superuser.query(
    `insert into customer_words (store_id, word, customer_id)
     select store_id, unnest(array[lower(firstname), lower(lastname)]), id from customers on conflict do nothing`,
  )
  await superuser.query('vacuum analyze customers')
  await superuser.query('vacuum analyze customer_words')
}

const listPage = (tx: StoreTx, filter: Partial<CustomerFilter>) =>
  listCustomers(tx, { page: 1, page_size: 20, ...filter })
