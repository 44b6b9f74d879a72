import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { createAffiliate } from '#shared/affiliates/lifecycle/create-affiliate.ts'
import { markVerified } from '#shared/customers/account/verify-email.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { RIGHTS } from '#shared/staff/rights.ts'
import { type BuiltAccount, buildCustomer, PASSWORD } from '#test/support/builders/accounts.ts'
import { buildAdministrator, newcomer, signIn } from '#test/support/builders/administrator.ts'
import { linkProvider } from '#test/support/builders/link-provider.ts'
import { ADDRESS, buildOrder } from '#test/support/builders/orders.ts'
import { buildShop } from '#test/support/builders/place-orders.ts'
import type { BuiltStore } from '#test/support/builders/store.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox, tokenIn } from '#test/support/processes/mailbox.ts'

/** A registered customer with a saved address, a telephone number and a cart. */
async function buildFilledAccount() {
  const { store, variantId } = await buildShop()
  const customer = await buildCustomer(store, { telephone: '+49 431 1234' })
  const order = await buildOrder(store, { customerId: customer.id })
  const caller = { store, token: customer.token }
  const address = { ...ADDRESS, is_default_shipping: true, is_default_billing: true }
  const gift = {
    amount: 25,
    to_name: 'Eve',
    to_email: 'eve@example.test',
    from_name: 'A',
    from_email: 'a@b.test',
  }
  const made = [
    await request('POST /addresses', { ...caller, body: address }),
    await request('POST /cart/items', { ...caller, body: { variant_id: variantId, quantity: 1 } }),
    await request('POST /cart/items', { ...caller, body: { voucher: { ...gift, message: '' } } }),
    await request('PATCH /cart', { ...caller, body: { metadata: { delivery: 'To Eve, next door' } } }),
  ]
  assert.deepEqual(
    made.map(({ status }) => status),
    [201, 201, 201, 200],
  )
  await linkProvider(store, customer.id, 'subject-1')
  const payout = { method: 'bank', details: 'The IBAN of Eve' } as const
  await inStore(store.id, (tx) =>
    createAffiliate(tx, customer.id, { payout }, { id: 'staff', rights: RIGHTS }),
  )
  return { store, customer, order }
}

/** What the owner of an account finds after a reset of the password. */
async function foundAfterReset({ store, customer }: { store: BuiltStore; customer: BuiltAccount }) {
  const { email } = customer
  await request('POST /auth/password/forgot', { store, body: { email } })
  await drainJobs()
  const [mail] = mailbox.mails(email)
  assert.ok(mail)
  const password = 'staple by staple'
  await request('POST /auth/password/reset', { store, body: { token: tokenIn(mail), password } })
  const { data } = await request('POST /auth/login', { store, body: { email, password } })
  const read = async (line: string) => (await request(line, { store, token: data.access_token })).data
  const [cart, links] = [
    await read('GET /cart'),
    await inStore(store.id, (tx) => tx.knex('identity_links').pluck('account_id')),
  ]
  return {
    addresses: (await read('GET /addresses')).length,
    items: cart.items.length,
    metadata: cart.metadata,
    telephone: (await read('GET /auth/me')).telephone,
    links: links.length,
    payout: (await read('GET /affiliates/me')).payout,
    orders: (await read('GET /orders')).map(({ id }: { id: string }) => id),
  }
}

test('a reset that first verifies the address deletes the address book, telephone, cart, provider links and payout details', async () => {
  const account = await buildFilledAccount()

  assert.deepEqual(await foundAfterReset(account), {
    addresses: 0,
    items: 0,
    metadata: {},
    telephone: '',
    links: 0,
    payout: null,
    orders: [account.order.id],
  })
  const earlier = await request('GET /addresses', { store: account.store, token: account.customer.token })
  assert.equal(earlier.status, 401)
})

test('a reset of a verified account keeps the address book, telephone, cart, provider links and payout details', async () => {
  const account = await buildFilledAccount()
  await inStore(account.store.id, (tx) => markVerified(tx, account.customer.id))

  assert.deepEqual(await foundAfterReset(account), {
    addresses: 1,
    items: 2,
    metadata: { delivery: 'To Eve, next door' },
    telephone: '+49 431 1234',
    links: 1,
    payout: { method: 'bank', details: 'The IBAN of Eve' },
    orders: [account.order.id],
  })
})

test('a reset of an account that staff imported without a password keeps its address and telephone', async () => {
  const account = await buildFilledAccount()
  await inStore(account.store.id, ({ knex }) => knex('customers').update({ password_hash: null }))

  assert.partialDeepStrictEqual(await foundAfterReset(account), { addresses: 1, telephone: '+49 431 1234' })
})

test('the first reset by a member revokes the API tokens that another person created as them', async () => {
  const { as } = await buildAdministrator()
  const draft = { ...newcomer(), role: 'administrator', password: PASSWORD }
  await as('POST /admin/users', { body: draft })
  const { data: session } = await signIn(draft.email)
  const token = { name: 'Kept', rights: ['catalog:read'] }
  const kept = await request('POST /admin/api-tokens', { token: session.access_token, body: token })
  const readProducts = () => request('GET /admin/products', { token: kept.data.token })
  const before = await readProducts()
  await drainJobs()
  mailbox.clear()

  await request('POST /auth/password/forgot', { body: { email: draft.email } })
  await drainJobs()
  const [mail] = mailbox.mails(draft.email)
  assert.ok(mail)
  const body = { token: tokenIn(mail), password: 'staple by staple' }
  const reset = await request('POST /auth/password/reset', { body })
  const after = await readProducts()

  assert.deepEqual({ before: before.status, reset: reset.status }, { before: 200, reset: 200 })
  assert.partialDeepStrictEqual(after, { status: 401, error_code: 'auth.session_revoked' })
})
