import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import fc from 'fast-check'
import { insertCustomer } from '#shared/customers/account/insert-customer.ts'
import { createCustomerAddress } from '#shared/customers/addresses/create-customer-address.ts'
import { Customer } from '#shared/customers/customer.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { importCustomerCsv } from '#test/support/builders/import.ts'
import { buildStore, nextNumber } from '#test/support/builders/store.ts'
import { request } from '#test/support/processes/app.ts'

// What staff can save of a customer is exported and imported again, and nothing changes.

const characters = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
  fc
    .array(fc.constantFrom('=', '+', '-', '@', "'", '"', ',', ';', ' ', 'a', '0', '1', 'E+'), {
      minLength: 1,
      maxLength: 8,
    })
    .map((parts) => parts.join('')),
)
const line = characters.filter(
  (text) => /\S/.test(text) && !/\p{C}|[\u2028\u2029]/u.test(text) && text.isWellFormed(),
)
const digits = fc.oneof(
  line,
  fc.constantFrom('+49 40 123', '0049401234', '00123', "'1", '4006381333931', '12E4'),
)
const note = fc
  .array(fc.oneof(line, fc.constantFrom('\n', '\r\n', '\t', ' ')), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join(''))
  .filter((text) => /\S/.test(text))
const option = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null })

const address = fc.record(
  {
    firstname: line,
    lastname: line,
    company: line,
    address_1: line,
    address_2: line,
    city: line,
    postcode: digits.map((text) => text.slice(0, 20)).filter((text) => /\S/.test(text)),
    country: fc.constantFrom('DE', 'US'),
    telephone: digits,
  },
  { requiredKeys: ['firstname', 'lastname', 'address_1', 'city', 'postcode', 'country'] },
)

const customer = fc.record({
  local: fc.stringMatching(/^[=+A-Za-z0-9'-]{1,10}$/),
  firstname: line,
  lastname: fc.oneof(line, fc.constant('')),
  telephone: option(digits),
  language: option(fc.constantFrom('en', 'de')),
  isActive: fc.boolean(),
  acceptsMarketing: fc.boolean(),
  taxExempt: fc.boolean(),
  taxNumber: option(digits),
  note: option(note),
  addresses: fc.array(address, { maxLength: 2 }),
})

type Drawn = typeof customer extends fc.Arbitrary<infer T> ? T : never

async function storeOf(customers: Drawn[]) {
  const store = await buildStore({ languages: ['en', 'de'] } as never)
  const { token } = await buildStaff(store, { role: 'sales' })
  for (const { local, addresses, ...fields } of customers)
    await inStore(store.id, async (tx) => {
      const email = `${local}${nextNumber()}@example.test`
      const { id } = await insertCustomer(tx, {
        ...fields,
        email,
        passwordHash: 'hash',
        verifiedAt: new Date(0),
      })
      for (const one of addresses) await createCustomerAddress(tx, id, one, {})
    })
  return { store, token }
}

const contentsOf = (storeId: string) =>
  inStore(storeId, async (tx) => ({
    customers: await Customer.in(tx).orderBy('id'),
    addresses: await tx.knex('customer_addresses').where('store_id', storeId).orderBy('id'),
    words: await tx.knex('customer_words').where('store_id', storeId).orderBy(['customer_id', 'word']),
    counts: await tx.knex('customer_counts').where('store_id', storeId).sum('customers'),
  }))

const drawn = fc.array(customer, { minLength: 1, maxLength: 5 })
const RUNS = { numRuns: Number(process.env.ROUND_TRIPS ?? 25), seed: 486442753 }

const exportOf = async (token: string): Promise<string> =>
  (await request('GET /admin/customers', { token, headers: { Accept: 'text/csv' } })).data

test('an export of customers changes nothing when it is imported', async () => {
  await fc.assert(
    fc.asyncProperty(drawn, async (customers) => {
      const { store, token } = await storeOf(customers)
      const before = await contentsOf(store.id)
      const file = await exportOf(token)

      const checked = await importCustomerCsv(token, file, 'dry_run=true')
      const imported = await importCustomerCsv(token, file)

      for (const report of [checked, imported])
        assert.partialDeepStrictEqual(report, {
          status: 'succeeded',
          error_count: 0,
          customers_created: 0,
          customers_changed: 0,
          customers_updated: customers.length,
        })
      assert.deepEqual(await contentsOf(store.id), before)
    }),
    RUNS,
  )
})

test('an export of customers makes the same customers in another store', async () => {
  await fc.assert(
    fc.asyncProperty(drawn, async (customers) => {
      const { store, token } = await storeOf(customers)
      const other = await storeOf([])

      const report = await importCustomerCsv(other.token, await exportOf(token))

      assert.partialDeepStrictEqual(report, { error_count: 0, customers_created: customers.length })
      const [from, to] = [await comparable(store.id), await comparable(other.store.id)]
      assert.deepEqual(to, from)
    }),
    RUNS,
  )
})

/** What a customer has in every store, with the first address of the book, by e-mail address. */
const comparable = (storeId: string) =>
  inStore(storeId, async (tx) => {
    const { rows } = await tx.knex.raw(
      `select email, email_normalized, firstname, lastname, telephone, language, is_active, accepts_marketing, tax_exempt,
         tax_number, note, (
           select address from customer_addresses a where a.store_id = c.store_id and a.customer_id = c.id
             and is_default_shipping) as address
       from customers c where store_id = ? order by email`,
      [storeId],
    )
    return rows
  })
