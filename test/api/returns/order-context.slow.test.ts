import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { Order } from '#shared/orders/order.ts'
import { OrderItem, recordAllShipped } from '#shared/orders/order-item.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { cancelReturn } from '#shared/returns/lifecycle/cancel-return.ts'
import { rejectReturn } from '#shared/returns/lifecycle/reject-return.ts'
import { insertVoucher } from '#shared/vouchers/lifecycle/issue-voucher.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildOrder } from '#test/support/builders/orders.ts'
import { buildReceivedReturn, buildReturn, buildShippedOrder } from '#test/support/builders/returns.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { countQueries } from '#test/support/measure/count-queries.ts'
import { request } from '#test/support/processes/app.ts'

const OPERATION = 'GET /admin/returns/order-context/{order_id}'

async function scene(lines = [3, 2]) {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'sales' })
  const order = await buildShippedOrder(store, {
    lines: lines.map((quantity) => ({ priceMinor: 1_000n, quantity })),
  })
  const read = (query = '', orderId = order.id) =>
    request(`GET /admin/returns/order-context/${orderId}${query}`, { token })
  const units = async (query = '') => {
    const { data } = await read(query)
    return data.lines.map(({ quantity, returned, returnable }: Record<string, number>) => ({
      quantity,
      returned,
      returnable,
    }))
  }
  return { store, token, order, read, units }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const uuid = (value: unknown) => UUID.test(String(value))
const text = (value: unknown) => typeof value === 'string'
const integer = (value: unknown) => Number.isInteger(value)
const orNull = (fits: (value: unknown) => boolean) => (value: unknown) => value === null || fits(value)

/** The published fields of ReturnOrderContext and ReturnOrderLine. Clients depend on them. */
const CONTEXT: Record<string, (value: unknown) => boolean> = {
  order_id: uuid,
  customer_id: orNull(uuid),
  firstname: text,
  lastname: text,
  email: text,
  telephone: text,
  date_ordered: orNull((value) => /^\d{4}-\d\d-\d\d$/.test(String(value))),
  currency: text,
  lines: Array.isArray,
}
const LINE: Record<string, (value: unknown) => boolean> = {
  order_item_id: uuid,
  product_id: orNull(uuid),
  variant_id: orNull(uuid),
  product_name: text,
  sku: text,
  variant_attributes: orNull((value) => typeof value === 'object' && !Array.isArray(value)),
  quantity: integer,
  returned: integer,
  returnable: integer,
}

function assertFits(value: Record<string, unknown>, table: typeof CONTEXT): void {
  assert.deepEqual(Object.keys(value).sort(), Object.keys(table).sort())
  for (const [field, fits] of Object.entries(table))
    assert.ok(fits(value[field]), `${field}: ${value[field]}`)
}

test(`${OPERATION} returns a ReturnOrderContext with the documented fields`, async () => {
  const { read } = await scene()

  const { status, body, data, meta } = (await read()) as Awaited<ReturnType<typeof read>> & { body: object }

  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body), ['data', 'meta', 'error', 'error_code'])
  assert.equal(meta, null)
  assertFits(data, CONTEXT)
  for (const line of data.lines) assertFits(line, LINE)
})

test(`${OPERATION} returns the buyer and the lines`, async () => {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'analyst' })
  const customer = await buildCustomer(store)
  const product = await buildProduct(store, {
    nameI18n: { en: 'Mug' },
    options: [{ name: 'Colour', values: ['Blue'] }],
    variants: [{ sku: 'MUG-BLUE', optionValues: { Colour: 'Blue' } }],
  })
  const [variant] = product.variants
  const order = await buildOrder(store, {
    customerId: customer.id,
    items: [{ variantId: variant?.id ?? '', quantity: 2 }],
  })
  await inStore(store.id, (tx) =>
    Order.in(tx)
      .findById(order.id)
      .patch({ createdAt: new Date('2026-03-01T23:30:00Z') }),
  )
  await inStore(store.id, (tx) => recordAllShipped(tx, order.id))

  const { data } = await request(`GET /admin/returns/order-context/${order.id}`, { token })

  const { email, ...rest } = data
  assert.match(email, /^buyer-/)
  assert.deepEqual(rest, {
    order_id: order.id,
    customer_id: customer.id,
    firstname: 'Ada',
    lastname: 'Byron',
    telephone: '+49 431 1234',
    // Half past midnight on the second in Berlin.
    date_ordered: '2026-03-02',
    currency: 'EUR',
    lines: [
      {
        order_item_id: order.items[0]?.id,
        product_id: product.id,
        variant_id: variant?.id,
        product_name: 'Mug',
        sku: 'MUG-BLUE',
        variant_attributes: { Colour: 'Blue' },
        quantity: 2,
        returned: 0,
        returnable: 2,
      },
    ],
  })
})

test(`${OPERATION} returns null for a missing customer, product and attributes`, async () => {
  const { store, order, read } = await scene([1])
  await inStore(store.id, (tx) =>
    OrderItem.in(tx).where('order_id', order.id).patch({ productId: null, variantId: null }),
  )

  const { data } = await read()

  const [line] = data.lines
  assert.deepEqual(
    {
      customer_id: data.customer_id,
      product_id: line.product_id,
      variant_id: line.variant_id,
      variant_attributes: line.variant_attributes,
    },
    { customer_id: null, product_id: null, variant_id: null, variant_attributes: null },
  )
})

