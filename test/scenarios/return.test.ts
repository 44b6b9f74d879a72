import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import '#test/support/database.ts'
import { Webhook } from 'standardwebhooks'
import { stockOf } from '#test/support/books/observe-orders.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { buildShop, checkOut, confirm, referenceOf } from '#test/support/builders/place-orders.ts'
import { buildReceiver } from '#test/support/builders/webhooks.ts'
import { type RequestOptions, request } from '#test/support/processes/app.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox } from '#test/support/processes/mailbox.ts'
import { notify } from '#test/support/processes/notify.ts'
import { withWorker } from '#test/support/processes/with-worker.ts'

const receiver = await buildReceiver()

test('two of three mugs are returned: requested, approved, received, refunded, one restocked', async () => {
  const shop = await buildShop(10)
  const { store, variantId } = shop
  const { token: customerToken } = await buildCustomer(store)
  const { token: staffToken } = await buildStaff(store, { role: 'owner' })
  const buyer = (line: string, more: RequestOptions = {}) =>
    request(line, { store, token: customerToken, ...more })
  const staff = (line: string, more: RequestOptions = {}) => request(line, { token: staffToken, ...more })
  const { data: hook } = await staff('POST /admin/webhooks', {
    body: { url: receiver.hookUrl('returns'), events: ['return.*'] },
  })

  // The customer buys three mugs by card; staff ship them.
  await buyer('POST /cart/items', { body: { variant_id: variantId, quantity: 3 } })
  const { data: bought } = await checkOut(shop, { token: customerToken })
  await drainJobs()
  const reference = await referenceOf(store, bought.payment.id)
  await notify('payment_intent.succeeded', await confirm(reference))
  const order = `/admin/orders/${bought.order.id}`
  await staff(`PATCH ${order}`, { body: { status: 'shipped' } })

  // The customer requests a return of two mugs.
  const [line] = bought.order.items
  const { data: asked } = await buyer('POST /returns', {
    body: {
      order_id: bought.order.id,
      comment: 'Not the blue I thought',
      items: [{ order_item_id: line.id, quantity: 2, reason: 'not_as_described' }],
    },
  })
  const { data: context } = await staff(`GET /admin/returns/order-context/${bought.order.id}`)
  assert.deepEqual(
    { returned: context.lines[0].returned, returnable: context.lines[0].returnable },
    { returned: 2, returnable: 1 },
  )

  // Staff approve the return; the customer sees the return address.
  const rma = `/admin/returns/${asked.id}`
  const message = 'Harbor Goods, Returns, Quay 1, 24103 Kiel'
  await staff(`POST ${rma}/approve`, { body: { message } })
  await drainJobs()
  const letter = mailbox.mails(bought.order.email).find(({ subject }) => subject.includes(asked.number))
  assert.match(letter?.subject ?? '', /^Your return R.* is approved$/)
  for (const form of [letter?.text, letter?.html])
    for (const part of [message, asked.number, bought.order.number, line.sku])
      assert.ok(form?.includes(part), part)

  // Staff receive both mugs: one as new, one damaged.
  const { data: arrived } = await staff(`POST ${rma}/receive`, {
    body: {
      items: [
        { id: asked.items[0].id, quantity: 1, disposition: 'restocked', condition: 'unopened' },
        { id: asked.items[0].id, quantity: 1, disposition: 'not_restocked', condition: 'damaged' },
      ],
    },
  })
  assert.equal(arrived.status, 'received')

  // Staff refund both through the gateway and restock one.
  const refund = await withWorker(staff(`POST ${rma}/refund`, { key: randomUUID(), body: {} }))
  assert.deepEqual({ status: refund.status, amount: refund.data.refund.amount }, { status: 201, amount: 20 })
  const sent = gateway.ledger().refunds.filter(({ payment_intent }) => payment_intent === reference)
  assert.deepEqual(
    sent.map(({ amount }) => amount),
    [2_000],
  )
  await staff(`POST ${rma}/restock`)
  await drainJobs()
  assert.deepEqual(await stockOf(store, variantId), { onHand: 8, allocated: 0, held: 0 })

  // The return is settled; customer, staff and webhook see the same state.
  const [{ data: buyers }, { data: staffs }] = [
    await buyer(`GET /returns/${asked.id}`),
    await staff(`GET ${rma}`),
  ]
  const webhooks = receiver
    .requests('returns')
    .map(({ headers, body }) => new Webhook(hook.secret).verify(body, headers as Record<string, string>)) as {
    type: string
    data: object
  }[]
  assert.equal(buyers.status, 'completed')
  assert.deepEqual(staffs, buyers)
  assert.deepEqual(
    webhooks.map(({ type }) => type),
    ['requested', 'approved', 'received', 'completed'].map((step) => `return.${step}`),
  )
  assert.deepEqual(webhooks[0]?.data, asked)
  assert.deepEqual(webhooks.at(-1)?.data, buyers)

  // The order shows the return; the third mug can still be returned.
  const { data: seen } = await staff(`GET ${order}`)
  const notes = seen.history.flatMap(({ note }: { note: string }) => note || [])
  assert.deepEqual(
    notes,
    ['requested', 'approved', 'received', 'restocked', 'completed'].map(
      (did) => `Return ${asked.number} ${did}`,
    ),
  )
  assert.deepEqual(
    { payment_status: seen.payment_status, refunded_quantity: seen.items[0].refunded_quantity },
    { payment_status: 'partially_refunded', refunded_quantity: 2 },
  )
  const more = {
    order_id: bought.order.id,
    items: [{ order_item_id: line.id, quantity: 2, reason: 'unwanted' }],
  }
  assert.equal((await buyer('POST /returns', { body: more })).error_code, 'return.quantity_exceeded')
})

testBooks()
