import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { OPENS_CUSTOMER_ACCOUNTS, type Right } from '#shared/staff/rights.ts'
import { PAGES, STAFF_PAGES } from '#shared/stores/settings/links.ts'
import { buildApiToken, buildRole, buildStaff } from '#test/support/builders/accounts.ts'
import { buildPaymentMethods, buildShippingMethod } from '#test/support/builders/methods.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { request } from '#test/support/processes/app.ts'

test('a storefront reads the active payment methods', async () => {
  const store = await buildStore()
  await buildPaymentMethods(store, ['card', 'bank_transfer'])

  const { data } = await request('GET /settings/payment-methods', { store })

  assert.deepEqual(data, [
    {
      code: 'card',
      name: 'card',
      instructions: '',
      min_amount: 0.5,
      max_amount: 999_999.99,
      takes_recurring: true,
    },
    {
      code: 'bank_transfer',
      name: 'bank_transfer',
      instructions: '',
      min_amount: null,
      max_amount: null,
      takes_recurring: false,
    },
  ])
})

test('a storefront reads the shipping methods for a country', async () => {
  const store = await buildStore()
  const everywhere = await buildShippingMethod(store, { name: 'Parcel' })
  await buildShippingMethod(store, { countries: ['FR'] })
  await buildShippingMethod(store, { isActive: false })
  await buildShippingMethod(await buildStore())

  const { data } = await request('GET /cart/shipping-methods?country=DE&zone=DE-SH&postcode=24103', { store })

  assert.deepEqual(data, [
    { id: everywhere.id, code: everywhere.code, name: 'Parcel', price: 5, estimate: '' },
  ])
  const faulty = await request('GET /cart/shipping-methods?country=Germany', { store })
  assert.equal(faulty.error_code, 'validation.failed')
})

test('a settings change is visible to the storefront immediately', async () => {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'administrator' })
  const body = {
    name: 'Renamed',
    min_order_total: 12.5,
    guest_checkout_enabled: false,
    stock_hold_seconds: 1,
    bank_transfer_hold_seconds: 90 * 86_400,
  }

  const { status, data } = await request('PATCH /admin/settings', { token, body })

  assert.equal(status, 200)
  assert.deepEqual({ ...data, ...body }, data)
  assert.deepEqual((await request('GET /admin/settings', { token })).data, data)
  const info = await request('GET /settings/store-info', { store })
  assert.partialDeepStrictEqual(info.data, {
    name: 'Renamed',
    min_order_total: 12.5,
    guest_checkout_enabled: false,
  })
})

test('store-info returns catalog and seo; an update replaces each as a whole', async () => {
  const store = await buildStore({ seo: { title: 'Harbor', description: 'By the sea' } })
  const { token } = await buildStaff(store, { role: 'administrator' })
  const body = { catalog: { page_size: 24, shows_stock: true }, seo: { title: 'Harbor Goods' } }

  await request('PATCH /admin/settings', { token, body })
  await request('PATCH /admin/settings', { token, body: { name: 'Renamed' } })

  const { data } = await request('GET /settings/store-info', { store })
  assert.deepEqual({ catalog: data.catalog, seo: data.seo }, body)
})

test('many requests to a store with long hints do not make requests to another store fail', async () => {
  const [store, other] = [await buildStore(), await buildStore()]
  const { token } = await buildStaff(store, { role: 'owner' })
  // Each character takes six bytes in JSON.
  const hints = Object.fromEntries(
    Array.from({ length: 50 }, (_, i) => [`hint_${i}`, '\u0001'.repeat(2_000)]),
  )
  for (const field of ['catalog', 'seo'])
    assert.equal((await request('PATCH /admin/settings', { token, body: { [field]: hints } })).status, 200)
  const keys = [store.key]
  for (let n = 1; n < 20; n++)
    keys.push((await request('POST /admin/publishable-keys', { token, body: { mode: 'live' } })).data.key)

  const answers = await Promise.all(
    [...keys, other.key].map((key) => request('GET /settings/payment-methods', { store: { key } })),
  )

  assert.deepEqual(
    answers.map(({ status }) => status),
    [...keys, other.key].map(() => 200),
  )
})

test('three concurrent changes of different fields all apply', async () => {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'owner' })

  await Promise.all([
    request('PATCH /admin/settings', { token, body: { name: 'Renamed' } }),
    request('PATCH /admin/settings', { token, body: { stock_hold_seconds: 60 } }),
    request('PATCH /admin/settings', { token, body: { unpaid_order_seconds: 600 } }),
  ])

  const { data } = await request('GET /admin/settings', { token })
  assert.partialDeepStrictEqual(data, { name: 'Renamed', stock_hold_seconds: 60, unpaid_order_seconds: 600 })
})

