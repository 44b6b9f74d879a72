import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { listAdminProducts } from '#shared/catalog/search/list-admin-products.ts'
import { listCustomers } from '#shared/customers/list-customers.ts'
import { listOrders } from '#shared/orders/list-orders.ts'
import type { ListFilter } from '#shared/platform/db/list-query.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { MINUTE_MS, SECOND_MS } from '#shared/platform/time/clock.ts'
import { settleRefund } from '#shared/refunds/settle/settle-refund.ts'
import { approveReturn } from '#shared/returns/lifecycle/approve-return.ts'
import { listReturns } from '#shared/returns/list-returns.ts'
import { readStore, type Store } from '#shared/stores/store.ts'
import { listSubscriptions } from '#shared/subscriptions/list-subscriptions.ts'
import { listVouchers } from '#shared/vouchers/list-vouchers.ts'
import { type BuiltAccount, buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { buildCapturedOrder } from '#test/support/builders/captured-order.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildOrder } from '#test/support/builders/orders.ts'
import { buildReceivedReturn, buildReturn, buildShippedOrder } from '#test/support/builders/returns.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { buildSubscription } from '#test/support/builders/subscriptions.ts'
import { buildTheme, buildVoucher } from '#test/support/builders/vouchers.ts'
import { moveClock } from '#test/support/clock.ts'
import { superuser } from '#test/support/database.ts'
import { explain } from '#test/support/measure/explain.ts'
import { request } from '#test/support/processes/app.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'

// Lists that other systems synchronise: whatever an item shows has changed, `updated_from` finds the item.

let store: BuiltStore
let token: string
let customer: BuiltAccount

before(async () => {
  store = await buildStore()
  token = (await buildStaff(store, { role: 'owner' })).token
  customer = await buildCustomer(store)
})

const staff = (line: string, body?: object, headers: Record<string, string> = {}) =>
  request(line, { token, headers, ...(body ? { body } : {}) })

/** Each change is a second after the one before. */
let elapsedMs = 0

/** Asserts that `change` moves an item to the end of a list by `updated_at`, and makes it the only updated one. */
async function assertUpdates(path: string, id: string, change: () => PromiseLike<unknown>): Promise<void> {
  const list = async (query: Record<string, string>) => {
    const { data } = await staff(`GET ${path}?${new URLSearchParams({ page_size: '100', ...query })}`)
    return data as { id: string; updated_at: string }[]
  }
  const itemNow = async () => (await list({})).find((one) => one.id === id) as { updated_at: string }
  const earlier = await itemNow()
  const [latest] = await list({ sort: '-updated_at' })
  const from = new Date(Date.parse(latest?.updated_at ?? '') + 1).toISOString()
  elapsedMs += SECOND_MS
  moveClock(elapsedMs)

  await change()

  const item = await itemNow()
  assert.ok(item.updated_at >= from, `${item.updated_at} is before ${from}`)
  assert.notDeepEqual(item, { ...earlier, updated_at: item.updated_at }, 'the item shows the change')
  const found = await list({ updated_from: from })
  assert.ok(found.some((one) => one.id === id))
  const last = (await list({ sort: 'updated_at' })).at(-1)
  assert.equal(last?.updated_at, (await list({ sort: '-updated_at' }))[0]?.updated_at)
  assert.deepEqual(
    await list({ updated_from: from, updated_to: item.updated_at }).then(idsOf),
    idsOf(found.filter((one) => one.updated_at < item.updated_at)),
  )
  assert.ok(!idsOf(await list({ updated_to: from })).includes(id))
}

const idsOf = (items: { id: string }[]) => items.map(({ id }) => id)

test('a product is updated by its staff, by its stock and by a sale', async () => {
  const product = await buildProduct(store, { variants: [{ stockOnHand: 9 }] })
  await buildProduct(store)
  const variantId = product.variants[0]?.id ?? ''
  const path = '/admin/products'

  await assertUpdates(path, product.id, () => staff(`PATCH ${path}/${product.id}`, { price: 12 }))
  await assertUpdates(path, product.id, () =>
    staff(`PATCH ${path}/${product.id}/variants/${variantId}`, { barcode: '4006381333931' }),
  )
  await assertUpdates(path, product.id, () => staff(`POST /admin/variants/${variantId}/stock`, { delta: 5 }))
  await assertUpdates(path, product.id, () => buildOrder(store, { items: [{ variantId, quantity: 2 }] }))
})

test('a sale and its cancellation stamp the stock by the clock of the service, as other changes', async () => {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'owner' })
  const product = await buildProduct(store, { variants: [{ stockOnHand: 9 }] })
  const items = [{ variantId: product.variants[0]?.id ?? '', quantity: 2 }]
  const minutesAhead = async () => {
    const { data } = await request(`GET /admin/products/${product.id}`, { token })
    return Math.round((Date.parse(data.updated_at) - Date.now()) / MINUTE_MS)
  }

  moveClock(5 * MINUTE_MS)
  const order = await buildOrder(store, { items, paymentMethod: 'bank_transfer' })
  const sold = await minutesAhead()
  moveClock(10 * MINUTE_MS)
  await request(`PATCH /admin/orders/${order.id}`, { token, body: { status: 'canceled' } })
  const released = await minutesAhead()

  assert.deepEqual({ sold, released }, { sold: 5, released: 10 })
})

