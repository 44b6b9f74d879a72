import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/processes/gateway.ts'
import { endpoints } from '#api/endpoints.ts'
import type { Operation } from '#api/platform/operation/operation.ts'
import { newId } from '#shared/platform/db/id.ts'
import { MINUTE_MS, SECOND_MS } from '#shared/platform/time/clock.ts'
import { buildApiToken, buildStaff, PASSWORD } from '#test/support/builders/accounts.ts'
import { buildAffiliate } from '#test/support/builders/affiliates.ts'
import { buildReceivedReturn, buildShippedOrder } from '#test/support/builders/returns.ts'
import { nextNumber } from '#test/support/builders/store.ts'
import { buildSupport } from '#test/support/builders/support.ts'
import { moveClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox } from '#test/support/processes/mailbox.ts'

/** The changes that outlast a support session, besides those that need a member of the staff in person. */
const LASTING = [
  'PATCH /admin/affiliates/:id',
  'DELETE /admin/affiliates/:id',
  'POST /admin/affiliates',
  'POST /admin/affiliates/:id/payouts',
  'DELETE /admin/coupons/:coupon_id',
  'PATCH /admin/coupons/:coupon_id',
  'POST /admin/coupons',
  'DELETE /admin/customer-groups/:id',
  'PATCH /admin/customer-groups/:id',
  'POST /admin/customer-groups',
  'POST /admin/customers/:id/anonymize',
  'POST /admin/customers/import',
  'POST /admin/orders/:order_id/mark-paid',
  'PATCH /admin/payment-methods/:code',
  'PUT /admin/products/:product_id/price-rules',
  'POST /admin/products/import',
  'PATCH /admin/publishable-keys/:key_id',
  'POST /admin/publishable-keys',
  'POST /admin/publishable-keys/:key_id/rotate',
  'PATCH /admin/recurring-plans/:plan_id',
  'DELETE /admin/recurring-plans/:plan_id',
  'POST /admin/recurring-plans',
  'POST /admin/recurring-plans/:plan_id/apply-price',
  'PUT /admin/remote/settings',
  'PATCH /admin/subscriptions/:subscription_id',
  'POST /admin/subscriptions/:subscription_id/resume',
  'POST /admin/subscriptions/:subscription_id/skip',
  'DELETE /admin/vouchers/:id',
  'PATCH /admin/vouchers/:id',
  'POST /admin/vouchers',
  'DELETE /admin/webhooks/:webhook_id',
  'PATCH /admin/webhooks/:webhook_id',
  'POST /admin/webhooks',
  'POST /admin/webhooks/:webhook_id/rotate-secret',
]

const admin = endpoints.filter(({ path }) => path.startsWith('/admin/'))
const changes = admin.filter(({ method }) => method !== 'get')
const nameOf = ({ method, path }: Operation) => `${method.toUpperCase()} ${path}`

/** Calls an operation for a resource that does not exist. */
const refusalOf = async (operation: Operation, token: string) =>
  (await request(nameOf(operation).replace(/:\w+/g, newId()), { token })).error_code

test('without consent every change of a support session returns 403', async () => {
  const { token } = await buildSupport()

  for (const operation of changes) {
    const { personal, excludesSupport } = operation.access
    const expected = personal || excludesSupport ? 'auth.support_forbidden' : 'auth.support_read_only'
    assert.equal(await refusalOf(operation, token), expected, nameOf(operation))
  }
})

test('with consent a support session makes all changes but those that outlast it', async () => {
  const { token, allow } = await buildSupport()
  await allow()

  const refused: string[] = []
  for (const operation of changes) {
    const code = await refusalOf(operation, token)
    assert.notEqual(code, 'auth.support_read_only', nameOf(operation))
    if (code === 'auth.support_forbidden' && !operation.access.personal) refused.push(nameOf(operation))
  }

  assert.deepEqual(refused.sort(), [...LASTING].sort())
})

test('every read of the admin API except of users is open to a support session', async () => {
  const { token } = await buildSupport()

  for (const operation of admin.filter(({ method }) => method === 'get')) {
    const code = await refusalOf(operation, token)
    assert.equal(code === 'auth.support_forbidden', operation.access.personal === true, nameOf(operation))
  }
})

const rename = (token: string) => request('PATCH /admin/settings', { token, body: { name: 'Renamed' } })

test('the consent ends after its minutes', async () => {
  const { token, allow, owner } = await buildSupport(60)
  const granted = await allow({ minutes: 5 })
  assert.partialDeepStrictEqual(granted, { allows_changes: true, granted_by: owner.id })
  assert.equal((await rename(token)).status, 200)

  moveClock(5 * MINUTE_MS + SECOND_MS)

  assert.equal((await rename(token)).error_code, 'auth.support_read_only')
  const { data } = await request('GET /admin/support-access', { token })
  assert.deepEqual(data, { allows_changes: false, granted_by: null, granted_at: null, expires_at: null })
})

test('the consent ends when the store changes hands', async () => {
  const { token, allow, owner, store } = await buildSupport()
  const heir = await buildStaff(store, { role: 'sales' })
  await allow()

  const body = { user_id: heir.id, current_password: PASSWORD }
  const transferred = await request('POST /admin/owner/transfer', { token: owner.token, body })

  assert.equal(transferred.status, 200)
  assert.equal((await rename(token)).error_code, 'auth.support_read_only')
})

test('the owner ends the consent immediately', async () => {
  const { token, allow, owner } = await buildSupport()
  await allow()

  assert.equal((await request('DELETE /admin/support-access', { token: owner.token })).status, 200)

  assert.equal((await rename(token)).error_code, 'auth.support_read_only')
})

