import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { countRows, csv, nextSlice, uploadCustomers } from '#test/support/builders/import.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { countQueries } from '#test/support/measure/count-queries.ts'
import { request } from '#test/support/processes/app.ts'
import { importCustomers } from '#workers/customers/import-customers.ts'

async function storeWithStaff() {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'sales' })
  return { store, token }
}

const manyCustomers = (count: number) =>
  csv(
    'email,firstname,address_1,address_city,address_postcode,address_country',
    ...Array.from(
      { length: count },
      (_, i) => `person-${i}@example.test,Person ${i},Street ${i},Town,123,DE`,
    ),
  )

const run = async (storeId: string, jobId: string) =>
  importCustomers.run(await nextSlice(storeId, jobId), {
    jobId: 'test',
    retry: 0,
    signal: AbortSignal.timeout(60_000),
  })

/** Runs a worker that is stopped after `afterBatches` batches. */
async function runAborting(storeId: string, jobId: string, afterBatches: number) {
  let seen = 0
  const signal = Object.assign(new AbortController().signal, {
    throwIfAborted() {
      if (seen++ === afterBatches) throw new Error('the worker dies')
    },
  })
  return importCustomers.run(await nextSlice(storeId, jobId), { jobId: 'test', retry: 0, signal })
}

const readReport = async (token: string, id: string) =>
  (await request(`GET /admin/customer-imports/${id}`, { token })).data

test('a worker that stops between two batches loses and repeats nothing', async () => {
  const { store, token } = await storeWithStaff()
  const { data } = await uploadCustomers(token, `${manyCustomers(500)}bad,,,,,\n`)

  for (const afterBatches of [1, 0, 1]) await assert.rejects(runAborting(store.id, data.id, afterBatches))
  const midway = await readReport(token, data.id)
  await run(store.id, data.id)
  await run(store.id, data.id)

  assert.partialDeepStrictEqual(midway, { status: 'running', customers_created: 400 })
  assert.partialDeepStrictEqual(await readReport(token, data.id), {
    status: 'succeeded',
    customers_created: 500,
    customers_failed: 1,
    error_count: 1,
  })
  assert.equal(await countRows(store, 'customers'), 500)
  assert.equal(await countRows(store, 'customer_addresses'), 500)
  assert.equal(await countRows(store, 'events', { type: 'customer.created' }), 500)
})

test('two workers with one job import the file once', async () => {
  const { store, token } = await storeWithStaff()
  const { data } = await uploadCustomers(token, manyCustomers(450))

  await Promise.all([run(store.id, data.id), run(store.id, data.id)])
  await run(store.id, data.id)

  assert.partialDeepStrictEqual(await readReport(token, data.id), {
    status: 'succeeded',
    customers_created: 450,
    error_count: 0,
  })
  assert.equal(await countRows(store, 'events', { type: 'customer.created' }), 450)
})

test('200 customers whose names and addresses have 45,000 words are imported', async () => {
  const { store, token } = await storeWithStaff()
  const letters = (first: number) =>
    Array.from({ length: 50 }, (_, i) => String.fromCodePoint(first + i)).join(' ')
  const local = Array(32).fill('a').join('.')
  const domain = (customer: number) => `${customer}.${Array(90).fill('b').join('.')}.test`
  const rows = Array.from(
    { length: 200 },
    (_, i) => `${local}@${domain(i)},${letters(0x4e00)},${letters(0x5e00)}`,
  )
  const { data } = await uploadCustomers(token, csv('email,firstname,lastname', ...rows))

  await run(store.id, data.id)

  assert.partialDeepStrictEqual(await readReport(token, data.id), {
    status: 'succeeded',
    customers_created: 200,
  })
})

test('a batch takes as many queries for 200 customers as for 20', async () => {
  const { store, token } = await storeWithStaff()
  const few = await uploadCustomers(token, manyCustomers(20))
  await run(store.id, few.data.id)
  const small = await uploadCustomers(token, manyCustomers(20).replaceAll('person-', 'few-'))
  const large = await uploadCustomers(token, manyCustomers(200).replaceAll('person-', 'many-'))

  const first = await countQueries(() => run(store.id, small.data.id))
  const second = await countQueries(() => run(store.id, large.data.id))

  assert.equal(second, first)
})