test(`${OPERATION} counts units on returns that are neither rejected nor canceled`, async () => {
  const { store, order, units } = await scene()
  await buildReturn(store, order, { units: [1, 2] })
  const canceled = await buildReturn(store, order)
  await inStore(store.id, (tx) => cancelReturn(tx, canceled.id, 'system'))
  const rejected = await buildReturn(store, order)
  await inStore(store.id, (tx) => rejectReturn(tx, rejected.id, null, 'system'))

  assert.deepEqual(await units(), [
    { quantity: 3, returned: 1, returnable: 2 },
    { quantity: 2, returned: 2, returnable: 0 },
  ])
  await buildReceivedReturn(store, order, { disposition: 'missing' })
  assert.deepEqual(await units(), [
    { quantity: 3, returned: 2, returnable: 1 },
    { quantity: 2, returned: 2, returnable: 0 },
  ])
})

test(`${OPERATION} shows no returnable units of a gift voucher`, async () => {
  const { store, order, units, token } = await scene([1, 1])
  const [voucherLine] = order.lines
  await inStore(store.id, (tx) =>
    insertVoucher(tx, {
      amountMinor: 1_000n,
      currency: 'EUR',
      toName: 'Grace',
      toEmail: 'grace@example.test',
      fromName: 'Ada',
      fromEmail: 'ada@example.test',
      orderId: order.id,
      orderItemId: voucherLine?.id ?? '',
    }),
  )
  const body = {
    order_id: order.id,
    items: [{ order_item_id: voucherLine?.id, quantity: 1, reason: 'unwanted' }],
  }

  assert.deepEqual(await units(), [
    { quantity: 1, returned: 0, returnable: 0 },
    { quantity: 1, returned: 0, returnable: 1 },
  ])
  assert.equal((await request('POST /admin/returns', { token, body })).error_code, 'return.quantity_exceeded')
})

test(`${OPERATION} does not count the return that is being edited`, async () => {
  const { store, order, units } = await scene()
  const edited = await buildReturn(store, order, { units: [2] })
  await buildReturn(store, order, { units: [1, 1] })

  for (const [query, expected] of [
    [`?exclude_return_id=${edited.id}`, 1],
    [`?exclude_return_id=${edited.id.toUpperCase()}`, 1],
    ['?exclude_return_id=', 3],
    ['?exclude_return_id=null', 3],
    ['', 3],
  ] as const)
    assert.deepEqual(
      await units(query),
      [
        { quantity: 3, returned: expected, returnable: 3 - expected },
        { quantity: 2, returned: 1, returnable: 1 },
      ],
      query,
    )
})

test(`${OPERATION} with a return of another order returns 422`, async () => {
  const { store, read } = await scene()
  const sibling = await buildReturn(store, await buildShippedOrder(store))
  const elsewhere = await buildStore()
  const foreign = await buildReturn(elsewhere, await buildShippedOrder(elsewhere))

  for (const id of [sibling.id, foreign.id, newId()]) {
    const { status, error_code, detail } = await read(`?exclude_return_id=${id}`)
    assert.deepEqual({ status, error_code }, { status: 422, error_code: 'validation.failed' })
    assert.deepEqual(detail[0].loc, ['query', 'exclude_return_id'])
  }
})

test(`${OPERATION} with an id that is no UUID or an unknown parameter returns 422`, async () => {
  const { read, order } = await scene()

  for (const [query, orderId, loc, type] of [
    ['?exclude_return_id=7', order.id, ['query', 'exclude_return_id'], 'uuid_parsing'],
    ['?exclude_return_id=NULL', order.id, ['query', 'exclude_return_id'], 'uuid_parsing'],
    [`?exclude_return_id=urn:uuid:${order.id}`, order.id, ['query', 'exclude_return_id'], 'uuid_parsing'],
    ['?page=1', order.id, ['query', 'page'], 'extra_forbidden'],
    ['', '7', ['path', 'order_id'], 'uuid_parsing'],
  ] as const) {
    const { status, error_code, detail } = await read(query, orderId)
    assert.deepEqual(
      { status, error_code, loc: detail[0].loc, type: detail[0].type },
      { status: 422, error_code: 'validation.failed', loc, type },
    )
  }
})

test(`${OPERATION} of another store's order or an unknown order returns 404`, async () => {
  const { read } = await scene()
  const { order } = await scene()

  for (const id of [order.id, newId()]) {
    const { status, error_code, data } = await read('', id)
    assert.deepEqual(
      { status, error_code, data },
      { status: 404, error_code: 'resource.not_found', data: null },
    )
  }
})

test(`${OPERATION} without the right sales:read returns 403`, async () => {
  const { store, order } = await scene()
  const { token } = await buildStaff(store, { role: 'catalog' })
  const path = `GET /admin/returns/order-context/${order.id}`

  assert.deepEqual(
    [(await request(path, { token })).error_code, (await request(path)).error_code],
    ['auth.forbidden', 'auth.not_authenticated'],
  )
})

test(`${OPERATION} runs as many queries for many lines and returns as for one`, async () => {
  const one = await scene([1])
  const few = await countQueries(() => one.read())
  const many = await scene([5, 5, 5, 5])
  for (let i = 0; i < 4; i++) await buildReturn(many.store, many.order, { units: [1, 1, 1, 1] })

  assert.equal(await countQueries(() => many.read()), few)
})

testBooks()
