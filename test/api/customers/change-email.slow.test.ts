import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import '#test/support/database.ts'
import { markVerified } from '#shared/customers/account/verify-email.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import type { Right } from '#shared/staff/rights.ts'
import {
  buildApiToken,
  buildCustomer,
  buildRole,
  buildStaff,
  PASSWORD,
} from '#test/support/builders/accounts.ts'
import { buildAffiliate } from '#test/support/builders/affiliates.ts'
import { type BuiltStore, buildStore, nextNumber } from '#test/support/builders/store.ts'
import { buildTwoFactor } from '#test/support/builders/two-factor.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox, tokenIn } from '#test/support/processes/mailbox.ts'

beforeEach(() => mailbox.clear())

const newAddress = () => `moved-${nextNumber()}@example.test`

const forbidden = { status: 403, error_code: 'auth.api_token_forbidden' }

async function scene() {
  const store = await buildStore()
  const { token: apiToken } = await buildApiToken(store, 'customers:read', 'customers:write')
  const { token: member } = await buildStaff(store, { role: 'sales' })
  const change = (token: string, id: string, email: string) =>
    request(`PATCH /admin/customers/${id}`, { token, body: { email } })
  return { store, apiToken, member, change }
}

/** Resets the password by the link mailed to the address, and signs in with it. */
async function claim(store: BuiltStore, email: string) {
  mailbox.clear()
  await request('POST /auth/password/forgot', { store, body: { email } })
  await drainJobs()
  const mail = mailbox.mails(email).find(({ text }) => text.includes('/reset-password'))
  assert.ok(mail)
  const body = { token: tokenIn(mail), password: PASSWORD }
  assert.equal((await request('POST /auth/password/reset', { body })).status, 200)
  return request('POST /auth/login', { store, body: { email, password: PASSWORD } })
}

test("an API token that changes a customer's address gets 403 if the account has a password", async () => {
  const { store, apiToken, change } = await scene()
  const customer = await buildCustomer(store)

  const changed = await change(apiToken, customer.id, newAddress())

  assert.partialDeepStrictEqual(changed, forbidden)
  assert.equal((await request('GET /auth/me', { store, token: customer.token })).data.email, customer.email)
})

test("an API token that changes a customer's address gets 403 if an address was verified before", async () => {
  const { store, apiToken, member, change } = await scene()
  const { id } = await buildCustomer(store)
  await inStore(store.id, async (tx) => {
    await markVerified(tx, id)
    await tx.knex('customers').where({ id }).update({ password_hash: null })
  })
  assert.equal((await change(member, id, newAddress())).status, 200)

  assert.partialDeepStrictEqual(await change(apiToken, id, newAddress()), forbidden)
})

test("an API token changes the address of an unclaimed account, and only the letter case of a claimed account's address", async () => {
  const { store, apiToken, change } = await scene()
  const body = { email: newAddress(), firstname: 'Mary', lastname: 'Jackson' }
  const { data: unclaimed } = await request('POST /admin/customers', { token: apiToken, body })
  const claimed = await buildCustomer(store)
  const email = newAddress()

  const moved = await change(apiToken, unclaimed.id, email)
  const respelled = await change(apiToken, claimed.id, claimed.email.toUpperCase())

  assert.partialDeepStrictEqual(moved, { status: 200, data: { email } })
  assert.equal(respelled.status, 200)
})

test('a password reset keeps the second factor if staff changed a verified address before', async () => {
  const { store, member, change } = await scene()
  const { id } = await buildCustomer(store)
  await inStore(store.id, (tx) => markVerified(tx, id))
  await buildTwoFactor(store, { type: 'customer', id })
  const email = newAddress()
  assert.equal((await change(member, id, email)).status, 200)

  const signedIn = await claim(store, email)

  assert.partialDeepStrictEqual(signedIn, { status: 401, error_code: 'auth.totp_required' })
})

test('a reset drops the second factor of an account that never had a verified address', async () => {
  const { store, member, change } = await scene()
  const { id } = await buildCustomer(store)
  await buildTwoFactor(store, { type: 'customer', id })
  const email = newAddress()
  assert.equal((await change(member, id, email)).status, 200)

  assert.equal((await claim(store, email)).status, 200)
})

const SALES_DESK = ['customers:read', 'customers:write', 'sales:read', 'sales:write'] as const
/** Each with who may not move the account of an affiliate. */
const LESSER_RIGHTS: Record<string, readonly Right[]> = {
  'read reports': [...SALES_DESK, 'reports:write'],
  'write reports': [...SALES_DESK, 'reports:read'],
  'do both': SALES_DESK,
}

async function memberWith(store: BuiltStore, rights: readonly Right[]): Promise<string> {
  const name = `role-${nextNumber()}`
  await buildRole(store, { name, rights })
  return (await buildStaff(store, { role: name })).token
}

for (const missing of ['sales:read', 'sales:write'] as const)
  test(`staff without ${missing} cannot move the account of a customer to another mailbox`, async () => {
    const { store, change } = await scene()
    const customer = await buildCustomer(store)
    const rights = SALES_DESK.filter((right) => right !== missing)
    const token = await memberWith(store, rights)

    const moved = await change(token, customer.id, newAddress())
    const respelled = await change(token, customer.id, customer.email.toUpperCase())

    assert.partialDeepStrictEqual(moved, { status: 403, error_code: 'auth.forbidden' })
    assert.equal(respelled.status, 200)
    assert.equal((await request('GET /auth/me', { store, token: customer.token })).status, 200)
  })

for (const [may, rights] of Object.entries(LESSER_RIGHTS))
  test(`staff who may not ${may} cannot move the account of an affiliate, which sets payout details`, async () => {
    const { store, change } = await scene()
    const { customer } = await buildAffiliate(store)
    const token = await memberWith(store, rights)

    const moved = await change(token, customer.id, newAddress())

    assert.partialDeepStrictEqual(moved, { status: 403, error_code: 'auth.forbidden' })
    assert.equal((await request('GET /auth/me', { store, token: customer.token })).status, 200)
  })

test('an API token cannot move an affiliate whom staff created without a password', async () => {
  const { store, apiToken, change } = await scene()
  const { customer } = await buildAffiliate(store)
  await inStore(store.id, (tx) =>
    tx.knex('customers').where({ id: customer.id }).update({ password_hash: null, verified_at: null }),
  )

  assert.partialDeepStrictEqual(await change(apiToken, customer.id, newAddress()), {
    status: 403,
    error_code: 'auth.forbidden',
  })
})

test('staff who may write reports move the account of an affiliate', async () => {
  const { store, change } = await scene()
  const { customer } = await buildAffiliate(store)
  const token = await memberWith(store, [...SALES_DESK, 'reports:read', 'reports:write'])

  assert.equal((await change(token, customer.id, newAddress())).status, 200)
})
