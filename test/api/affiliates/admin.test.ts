import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { buildApiToken, buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { buildAffiliate } from '#test/support/builders/affiliates.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { superuser } from '#test/support/database.ts'
import { request } from '#test/support/processes/app.ts'

/** A store with a customer, and staff who manage its affiliates. */
async function scene() {
  const store = await buildStore()
  const customer = await buildCustomer(store)
  const { token } = await buildStaff(store, { role: 'administrator' })
  const staff = (line: string, body?: object, headers = {}) =>
    request(line, {
      token,
      headers,
      ...(line.startsWith('GET') ? {} : { key: randomUUID() }),
      ...(body ? { body } : {}),
    })
  return { store, customer, staff }
}

test('staff make a customer an affiliate, once; an unknown customer returns 404', async () => {
  const { customer, staff } = await scene()
  const create = (customer_id: string) =>
    staff('POST /admin/affiliates', { customer_id, commission_percent: 12.25 })

  const made = await create(customer.id)
  const again = await create(customer.id)
  const unknown = await create(randomUUID())

  assert.partialDeepStrictEqual(made, {
    status: 201,
    data: { status: 'approved', commission_percent: 12.25, payout: null },
  })
  assert.partialDeepStrictEqual(again, { status: 409, error_code: 'affiliate.exists' })
  assert.partialDeepStrictEqual(unknown, { status: 404, error_code: 'resource.not_found' })
})

test('a commission below 0, above 100 or with three decimals returns 422 and changes nothing', async () => {
  const { store, staff } = await scene()
  const { id } = await buildAffiliate(store)
  const { data: before } = await staff(`GET /admin/affiliates/${id}`)

  for (const commission_percent of [-1, 100.01, 1.005])
    assert.equal((await staff(`PATCH /admin/affiliates/${id}`, { commission_percent })).status, 422)

  assert.deepEqual((await staff(`GET /admin/affiliates/${id}`)).data, before)
})

test('a stale If-Match returns 412', async () => {
  const { store, staff } = await scene()
  const { id } = await buildAffiliate(store)
  const { headers } = await staff(`GET /admin/affiliates/${id}`)
  await staff(`PATCH /admin/affiliates/${id}`, { company: 'A' })

  const { status } = await staff(
    `PATCH /admin/affiliates/${id}`,
    { company: 'B' },
    { 'If-Match': headers.get('etag') ?? '' },
  )

  assert.equal(status, 412)
  assert.equal((await staff(`GET /admin/affiliates/${id}`)).data.company, 'A')
})

test('a deleted affiliate is not listed, frees its code, and can apply again', async () => {
  const { store, staff } = await scene()
  const { id, code, customer } = await buildAffiliate(store)
  const own = { store, token: customer.token }

  await staff(`DELETE /admin/affiliates/${id}`)

  assert.equal((await staff(`GET /admin/affiliates/${id}`)).status, 404)
  assert.equal((await staff('GET /admin/affiliates')).meta.total, 0)
  assert.equal((await request('GET /affiliates/me', own)).status, 404)
  assert.equal((await request('POST /affiliates/apply', { ...own, body: { code } })).status, 201)
})

test('an affiliate to whom the store owes a commission is not deleted', async () => {
  const { store, staff } = await scene()
  const { id } = await buildAffiliate(store)
  await superuser.query('update affiliates set balance_minor = 100 where id = $1', [id])
  const { data: before } = await staff(`GET /admin/affiliates/${id}`)

  const refused = await staff(`DELETE /admin/affiliates/${id}`)

  assert.partialDeepStrictEqual(refused, { status: 409, error_code: 'affiliate.has_balance' })
  assert.match(refused.error ?? '', /1 EUR/)
  assert.deepEqual((await staff(`GET /admin/affiliates/${id}`)).data, before)
})

test('closing an account deletes its affiliate account', async () => {
  const { store, staff } = await scene()
  const { id, customer } = await buildAffiliate(store)

  assert.equal((await staff(`DELETE /admin/customers/${customer.id}`)).status, 200)
  assert.equal((await staff(`GET /admin/affiliates/${id}`)).status, 404)
})

test('who may not delete an affiliate account neither closes nor anonymizes the account of its customer', async () => {
  const { store, staff } = await scene()
  const { id, customer } = await buildAffiliate(store)
  const { token } = await buildApiToken(store, 'customers:read', 'customers:write')
  const before = (await staff(`GET /admin/affiliates/${id}`)).data

  const answers = [
    await request(`DELETE /admin/customers/${customer.id}`, { token }),
    await request(`POST /admin/customers/${customer.id}/anonymize`, { token, body: {} }),
  ]

  for (const { status, error_code } of answers)
    assert.deepEqual({ status, error_code }, { status: 403, error_code: 'auth.forbidden' })
  assert.deepEqual((await staff(`GET /admin/affiliates/${id}`)).data, before)
})

test("another store's affiliate or customer returns 404 and stays as it is", async () => {
  const theirs = await scene()
  const { id } = await buildAffiliate(theirs.store)
  const { data: before } = await theirs.staff(`GET /admin/affiliates/${id}`)
  const { staff } = await scene()

  const answers = [
    await staff(`GET /admin/affiliates/${id}`),
    await staff(`PATCH /admin/affiliates/${id}`, { status: 'suspended' }),
    await staff(`POST /admin/affiliates/${id}/payouts`, {}),
    await staff(`DELETE /admin/affiliates/${id}`),
    await staff('POST /admin/affiliates', { customer_id: theirs.customer.id }),
  ]

  for (const { status, error_code } of answers)
    assert.deepEqual({ status, error_code }, { status: 404, error_code: 'resource.not_found' })
  assert.deepEqual((await theirs.staff(`GET /admin/affiliates/${id}`)).data, before)
})
