import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { ADDRESS, buildOrder, buildPaidOrder } from '#test/support/builders/orders.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildSupport } from '#test/support/builders/support.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox } from '#test/support/processes/mailbox.ts'
import '#test/support/processes/gateway.ts'

const MOVED = {
  firstname: 'Ada',
  lastname: 'Lovelace',
  address_1: 'Harbor Street 3',
  city: 'Hamburg',
  postcode: '20457',
  country: 'DE',
}

/** The steps of staff or support who change the address of an order. */
async function steps(order: { id: string }, token: string) {
  const path = `/admin/orders/${order.id}`
  const { email } = (await request(`GET ${path}`, { token })).data
  return {
    change: (shipping_address: object) => request(`PATCH ${path}`, { token, body: { shipping_address } }),
    /** Returns the mails to the buyer about the new address. */
    mails: async () => {
      await drainJobs()
      return mailbox.mails(email).filter(({ subject }) => subject.startsWith('The shipping address'))
    },
  }
}

async function scene(build: typeof buildPaidOrder | typeof buildOrder) {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'owner' })
  const order = await build(store)
  return { token, order, ...(await steps(order, token)) }
}

test('the buyer of a paid order gets a mail with the place of the new address, but not the street', async () => {
  const { order, change, mails } = await scene(buildPaidOrder)

  assert.equal((await change(MOVED)).status, 200)

  const [mail, ...others] = await mails()
  assert.deepEqual(others, [])
  assert.match(mail?.subject ?? '', new RegExp(`^The shipping address of your order ${order.number} at `))
  assert.match(mail?.text ?? '', /\nShipping address: 20457 Hamburg\nGermany\n/)
  assert.doesNotMatch(`${mail?.text} ${mail?.html}`, /Harbor Street|Lovelace/)
})

test('a store that switched its mails about orders off still mails the new address', async () => {
  const { token, change, mails } = await scene(buildPaidOrder)
  const order_mails = { placed: false, paid: false, shipped: false }
  assert.equal((await request('PATCH /admin/settings', { token, body: { order_mails } })).status, 200)

  await change(MOVED)

  assert.equal((await mails()).length, 1)
})

test('the same address again, or a refused one, has no mail', async () => {
  const { change, mails } = await scene(buildPaidOrder)

  assert.equal((await change(ADDRESS)).status, 200)
  assert.equal((await change({ ...MOVED, country: 'AT', postcode: '1010', city: 'Wien' })).status, 409)

  assert.deepEqual(await mails(), [])
})

test('a changed address of an unpaid order is not mailed', async () => {
  const { change, mails } = await scene(buildOrder)

  assert.equal((await change(MOVED)).status, 200)

  assert.deepEqual(await mails(), [])
})

test('support changes the address of a paid order only with consent, and the buyer gets the mail', async () => {
  const { store, token, allow } = await buildSupport()
  const { change, mails } = await steps(await buildPaidOrder(store), token)

  assert.equal((await change(MOVED)).error_code, 'auth.support_read_only')
  assert.deepEqual(await mails(), [])

  await allow()
  assert.equal((await change(MOVED)).status, 200)
  assert.equal((await mails()).length, 1)
})
