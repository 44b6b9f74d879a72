import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/processes/gateway.ts'
import { exportPersonalData } from '#shared/customer-records/export-personal-data.ts'
import { findVoucherIdsOfPerson } from '#shared/customer-records/vouchers-of-person.ts'
import { recordSecurityEvent } from '#shared/identity/security-event.ts'
import { openSession } from '#shared/identity/sessions/open-session.ts'
import { anonymizeOrders } from '#shared/orders/buyers/anonymize-orders.ts'
import { findOrderIdsOfPerson } from '#shared/orders/buyers/find-order-ids-of-person.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { anonymizeReturns } from '#shared/returns/anonymize-returns.ts'
import { anonymizeVouchers } from '#shared/vouchers/anonymize-vouchers.ts'
import { type BuiltAccount, buildCustomer } from '#test/support/builders/accounts.ts'
import { copyRows } from '#test/support/builders/copy-rows.ts'
import { buildOrder } from '#test/support/builders/orders.ts'
import { buildQuestions } from '#test/support/builders/question-scene.ts'
import { buildReturn, buildShippedOrder } from '#test/support/builders/returns.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildVoucher } from '#test/support/builders/vouchers.ts'
import { recordStatements } from '#test/support/measure/record-statements.ts'

// All rows of a customer in one turn of the event loop would block the other requests.

const PERSON = { verifiedEmails: ['grace@example.com'] }
const DEVICE = { ip: '127.0.0.1', userAgent: 'test' }

const copiesOf = (
  store: { id: string },
  table: string,
  of: Record<string, string>,
  count: number,
  changes = "'n', n",
) =>
  inStore(store.id, ({ knex }) =>
    copyRows(knex, { table, of, from: 'generate_series(1, ?::int) n', changes, values: [count] }),
  )

type Built = { store: Awaited<ReturnType<typeof buildStore>>; customer: BuiltAccount }

async function buildVouchers({ store }: Built, count: number) {
  const { id } = await buildVoucher(store)
  await inStore(store.id, ({ knex }) =>
    knex('vouchers').where({ id }).update({ to_email: 'grace@example.com' }),
  )
  await copiesOf(store, 'vouchers', { id }, count, "'code_hash', '\\x' || md5(n::text)")
}

/** Makes some 4,000 rows of a kind, and names their table. */
const EXPORTED: Record<string, (of: Built) => Promise<unknown>> = {
  async sessions({ store, customer: { id } }) {
    await inStore(store.id, (tx) => openSession(tx, { type: 'customer', id }, DEVICE))
    await copiesOf(store, 'sessions', { account_id: id }, 2_050)
  },
  async security_events({ store, customer: { id } }) {
    await inStore(store.id, (tx) =>
      recordSecurityEvent(tx, 'session_closed', { type: 'customer', id }, DEVICE),
    )
    await copiesOf(store, 'security_events', { account_id: id }, 4_100)
  },
  async product_questions({ store, customer: { id } }) {
    const { data } = await (await buildQuestions(store as never)).ask()
    await copiesOf(store, 'product_questions', { id: data.id }, 4_100, `'customer_id', '${id}'`)
  },
}

for (const [table, build] of Object.entries(EXPORTED))
  test(`an export reads ${table} in pieces, each row once`, async (t) => {
    const store = await buildStore()
    const customer = await buildCustomer(store)
    await build({ store, customer })
    let found: Awaited<ReturnType<typeof exportPersonalData>> | undefined

    const statements = await recordStatements(t, async () => {
      found = await inStore(store.id, (tx) =>
        exportPersonalData(tx, customer.id, { seesPayoutDetails: true, seesInternalNotes: true }),
      )
    })

    const rows = Object.values(found ?? {}).find((part) => Array.isArray(part) && part.length > 4_000) as {
      id: string
    }[]
    assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length)
    const pieces = statements.filter((text) => text.startsWith('select') && text.includes(`from "${table}"`))
    assert.ok(pieces.length >= 3, `${pieces.length} pieces`)
  })

const ERASED: Record<string, (of: Built) => Promise<(tx: StoreTx) => Promise<unknown>>> = {
  async voucher_words(of) {
    await buildVouchers(of, 1_200)
    const person = { ...PERSON, customerId: of.customer.id, orderIds: [] }
    return async (tx) => {
      const ids = await findVoucherIdsOfPerson(tx, person)
      assert.equal(ids.length, 1_201)
      await anonymizeVouchers(tx, ids, { ...person, givenIds: [] })
      assert.deepEqual(await findVoucherIdsOfPerson(tx, person), [])
    }
  },
  async order_words({ store, customer }) {
    const { id } = await buildOrder(store, { customerId: customer.id })
    await copiesOf(store, 'orders', { id }, 1_200, "'number', 'copy-' || n")
    return async (tx) => {
      const ids = await findOrderIdsOfPerson(tx, { customerId: customer.id, emails: [] })
      assert.equal(ids.length, 1_201)
      await anonymizeOrders(tx, ids, customer.id)
      const named = await tx.knex('orders').where('store_id', store.id).whereNot('firstname', '').first()
      assert.equal(named, undefined)
    }
  },
  async return_words({ store }) {
    const order = await buildShippedOrder(store)
    const ids = await copiesOf(store, 'orders', { id: order.id }, 1_200, "'number', 'copy-' || n")
    const { id } = await buildReturn(store, order)
    await inStore(store.id, ({ knex }) =>
      copyRows(knex, {
        table: 'returns',
        of: { id },
        from: 'unnest(?::uuid[]) with ordinality as other (of, n)',
        changes: "'number', 'copy-' || n, 'order_id', other.of",
        values: [ids],
      }),
    )
    return async (tx) => assert.equal((await anonymizeReturns(tx, [order.id, ...ids])).length, 1_201)
  },
}

for (const [table, build] of Object.entries(ERASED))
  test(`an erasure writes ${table} in parts`, async (t) => {
    const store = await buildStore()
    const erase = await build({ store, customer: await buildCustomer(store) })

    const statements = await recordStatements(t, () =>
      inStore(store.id, async (tx) => void (await erase(tx))),
    )

    const parts = statements.filter((text) => text.includes(`insert into "${table}"`))
    assert.ok(parts.length >= 3, `${parts.length} parts`)
  })
