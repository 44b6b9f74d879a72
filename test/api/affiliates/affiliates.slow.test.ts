import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { MINUTE_MS, now } from '#shared/platform/time/clock.ts'
import { recordVisit } from '#shared/visits/record-visit.ts'
import { buildApiToken, buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { buildAffiliate } from '#test/support/builders/affiliates.ts'
import { buildCampaign } from '#test/support/builders/campaigns.ts'
import { buildShop, checkOut, fillCart } from '#test/support/builders/place-orders.ts'
import { moveClock } from '#test/support/clock.ts'
import { superuser } from '#test/support/database.ts'
import { countQueries } from '#test/support/measure/count-queries.ts'
import { rowsOf } from '#test/support/measure/rows-of.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox } from '#test/support/processes/mailbox.ts'

const PAYOUT = { method: 'bank', details: { iban: 'DE02120300000000202051', name: 'Ada Byron' } }

async function scene() {
  const shop = await buildShop()
  const { store } = shop
  const customer = await buildCustomer(store, { verifiedAt: now() })
  const admin = await buildStaff(store, { role: 'administrator' })
  const as =
    (token: string) =>
    (line: string, body?: object, headers = {}) =>
      request(line, {
        token,
        headers,
        ...(line.startsWith('GET') ? {} : { key: randomUUID() }),
        ...(body ? { body } : {}),
      })
  const own = (line: string, body?: object) =>
    request(line, { store, token: customer.token, ...(body ? { body } : {}) })
  return { shop, store, customer, staff: as(admin.token), as, own }
}

test('a customer whose application is approved is mailed the code', async () => {
  const { customer, staff, own } = await scene()
  const { data } = await own('POST /affiliates/apply', { code: 'Ada' })

  await staff(`PATCH /admin/affiliates/${data.id}`, { status: 'approved' })
  await drainJobs()

  const [mail] = mailbox.mails(customer.email)
  assert.match(`${mail?.subject} ${mail?.text}`, /affiliate account.*you earn a commission.*Ada/s)
})

test('an affiliate whose code staff change is mailed the former and the new code', async () => {
  const { store, staff } = await scene()
  const { id, customer } = await buildAffiliate(store, { code: 'ada-1815' })

  await staff(`PATCH /admin/affiliates/${id}`, { code: 'ADA-1815' })
  await staff(`PATCH /admin/affiliates/${id}`, { code: 'grace-1906' })
  await drainJobs()

  const mails = mailbox.mails(customer.email)
  assert.equal(mails.length, 1, 'no mail about the change of case')
  assert.match(
    `${mails[0]?.subject} ${mails[0]?.text}`,
    /code of your links has changed.*ADA-1815.*grace-1906/s,
  )
})

test('links of an affiliate whose account is deactivated win no order until it is active again', async () => {
  const { shop, store, staff } = await scene()
  const { id, code, customer } = await buildAffiliate(store)
  const affiliateOfOrder = async () => {
    const cart = await fillCart(store, shop.variantId)
    const body = { payment_method: 'sandbox', tracking_code: code }
    return (await checkOut(shop, { cart, body })).data.order.affiliate_id
  }
  const setActive = (is_active: boolean) => staff(`PATCH /admin/customers/${customer.id}`, { is_active })

  await setActive(false)
  const whileDeactivated = await affiliateOfOrder()
  await setActive(true)

  assert.equal(whileDeactivated, null)
  assert.equal(await affiliateOfOrder(), id)
})

test("a click on an affiliate's link attributes the next order; the completed order earns a commission", async () => {
  const { shop, store, staff, customer, own } = await scene()
  const { data } = await own('POST /affiliates/apply', { code: 'ada' })
  const buy = async (body: object, token?: string) => {
    const cart = await fillCart(store, shop.variantId)
    const asked = { payment_method: 'sandbox', ...body }
    return (await checkOut(shop, { cart, body: asked, ...(token ? { token } : {}) })).data.order
  }
  assert.equal((await buy({ tracking_code: 'ada' })).affiliate_id, null)
  await staff(`PATCH /admin/affiliates/${data.id}`, { status: 'approved' })
  const click = { visitorId: 'grace', ip: '', userAgent: '' }
  await recordVisit({ id: store.id, timeZone: 'Europe/Berlin' }, 'ADA', click)

  const order = await buy({ visitor_id: 'grace' })
  assert.partialDeepStrictEqual(order, { affiliate_id: data.id, campaign_id: null })
  await staff(`PATCH /admin/orders/${order.id}`, { status: 'complete' })
  await drainJobs()

  const me = (await own('GET /affiliates/me')).data
  assert.partialDeepStrictEqual(me, { visits: 1, orders: 1, balance: { pending: 0.5, payable: 0, paid: 0 } })
  assert.partialDeepStrictEqual(me.entries, [{ kind: 'earned', amount: 0.5, order_id: order.id, number: 1 }])

  assert.equal((await buy({ visitor_id: 'grace', email: customer.email.toUpperCase() })).affiliate_id, null)
  assert.equal((await buy({ visitor_id: 'grace' }, customer.token)).affiliate_id, null)
  await staff(`PATCH /admin/affiliates/${data.id}`, { status: 'suspended' })
  assert.equal((await buy({ visitor_id: 'grace' })).affiliate_id, null)
})

test('affiliates and campaigns share one name space of codes', async () => {
  const { store, customer, staff, own } = await scene()
  const campaign = await buildCampaign(store, { code: 'AUTUMN' })
  const affiliate = await buildAffiliate(store, { code: 'partner' })

  const refused = [
    await own('POST /affiliates/apply', { code: campaign.code.toLowerCase() }),
    await staff('POST /admin/affiliates', { customer_id: customer.id, code: 'autumn' }),
    await staff(`PATCH /admin/affiliates/${affiliate.id}`, { code: 'autumn' }),
    await staff('POST /admin/campaigns', { name: 'Winter', code: 'PARTNER' }),
  ]
  assert.deepEqual(
    refused.map(({ status, error_code }) => `${status} ${error_code}`),
    [...Array(3).fill('409 affiliate.code_taken'), '409 campaign.code_taken'],
  )
  assert.equal((await staff('GET /admin/affiliates')).meta.total, 1)
})

const ALLOWED = [
  'pending approved',
  'pending rejected',
  'approved suspended',
  'rejected approved',
  'suspended approved',
  'suspended rejected',
]

test('the status changes only as its table allows', async () => {
  const { store, staff } = await scene()
  const statuses = ['pending', 'approved', 'rejected', 'suspended'] as const
  for (const from of statuses)
    for (const status of statuses.filter((to) => to !== from)) {
      const { id } = await buildAffiliate(store, { status: from })
      const changed = await staff(`PATCH /admin/affiliates/${id}`, { status })
      assert.equal(changed.status, ALLOWED.includes(`${from} ${status}`) ? 200 : 409, `${from} ${status}`)
    }
})

test('an affiliate is mailed when staff enter or change the payout details, and only then', async () => {
  const { customer, staff } = await scene()
  const made = await staff('POST /admin/affiliates', { customer_id: customer.id, payout: PAYOUT })
  const path = `/admin/affiliates/${made.data.id}`

  await staff(`PATCH ${path}`, { payout: PAYOUT, company: 'Engines' })
  await staff(`PATCH ${path}`, { payout: { method: 'bank', details: { iban: 'DE99MALLORY' } } })
  await drainJobs()

  const mails = mailbox.mails(customer.email)
  assert.equal(mails.length, 2)
  for (const { text } of mails) {
    assert.match(text ?? '', /We changed the payout details.*write to us immediately/s)
    assert.doesNotMatch(text ?? '', /Device|unknown|MALLORY/)
  }
  const { data: log } = await staff('GET /admin/audit-log?action=patchAdminAffiliatesId&sort=-created_at')
  assert.deepEqual(log[0].before.payout, { details: ['…2051', '…yron'] })
  assert.deepEqual(log[0].after.payout, { details: ['…LORY'] })
})

test('payout details are changed only after a recent sign-in; other fields at any time', async () => {
  const { store, customer } = await scene()
  const fresh = await buildStaff(store, { role: 'administrator' })
  const { id } = await buildAffiliate(store)
  moveClock(61 * MINUTE_MS)
  const { data: renewed } = await request('POST /auth/refresh', {
    body: { refresh_token: fresh.refreshToken },
  })
  const send = (line: string, body: object) =>
    request(line, { token: renewed.access_token, key: randomUUID(), body })

  const created = await send('POST /admin/affiliates', { customer_id: customer.id, payout: PAYOUT })
  const changed = await send(`PATCH /admin/affiliates/${id}`, { payout: PAYOUT })

  for (const refused of [created, changed])
    assert.partialDeepStrictEqual(refused, { status: 403, error_code: 'auth.reauthentication_required' })
  assert.equal((await send(`PATCH /admin/affiliates/${id}`, { company: 'Engines' })).status, 200)
})

test('payout details are encrypted, and shown only with the right to reports', async () => {
  const { store, customer, staff, as } = await scene()
  const { data } = await staff('POST /admin/affiliates', { customer_id: customer.id, payout: PAYOUT })
  const marketing = as(
    (await buildApiToken(store, 'marketing:read', 'marketing:write', 'customers:read', 'sales:read')).token,
  )
  const reporting = as(
    (
      await buildApiToken(
        store,
        'marketing:read',
        'marketing:write',
        'reports:read',
        'customers:read',
        'sales:read',
      )
    ).token,
  )
  const path = `/admin/affiliates/${data.id}`

  assert.deepEqual((await reporting(`GET ${path}`)).data.payout, PAYOUT)
  for (const line of [`GET ${path}`, 'GET /admin/affiliates', `GET /admin/customers/${customer.id}/export`]) {
    const answer = await marketing(line)
    assert.equal(answer.status, 200)
    assert.doesNotMatch(JSON.stringify(answer), /payout"|DE02120300/, line)
    assert.match(JSON.stringify(await reporting(line)), /DE02120300/, line)
  }
  const changed = await marketing(`PATCH ${path}`, { company: 'Engines' })
  assert.equal('payout' in changed.data, false)
  for (const caller of [marketing, reporting]) {
    const refused = await caller(`PATCH ${path}`, {
      payout: { method: 'paypal', details: 'eve@example.test' },
    })
    assert.deepEqual(
      { status: refused.status, code: refused.error_code },
      { status: 403, code: 'auth.forbidden' },
    )
  }
  await staff(`PATCH ${path}`, { payout: { ...PAYOUT, details: 'IBAN DE02120300000000202051' } })
  await drainJobs()
  assert.doesNotMatch(JSON.stringify(await rowsOf(store)), /DE02120300|Ada Byron"/)
  const log = await staff('GET /admin/audit-log?resource_type=affiliates')
  assert.ok(log.data.length >= 2)
  assert.doesNotMatch(JSON.stringify(log.data), /DE02120300/)
  assert.match(JSON.stringify(log.data), /…2051/)
  const events = await staff('GET /admin/events')
  assert.doesNotMatch(JSON.stringify(events.data), /DE02120300/)
})

test('a payout is recorded in the ledger, and refused when nothing is payable', async () => {
  const { store, staff } = await scene()
  const { id } = await buildAffiliate(store)
  const pay = (body = {}) => staff(`POST /admin/affiliates/${id}/payouts`, body)

  assert.deepEqual({ ...(await pay()) }.error_code, 'affiliate.nothing_payable')
  assert.equal((await pay({ amount: 0 })).status, 422)
  assert.equal((await pay({ amount: 1.005 })).status, 422)
  await superuser.query(
    `with changed as (update affiliates set balance_minor = 1000, entry_count = 1 where id = $1 returning *)
     insert into commission_entries (store_id, id, affiliate_id, number, kind, amount_minor, balance_minor, currency,
       order_id, payable_at, actor, created_at)
     select store_id, '00000000-0000-7000-8000-000000000001', id, 1, 'earned', 1000, 1000, 'EUR', null, created_at, 'system', created_at from changed`,
    [id],
  )

  const part = await pay({ amount: 4, reference: 'May' })
  assert.equal(part.status, 201)
  assert.partialDeepStrictEqual(part.data, {
    kind: 'paid',
    amount: -4,
    balance: 6,
    reference: 'May',
    number: 2,
  })
  assert.equal((await pay({ amount: 6.01 })).error_code, 'affiliate.exceeds_payable')
  assert.equal((await pay()).data.amount, -6)
  const { data } = await staff(`GET /admin/affiliates/${id}/commissions`)
  assert.deepEqual(
    data.map(({ kind, amount }: { kind: string; amount: number }) => `${kind} ${amount}`),
    ['paid -6', 'paid -4', 'earned 10'],
  )
  assert.equal((await staff(`GET /admin/affiliates/${id}/commissions?kind=paid`)).meta.total, 2)
  const { data: read } = await staff(`GET /admin/affiliates/${id}`)
  assert.deepEqual(read.balance, { pending: 0, payable: 0, paid: 10 })
  const log = await staff('GET /admin/audit-log?resource_type=affiliates')
  assert.ok(log.data.some(({ action }: { action: string }) => action === 'postAdminAffiliatesIdPayouts'))
})

test('a customer to whom the store owes a commission is neither closed nor anonymized', async () => {
  const { store, staff, as } = await scene()
  const { id, customer } = await buildAffiliate(store, {
    code: 'zq-code',
    company: 'zq-company',
    website: 'https://zq.example',
  })
  const owe = (minor: number) =>
    superuser.query('update affiliates set balance_minor = $2 where id = $1', [id, minor])
  await owe(100)
  for (const line of [
    `DELETE /admin/customers/${customer.id}`,
    `POST /admin/customers/${customer.id}/anonymize`,
  ]) {
    const refused = await staff(line)
    assert.equal(refused.error_code, 'customer.has_open_business')
    assert.match(refused.error ?? '', /affiliate zq-code \(owed 1 EUR\)/)
  }
  const { token } = await buildApiToken(store, 'customers:write', 'marketing:write', 'sales:read')
  const counted = await as(token)(`DELETE /admin/customers/${customer.id}`)
  assert.equal(counted.error, "Complete or cancel this customer's open business first: 1 affiliate.")

  await owe(0)
  assert.equal((await staff(`POST /admin/customers/${customer.id}/anonymize`)).status, 200)
  // Short marks could appear in encrypted values by chance.
  assert.doesNotMatch(JSON.stringify(await rowsOf(store)), /zq-code|zq-company|zq\.example/)
  assert.equal((await staff(`GET /admin/affiliates/${id}`)).status, 404)
})

test('GET /admin/affiliates filters and searches; no page needs more queries', async () => {
  const { store, staff } = await scene()
  await buildAffiliate(store, { code: 'one', company: 'Engines' })
  const one = await countQueries(() => staff('GET /admin/affiliates'))
  const { customer } = await buildAffiliate(store, { code: 'two', status: 'pending' })
  await buildAffiliate(store, { code: 'three', website: 'https://engines.example' })

  assert.equal(await countQueries(() => staff('GET /admin/affiliates')), one)
  const codes = async (query: string) =>
    (await staff(`GET /admin/affiliates${query}`)).data.map(({ code }: { code: string }) => code)
  assert.deepEqual(await codes('?q=engines&sort=code'), ['one', 'three'])
  assert.deepEqual(await codes('?status=pending'), ['two'])
  assert.deepEqual(await codes(`?customer_id=${customer.id}`), ['two'])
})