test('a second consent replaces the first', async () => {
  const { token, allow } = await buildSupport(60)
  await allow({ minutes: 60 })
  await allow({ minutes: 1 })

  moveClock(2 * MINUTE_MS)

  assert.equal((await rename(token)).error_code, 'auth.support_read_only')
})

test('only the owner grants and ends the consent, in person', async () => {
  const { store, token } = await buildSupport()
  const { token: administrator } = await buildStaff(store, { role: 'administrator' })
  const { token: program } = await buildApiToken(store, 'system:read', 'system:write')

  for (const line of ['PUT /admin/support-access', 'DELETE /admin/support-access']) {
    const answer = async (caller: string) =>
      (await request(line, { token: caller, ...(line.startsWith('PUT') ? { body: {} } : {}) })).error_code
    assert.equal(await answer(administrator), 'user.owner_only')
    assert.equal(await answer(program), 'auth.api_token_forbidden')
    assert.equal(await answer(token), 'auth.support_forbidden')
  }
})

test('a consent is of at most 24 hours and of one store', async () => {
  const { owner } = await buildSupport()
  const other = await buildSupport()

  const tooLong = await request('PUT /admin/support-access', { token: owner.token, body: { minutes: 1441 } })
  assert.equal(tooLong.status, 422)
  assert.equal((await request('PUT /admin/support-access', { token: owner.token, body: {} })).status, 200)
  assert.equal((await rename(other.token)).error_code, 'auth.support_read_only')
})

test('the owner gets a mail of each support session with its reason and its end', async () => {
  const { owner, root } = await buildSupport()

  await drainJobs()

  const [mail] = mailbox.mails(owner.email)
  for (const text of ['Ticket 4711', root.email, 'read only']) assert.ok(mail?.text.includes(text), text)
})

test('with consent a support session changes a customer, but not their address', async () => {
  const { token, allow, owner } = await buildSupport()
  await allow()
  const { data } = await request('POST /admin/customers', {
    token: owner.token,
    body: { email: 'ada@example.test', firstname: 'Ada', lastname: 'Byron' },
  })
  const change = (body: object) => request(`PATCH /admin/customers/${data.id}`, { token, body })

  assert.equal((await change({ note: 'Called' })).status, 200)
  assert.equal((await change({ email: 'eve@example.test' })).error_code, 'auth.support_forbidden')
})

test('with consent a support session sets neither the group of a customer nor an exemption from tax', async () => {
  const { token, allow, owner } = await buildSupport()
  await allow()
  const { data: groups } = await request('GET /admin/customer-groups', { token })
  const ada = () => ({ email: `ada-${nextNumber()}@example.test`, firstname: 'Ada', lastname: 'Byron' })
  const { data } = await request('POST /admin/customers', { token: owner.token, body: ada() })
  const refusal = async (line: string, body: object) => (await request(line, { token, body })).error_code

  for (const field of [{ customer_group_id: groups[0].id }, { tax_exempt: true }]) {
    assert.equal(await refusal(`PATCH /admin/customers/${data.id}`, field), 'auth.support_forbidden')
    assert.equal(await refusal('POST /admin/customers', { ...ada(), ...field }), 'auth.support_forbidden')
  }
  assert.equal(await refusal('POST /admin/customers', ada()), null)
  const read = await request(`GET /admin/customers/${data.id}`, { token })
  assert.partialDeepStrictEqual(read.data, { tax_exempt: false })
})

test('a support session does not delete the customer of an affiliate, because the affiliate account would end too', async () => {
  const { store, owner, token, allow } = await buildSupport()
  await allow()
  const { id, customer } = await buildAffiliate(store)

  const deleted = await request(`DELETE /admin/customers/${customer.id}`, { token })

  assert.partialDeepStrictEqual(deleted, { status: 403, error_code: 'auth.support_forbidden' })
  assert.equal((await request(`GET /admin/affiliates/${id}`, { token: owner.token })).status, 200)
})

test('with consent a support session changes products, but not their price rules', async () => {
  const { token, allow } = await buildSupport()
  await allow()
  const price_rules = [{ kind: 'special', price: 1 }]
  const draft = () => ({ name_i18n: { en: 'Stool' }, price: 10, sku: `STOOL-${nextNumber()}` })
  const refusal = async (line: string, body: object) => (await request(line, { token, body })).error_code

  const { status, data } = await request('POST /admin/products', { token, body: draft() })
  assert.equal(status, 201)
  assert.equal(await refusal(`PATCH /admin/products/${data.id}`, { is_active: false }), null)
  assert.equal(await refusal(`PATCH /admin/products/${data.id}`, { price_rules }), 'auth.support_forbidden')
  assert.equal(await refusal('POST /admin/products', { ...draft(), price_rules }), 'auth.support_forbidden')
  const read = await request(`GET /admin/products/${data.id}`, { token })
  assert.deepEqual(read.data.price_rules, [])
})

test('with consent a support session refunds a return in money, but not by a voucher', async () => {
  const { store, token, allow } = await buildSupport()
  await allow()
  const refund = async (action: 'refund' | 'credit') => {
    const order = await buildShippedOrder(store)
    const { id } = await buildReceivedReturn(store, order, { action })
    return request(`POST /admin/returns/${id}/refund`, {
      token,
      body: {},
      headers: { 'Idempotency-Key': newId(), Prefer: 'respond-async' },
    })
  }

  assert.equal((await refund('credit')).error_code, 'auth.support_forbidden')
  assert.equal((await refund('refund')).status, 201)
  assert.equal((await request('GET /admin/vouchers', { token })).data.length, 0)
})
