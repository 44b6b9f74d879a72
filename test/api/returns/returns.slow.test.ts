import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testBooks } from '#test/support/books/test-books.ts'
import '#test/support/database.ts'
import { readOrder } from '#test/support/books/read-refunds.ts'
import { buildReceivedScene, buildReturnScene } from '#test/support/builders/return-scene.ts'
import { buildReceivedReturn, buildReturn, buildShippedOrder } from '#test/support/builders/returns.ts'
import { freezeClock } from '#test/support/clock.ts'
import { countQueries } from '#test/support/measure/count-queries.ts'

test('staff list returns by each filter', async () => {
  const { store, customer, order, staff } = await buildReturnScene()
  const others = await buildShippedOrder(store)
  freezeClock(new Date('2026-03-01T10:00:00Z'))
  const early = await buildReturn(store, order)
  freezeClock(new Date('2026-03-02T10:00:00Z'))
  const late = await buildReceivedReturn(store, others)
  freezeClock(new Date())
  const { email, number } = await readOrder(store, others.id)

  for (const [query, expected] of [
    ['', [late, early]],
    ['?sort=created_at', [early, late]],
    ['?sort=updated_at', [early, late]],
    ['?status=requested', [early]],
    ['?status=completed', []],
    [`?order_id=${others.id}`, [late]],
    [`?customer_id=${customer.id}`, [early]],
    [`?q=${early.number.toLowerCase()}`, [early]],
    [`?q=${number}`, [late]],
    [`?q=${encodeURIComponent(email)}`, [late]],
    ['?q=byron', [late, early]],
    ['?q=%25', []],
    ['?created_to=2026-03-02T10:00:00Z', [early]],
    ['?created_from=2026-03-02T10:00:00Z', [late]],
    ['?page=2&page_size=1', [early]],
    ['?page=99', []],
  ] as const) {
    const { data } = await staff(`GET /admin/returns${query}`)
    assert.deepEqual(
      data.map(({ id }: { id: string }) => id),
      expected.map(({ id }) => id),
      query,
    )
  }
  for (const query of ['status=lost', 'sort=number', 'customer_id=1', 'page_size=101', 'who=me'])
    assert.equal((await staff(`GET /admin/returns?${query}`)).error_code, 'validation.failed', query)
})

test('a list runs as many queries for many returns as for one', async () => {
  const { store, staff } = await buildReturnScene()
  await buildReturn(store, await buildShippedOrder(store))
  const few = await countQueries(() => staff('GET /admin/returns'))
  for (let i = 0; i < 4; i++) await buildReturn(store, await buildShippedOrder(store))

  assert.equal(await countQueries(() => staff('GET /admin/returns')), few)
})

test('staff replace the items of a return before its goods arrive', async () => {
  const { staff, asked, order } = await buildReturnScene({
    lines: [
      { priceMinor: 1_000n, quantity: 2 },
      { priceMinor: 500n, quantity: 3 },
    ],
  })
  const { data, headers } = await staff('POST /admin/returns', { body: asked(2) })
  const [kept] = data.items
  const change = (body: object, tag?: string | null) =>
    staff(`PATCH /admin/returns/${data.id}`, { body, ...(tag ? { headers: { 'If-Match': tag } } : {}) })
  const items = order.lines.map(({ id: order_item_id, quantity }) => ({
    order_item_id,
    quantity,
    reason: 'late',
  }))

  const changed = await change({ items, comment: null, action: 'none' }, headers.get('etag'))
  const stale = await change({ comment: 'Late' }, headers.get('etag'))
  const tooMany = await change({ items: [{ ...items[0], quantity: 3 }] })

  assert.deepEqual(
    changed.data.items.map(({ order_item_id, quantity, reason }: Record<string, unknown>) => ({
      order_item_id,
      quantity,
      reason,
    })),
    items,
  )
  assert.equal(changed.data.items[0].id, kept.id, 'an item that stays keeps its id')
  assert.partialDeepStrictEqual(stale, { status: 412, error_code: 'resource.changed' })
  assert.partialDeepStrictEqual(tooMany, { status: 422, error_code: 'return.quantity_exceeded' })
  assert.equal((await change({})).status, 422)
  assert.equal(
    (await staff(`GET /admin/returns/${data.id}`)).headers.get('etag'),
    changed.headers.get('etag'),
  )
})

test('a received return keeps its items; its action can change until it is fulfilled', async () => {
  const { staff, built, order, step } = await buildReceivedScene({}, { disposition: 'not_restocked' })
  const change = (body: object) => staff(`PATCH /admin/returns/${built.id}`, { body })
  const items = [{ order_item_id: order.lines[0]?.id, quantity: 2, reason: 'late' }]

  assert.equal((await change({ items })).error_code, 'return.not_editable')
  assert.equal((await change({ action: 'credit' })).data.action, 'credit')
  assert.equal((await change({ action: 'refund' })).data.action, 'refund')
  assert.equal((await step('refund', { body: {} })).data.status, 'completed')
  assert.equal((await change({ action: 'none' })).error_code, 'return.not_editable')
  assert.equal((await change({ comment: 'All done' })).data.comment, 'All done')
})

test('only a requested, rejected or canceled return can be deleted', async () => {
  const { store, order, staff } = await buildReturnScene({ lines: [{ priceMinor: 1_000n, quantity: 9 }] })
  const steps: Record<string, string[]> = {
    requested: [],
    rejected: ['reject'],
    canceled: ['approve', 'cancel'],
    approved: ['approve'],
  }
  for (const [status, names] of Object.entries(steps)) {
    const { id } = await buildReturn(store, order)
    for (const name of names)
      await staff(`POST /admin/returns/${id}/${name}`, name === 'cancel' ? {} : { body: {} })

    const deleted = await staff(`DELETE /admin/returns/${id}`)

    const expected =
      status === 'approved'
        ? { status: 409, error_code: 'return.in_use', data: null }
        : { status: 200, error_code: null, data: null }
    assert.partialDeepStrictEqual(deleted, expected, status)
    const { data } = await staff('GET /admin/returns')
    assert.equal(
      data.some((rma: { id: string }) => rma.id === id),
      status === 'approved',
    )
  }
  const { id } = await buildReceivedReturn(store, order)
  assert.equal((await staff(`DELETE /admin/returns/${id}`)).error_code, 'return.in_use')
})

testBooks()