test('invalid settings return validation.failed', async () => {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'owner' })

  for (const body of [
    {},
    { stock_hold_seconds: 0 },
    { unpaid_order_seconds: 1.5 },
    { branding: { logo_url: 'http://shop.example/logo.png', color: null } },
    { branding: { logo_url: null, color: 'red' } },
    { order_mails: { placed: 'no' } },
    { order_mails: { unknown: true } },
    { subscription_mails: { paused: 'no' } },
    { subscription_mails: { unknown: true } },
    { bank_transfer_hold_seconds: 3_599 },
    { bank_transfer_hold_seconds: 90 * 86_400 + 1 },
    { min_order_total: -1 },
    { min_order_total: 0.001 },
    { time_zone: 'Mars/Olympus' },
    // Node.js knows it, PostgreSQL does not.
    { time_zone: 'AET' },
    { default_language: 'fr' },
    { languages: ['fr'] },
    { languages: [] },
    { seo: { title: { en: 'Harbor' } } },
    { seo: { ['n'.repeat(51)]: 1 } },
    { seo: { title: 'x'.repeat(2_001) } },
    { catalog: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`name_${i}`, i])) },
    { links: { reset_password: 'http://harbor.example/reset' } },
    { links: { reset_password: 'https://harbor.example/reset#now' } },
    { links: { reset_password: '/reset' } },
    { links: { other: 'https://harbor.example/' } },
    { currency: 'USD' },
    { slug: 'other' },
  ])
    assert.equal(
      (await request('PATCH /admin/settings', { token, body })).error_code,
      'validation.failed',
      JSON.stringify(body),
    )
})

test('staff without the system right get auth.forbidden', async () => {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'sales' })

  assert.equal((await request('GET /admin/settings', { token })).error_code, 'auth.forbidden')
  assert.equal(
    (await request('PATCH /admin/settings', { token, body: { name: 'x' } })).error_code,
    'auth.forbidden',
  )
})

const SYSTEM: readonly Right[] = ['system:read', 'system:write']
for (const missing of OPENS_CUSTOMER_ACCOUNTS)
  test(`staff without ${missing} cannot change the links in customers' mails`, async () => {
    const store = await buildStore()
    const rights = OPENS_CUSTOMER_ACCOUNTS.filter((right) => right !== missing)
    await buildRole(store, { name: 'technician', rights: [...SYSTEM, ...rights] })
    const { token } = await buildStaff(store, { role: 'technician' })
    const change = async (body: object) =>
      (await request('PATCH /admin/settings', { token, body })).error_code

    for (const page of PAGES.filter((one) => !STAFF_PAGES.includes(one)))
      assert.equal(await change({ links: { [page]: 'https://evil.example/page' } }), 'auth.forbidden', page)
    assert.equal(await change({ name: 'Harbour', links: {} }), null)
  })

test('only staff and API tokens that may read what is mailed to the store change its address', async () => {
  const store = await buildStore()
  const { token: technician } = await buildApiToken(store, 'system:write')
  const reading = ['content:read', 'customers:read', 'sales:read'] as const
  const { token: keeper } = await buildApiToken(store, 'system:write', ...reading)
  const change = async (token: string, email: string) =>
    (await request('PATCH /admin/settings', { token, body: { email } })).error_code

  assert.equal(await change(technician, 'eve@example.test'), 'auth.forbidden')
  assert.equal(await change(technician, `hello@${store.domain}`), null)
  assert.equal(await change(keeper, 'desk@example.test'), null)
  const path = `PATCH /admin/stores/${store.id}`
  const elsewhere = await request(path, { token: technician, body: { email: 'eve@example.test' } })
  assert.equal(elsewhere.error_code, 'auth.forbidden')
})

test('an API token cannot change mail links, and only the owner changes the staff link', async () => {
  const store = await buildStore()
  await buildRole(store, { name: 'keeper', rights: [...SYSTEM, ...OPENS_CUSTOMER_ACCOUNTS] })
  const { token: keeper } = await buildStaff(store, { role: 'keeper' })
  const { token: owner } = await buildStaff(store, { role: 'owner' })
  const { token: apiToken } = await buildApiToken(store, 'system:read', 'system:write')
  const change = async (token: string, links: object, path = '/admin/settings') =>
    (await request(`PATCH ${path}`, { token, body: { links } })).error_code
  const alias = `/admin/stores/${store.id}`
  const customers = { reset_password: 'https://shop.example/reset' }
  const staffs = { ...customers, staff_password: 'https://desk.example/password' }

  assert.equal(await change(apiToken, customers), 'auth.api_token_forbidden')
  assert.equal(await change(apiToken, customers, alias), 'auth.api_token_forbidden')
  assert.equal(await change(keeper, customers), null)
  assert.equal(await change(keeper, staffs), 'user.owner_only')
  assert.equal(await change(owner, staffs), null)
  assert.equal(await change(keeper, customers), 'user.owner_only')
  assert.equal(await change(keeper, { staff_password: staffs.staff_password }), null)
  assert.equal(await change(keeper, {}, alias), 'user.owner_only')
})