test('a product can be changed with the ETag from before a sale', async () => {
  const product = await buildProduct(store, { variants: [{ stockOnHand: 9 }] })
  const path = `/admin/products/${product.id}`
  const { headers } = await staff(`GET ${path}`)

  await buildOrder(store, { items: [{ variantId: product.variants[0]?.id ?? '', quantity: 1 }] })
  const changed = await staff(`PATCH ${path}`, { price: 11 }, { 'If-Match': headers.get('etag') ?? '' })

  assert.equal(changed.status, 200)
})

test('an order is updated by its payment, its shipments and its refunds', async () => {
  const order = await buildOrder(store, { paymentMethod: 'bank_transfer' })
  const path = '/admin/orders'
  const items = [{ order_item_id: order.items[0]?.id, quantity: 1 }]
  let shipment: { data: { id: string } }

  await assertUpdates(path, order.id, () => staff(`POST ${path}/${order.id}/mark-paid`, {}))
  await assertUpdates(path, order.id, async () => {
    shipment = await staff(`POST ${path}/${order.id}/shipments`, { items })
  })
  await assertUpdates(path, order.id, () =>
    staff(`PATCH ${path}/${order.id}/shipments/${shipment.data.id}`, { tracking_number: '00340434' }),
  )
  await assertUpdates(path, order.id, async () => {
    await request(`POST ${path}/${order.id}/refunds`, {
      token,
      key: 'refund',
      headers: { Prefer: 'respond-async' },
      body: { amount: 1 },
    })
    await drainJobs()
  })
})

test('a customer is updated by the figures of their orders', async () => {
  const path = '/admin/customers'
  const order = await buildOrder(store, { customerId: customer.id, paymentMethod: 'bank_transfer' })

  await assertUpdates(path, customer.id, () => staff(`POST /admin/orders/${order.id}/mark-paid`, {}))
  await assertUpdates(path, customer.id, () => staff(`PATCH ${path}/${customer.id}`, { note: 'VIP' }))
})

test('a voucher is updated by its balance and by its theme', async () => {
  const path = '/admin/vouchers'
  const theme = await buildTheme(store)
  const voucher = await buildVoucher(store, { voucherThemeId: theme.id })
  await buildVoucher(store)

  await assertUpdates(path, voucher.id, () => staff(`PATCH ${path}/${voucher.id}`, { amount: 70 }))
  await assertUpdates(path, voucher.id, () => buildOrder(store, { voucherCode: voucher.code }))
  await assertUpdates(path, voucher.id, () =>
    staff(`PATCH /admin/voucher-themes/${theme.id}`, { image: 'https://images.example/new.png' }),
  )
})

