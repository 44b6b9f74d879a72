import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testBooks } from '#test/support/books/test-books.ts'
import '#test/support/database.ts'
import { issueAccessToken } from '#shared/orders/buyers/buyer.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { refundRemainder } from '#shared/refunds/request/refund-remainder.ts'
import { buildReturnScene } from '#test/support/builders/return-scene.ts'
import { buildShippedOrder } from '#test/support/builders/returns.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { request } from '#test/support/processes/app.ts'

test('a guest requests, reads and cancels a return by the access token of its order', async () => {
  const store = await buildStore()
  const order = await buildShippedOrder(store)
  const other = await buildShippedOrder(store)
  const tokenOf = ({ id }: { id: string }) => inStore(store.id, (tx) => issueAccessToken(tx, id))
  const own = `access_token=${await tokenOf(order)}`
  const items = [{ order_item_id: order.lines[0]?.id, quantity: 1, reason: 'defective' }]
  const body = { order_id: order.id, items }
  const made = await request(`POST /returns?${own}`, { store, body })
  const path = `/returns/${made.data.id}`

  const strangers = [
    await request('POST /returns', { store, body }),
    await request(`GET ${path}`, { store }),
    await request(`GET ${path}?access_token=${await tokenOf(other)}`, { store }),
    await request(`POST ${path}/cancel?access_token=${await tokenOf(other)}`, { store }),
  ]
  const read = await request(`GET ${path}?${own}`, { store })
  const canceled = await request(`POST ${path}/cancel?${own}`, { store })

  assert.partialDeepStrictEqual(made, { status: 201, data: { status: 'requested', customer_id: null } })
  for (const { status, error_code } of strangers)
    assert.deepEqual({ status, error_code }, { status: 404, error_code: 'resource.not_found' })
  assert.deepEqual(read.data, made.data)
  assert.partialDeepStrictEqual(canceled, { status: 200, data: { status: 'canceled' } })
})

test('only staff request a return of an order that was refunded after it shipped', async () => {
  const { store, order, buyer, staff, asked } = await buildReturnScene()
  await inStore(store.id, (tx) => refundRemainder(tx, order.id, 'system'))

  const refusal = await buyer('POST /returns', { body: asked() })
  const made = await staff('POST /admin/returns', { body: asked(1, { action: 'none' }) })

  assert.deepEqual(
    { error_code: refusal.error_code, status: made.status },
    { error_code: 'return.order_not_shipped', status: 201 },
  )
})

const LINE = '01992f40-1c5e-7d0a-8c1f-3b7a9e2d4c10'

const INVALID: [why: string, change: object, loc: (string | number)[]][] = [
  ['no order', { order_id: undefined }, ['body', 'order_id']],
  ['no items', { items: [] }, ['body', 'items']],
  [
    'a line of nobody',
    { items: [{ order_item_id: LINE, quantity: 1, reason: 'late' }] },
    ['body', 'items', 0, 'order_item_id'],
  ],
  [
    'no units',
    { items: [{ order_item_id: LINE, quantity: 0, reason: 'late' }] },
    ['body', 'items', 0, 'quantity'],
  ],
  [
    'half a unit',
    { items: [{ order_item_id: LINE, quantity: 0.5, reason: 'late' }] },
    ['body', 'items', 0, 'quantity'],
  ],
  [
    'more units than there are numbers',
    { items: [{ order_item_id: LINE, quantity: 2 ** 40, reason: 'late' }] },
    ['body', 'items', 0, 'quantity'],
  ],
  ['no reason', { items: [{ order_item_id: LINE, quantity: 1 }] }, ['body', 'items', 0, 'reason']],
  [
    'a reason of its own',
    { items: [{ order_item_id: LINE, quantity: 1, reason: 'bored' }] },
    ['body', 'items', 0, 'reason'],
  ],
  ['an action of its own', { action: 'revenge' }, ['body', 'action']],
  ['a blank comment', { comment: ' ' }, ['body', 'comment']],
  ['a status', { status: 'approved' }, ['body', 'status']],
]

test("an invalid request returns 422 with the field's location", async () => {
  const { buyer, staff, order, asked } = await buildReturnScene()
  const id = order.lines[0]?.id ?? ''
  const twice = [id, id.toUpperCase()].map((order_item_id) => ({
    order_item_id,
    quantity: 1,
    reason: 'late',
  }))

  for (const [why, change, loc] of [
    ...INVALID,
    ['a line twice', { items: twice }, ['body', 'items', 1, 'order_item_id']],
  ] as typeof INVALID)
    for (const answer of [
      await buyer('POST /returns', { body: { ...asked(), ...change } }),
      await staff('POST /admin/returns', { body: { ...asked(), ...change } }),
    ])
      assert.deepEqual(
        { status: answer.status, error_code: answer.error_code, loc: answer.detail?.[0].loc },
        { status: 422, error_code: 'validation.failed', loc },
        why,
      )

  assert.equal((await buyer('POST /returns', { body: asked(1, { action: 'none' }) })).status, 422)
  assert.deepEqual((await staff('GET /admin/returns')).data, [])
})

testBooks()

test('a buyer requests at most 100 returns of an order, canceled ones included; staff can request more', async () => {
  const { store, order, buyer, staff, asked } = await buildReturnScene()
  const { data: first } = await buyer('POST /returns', { body: asked() })
  await buyer(`POST /returns/${first.id}/cancel`)
  await inStore(store.id, ({ knex }) =>
    knex.raw(
      `insert into returns select copy.* from returns one, generate_series(1, 99) n,
         jsonb_populate_record(one, jsonb_build_object('id', gen_random_uuid(), 'number', 'R' || n)) copy
       where one.id = ? and one.order_id = ?`,
      [first.id, order.id],
    ),
  )

  const own = await buyer('POST /returns', { body: asked() })
  const byStaff = await staff('POST /admin/returns', { body: asked() })

  assert.partialDeepStrictEqual(own, { status: 409, error_code: 'return.limit_reached' })
  assert.equal(byStaff.status, 201)
})
