import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { insertVoucher } from '#shared/vouchers/lifecycle/issue-voucher.ts'
import { Voucher } from '#shared/vouchers/voucher.ts'
import { buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { copyRows } from '#test/support/builders/copy-rows.ts'
import { buildOrder } from '#test/support/builders/orders.ts'
import { buildQuestions } from '#test/support/builders/question-scene.ts'
import { type BuiltStore, buildStore, nextNumber } from '#test/support/builders/store.ts'
import { buildVoucher } from '#test/support/builders/vouchers.ts'
import { request } from '#test/support/processes/app.ts'

const LONG = { message: '😀'.repeat(2_000), fromName: '😀'.repeat(200), toName: '😀'.repeat(200) }
// 9.6 KB each: more than the 16 MiB that one statement of a change may read.
const COUNT = 1_800

async function buildScene() {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'administrator' })
  const email = `grace-${nextNumber()}@example.test`
  const customer = await buildCustomer(store, { email, verifiedAt: new Date() })
  const path = `/admin/customers/${customer.id}`
  return {
    store,
    email,
    customer,
    anonymize: () => request(`POST ${path}/anonymize`, { token }),
    exportBy: (query = '') => request(`GET ${path}/export?${query}`, { token }),
  }
}

/** An unpaid gift to an address, with its order line. */
async function buildUnpaidGift(
  store: BuiltStore,
  order: Awaited<ReturnType<typeof buildOrder>>,
  toEmail: string,
) {
  const bought = { orderId: order.id, orderItemId: order.items[0]?.id ?? '' }
  const gift = { amountMinor: 5_000n, currency: 'EUR', fromEmail: 'eve@example.test', toEmail }
  return inStore(store.id, (tx) =>
    insertVoucher(tx, { ...LONG, ...gift, ...bought, isActive: false, awaitsPayment: true }),
  )
}

/** Copies a row, and creates the copies a minute apart. */
const copyMany = (store: BuiltStore, table: string, id: string, count: number, changes = '') =>
  inStore(store.id, ({ knex }) =>
    copyRows(knex, {
      table,
      of: { id },
      from: 'generate_series(1, ?::int) n',
      changes: `'created_at', timestamptz '2026-01-01Z' + n * interval '1 minute'${changes}`,
      values: [count],
    }),
  )

const VOUCHER_CHANGES = `, 'order_item_id', null, 'code_hash', '\\x' || md5(n::text)`

test(`${COUNT} long gifts that a stranger never paid do not stop an erasure, which erases them`, async () => {
  const { store, email, anonymize } = await buildScene()
  const { id } = await buildUnpaidGift(store, await buildOrder(store), email)
  await copyMany(store, 'vouchers', id, COUNT, VOUCHER_CHANGES)

  const { status, error } = await anonymize()

  assert.equal(status, 200, error ?? '')
  const named = await inStore(store.id, (tx) =>
    Voucher.in(tx)
      .where((of) => of.where('to_email', email).orWhereNot('message', ''))
      .resultSize(),
  )
  assert.equal(named, 0)
})

test('an export leaves out gifts that others ordered and never paid', async () => {
  const { store, email, customer, exportBy } = await buildScene()
  const unpaid = await buildUnpaidGift(store, await buildOrder(store), email)
  await copyMany(store, 'vouchers', unpaid.id, COUNT, VOUCHER_CHANGES)
  const own = await buildUnpaidGift(
    store,
    await buildOrder(store, { customerId: customer.id }),
    'x@example.test',
  )
  const got = await buildVoucher(store, { toEmail: email })

  const { status, data } = await exportBy()

  assert.equal(status, 200)
  const ids = data.vouchers.map((voucher: { id: string }) => voucher.id)
  assert.deepEqual(ids.toSorted(), [own.id, got.id].toSorted())
})

test('an export too large for one response has each gift and question once in its parts', async () => {
  const { store, email, exportBy } = await buildScene()
  const gift = await buildVoucher(store, { ...LONG, toEmail: email })
  const { data: question } = await (await buildQuestions(store)).ask({ author_email: email })
  const ids = [
    ...[gift.id, question.id],
    ...(await copyMany(store, 'vouchers', gift.id, 400, VOUCHER_CHANGES)),
    ...(await copyMany(store, 'product_questions', question.id, 1_000, `, 'body', repeat('x', 2000)`)),
  ]

  const whole = await exportBy()
  const parts = [
    await exportBy('created_to=2026-01-01T05:00:00Z'),
    await exportBy('created_from=2026-01-01T05:00:00Z'),
  ]

  assert.partialDeepStrictEqual(whole, { status: 422, error_code: 'response.too_large' })
  assert.match(whole.error ?? '', /created_from/)
  const exported = parts.flatMap(({ data }) => [...data.vouchers, ...data.questions])
  assert.deepEqual(exported.map(({ id }) => id).toSorted(), ids.toSorted())
})