test('a return is updated by its status and by its refund', async () => {
  const path = '/admin/returns'
  const requested = await buildReturn(store, await buildShippedOrder(store))
  await assertUpdates(path, requested.id, () =>
    inStore(store.id, (tx) => approveReturn(tx, requested.id, 'Send it back', 'system')),
  )

  const order = await buildCapturedOrder(store, { gateway })
  await staff(`PATCH /admin/orders/${order.id}`, { status: 'shipped' })
  const received = await buildReceivedReturn(store, order)
  const refund = await request(`POST ${path}/${received.id}/refund`, {
    token,
    key: 'return',
    headers: { Prefer: 'respond-async' },
    body: {},
  })
  const outcome = { status: 'failed' as const, reference: null, failureReason: 'declined' }
  await assertUpdates(path, received.id, async () => {
    await inStore(store.id, (tx) => settleRefund(tx, refund.data.refund.id, outcome))
    await drainJobs()
  })
})

test('a subscription is updated by its staff and by its customer', async () => {
  const path = '/admin/subscriptions'
  const subscription = await buildSubscription(store, { customer })
  const own = (step: string) =>
    request(`POST /subscriptions/${subscription.id}/${step}`, { store, token: customer.token })

  await assertUpdates(path, subscription.id, () => staff(`PATCH ${path}/${subscription.id}`, { quantity: 2 }))
  await assertUpdates(path, subscription.id, () => own('skip'))
  await assertUpdates(path, subscription.id, () => own('pause'))
})

const MANY = 3_000
/** The columns that differ between copies, as parameters of `jsonb_build_object`. */
const DISTINCT: Record<string, string> = {
  products: "'slug', 'copy-' || n, 'sku', null",
  orders: "'number', 'copy-' || n, 'subscription_id', null, 'charge_no', null",
  customers: "'email_normalized', 'copy-' || n",
  vouchers: "'code_hash', 'copy-' || n",
  returns: "'number', 'copy-' || n",
  subscriptions: "'due_at', null",
}

/** Copies a row of the store many times, each an hour older than the one before. */
async function multiply(table: string): Promise<void> {
  await superuser.query(
    // Columns that count up take their next number.
    `insert into ${table} overriding user value select copy.*
     from ${table} one, generate_series(1, ${MANY}) n, jsonb_populate_record(one, jsonb_build_object(
       'id', gen_random_uuid(), ${DISTINCT[table]},
       'updated_at', one.updated_at - n * interval '1 hour')) copy
     where one.id = (select id from ${table} where store_id = $1 limit 1)`,
    [store.id],
  )
  await superuser.query(`vacuum analyze ${table}`)
}

// No row has this time, whatever other tests write. PostgreSQL estimates over all stores.
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()
const LISTS: Record<string, (tx: StoreTx, filter: ListFilter, whole: Store) => PromiseLike<unknown>> = {
  products: (tx, filter, whole) => listAdminProducts(tx, whole, filter),
  orders: listOrders,
  customers: listCustomers,
  vouchers: listVouchers,
  returns: listReturns,
  subscriptions: (tx, filter) => listSubscriptions(tx, filter, 'en'),
}

for (const [table, list] of Object.entries(LISTS))
  test(`an index finds the updated ${table} among many`, async () => {
    const whole = await inStore(store.id, readStore)
    await multiply(table)
    const filter = { page: 1, page_size: 20, updated_from: inAnHour(), sort: 'updated_at' }

    const plans = await explain(store, (tx) => list(tx, filter, whole))

    const ofList = plans.filter((plan) => plan.includes('updated_at >= '))
    assert.ok(ofList.length >= 2, 'the count and the page')
    for (const plan of ofList) assert.match(plan, /Index Cond: .*updated_at >= /)
  })
