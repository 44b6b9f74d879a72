import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import '#test/support/database.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { DAY_MS } from '#shared/platform/time/clock.ts'
import { buildApiToken, buildCustomer, buildStaff, PASSWORD } from '#test/support/builders/accounts.ts'
import { buildOrder, buildPaidOrder } from '#test/support/builders/orders.ts'
import { buildReturn, buildShippedOrder } from '#test/support/builders/returns.ts'
import { buildStore, nextNumber } from '#test/support/builders/store.ts'
import { buildTwoFactor } from '#test/support/builders/two-factor.ts'
import { type RequestOptions, request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox, tokenIn } from '#test/support/processes/mailbox.ts'

beforeEach(() => mailbox.clear())

async function scene() {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'sales' })
  const as = (line: string, asked: RequestOptions = {}) => request(line, { token, ...asked })
  const list = async (query: string) =>
    (await as(`GET /admin/customers?${query}`)).data.map(({ id }: { id: string }) => id)
  return { store, as, list }
}

const newcomer = (more: object = {}) => ({
  email: `new-${nextNumber()}@example.test`,
  firstname: 'Mary',
  lastname: 'Jackson',
  ...more,
})

test('POST /admin/customers creates a customer in the default group', async () => {
  const { as } = await scene()
  const body = newcomer({ telephone: '+49 30 901820', note: 'Calls in the evening', metadata: { crm: '42' } })

  const { status, data, headers } = await as('POST /admin/customers', { body })

  const { data: groups } = await as('GET /admin/customer-groups')
  assert.equal(status, 201)
  assert.partialDeepStrictEqual(data, {
    ...body,
    language: '',
    customer_group_id: groups[0].id,
    is_active: true,
    email_verified_at: null,
    tax_exempt: false,
    orders_count: 0,
    total_spent: 0,
    average_order: 0,
    last_order_at: null,
  })
  const read = await as(`GET /admin/customers/${data.id}`)
  assert.partialDeepStrictEqual(read.data, { ...data, addresses: [], sessions: [], wishlist_size: 0 })
  assert.equal(read.headers.get('etag'), headers.get('etag'))
})

test('POST /admin/customers with a taken address returns 409, in any case of its letters', async () => {
  const { as } = await scene()
  const body = newcomer()
  await as('POST /admin/customers', { body })

  const again = await as('POST /admin/customers', { body: { ...body, email: body.email.toUpperCase() } })

  assert.partialDeepStrictEqual(again, { status: 409, error_code: 'auth.email_taken' })
})

test("POST /admin/customers with a language that is not the store's returns 422", async () => {
  const { as } = await scene()

  const { status, detail } = await as('POST /admin/customers', { body: newcomer({ language: 'fr' }) })

  assert.equal(status, 422)
  assert.deepEqual(detail[0].loc, ['body', 'language'])
})

for (const [language, subject] of [
  ['en', 'Your account at'],
  ['de', 'Ihr Konto bei'],
] as const)
  test(`an invitation in ${language} brings a link that sets the first password`, async () => {
    const { store, as } = await scene()
    const body = newcomer({ language, send_invitation: true })

    await as('POST /admin/customers', { body })
    await drainJobs()

    const [mail] = mailbox.mails(body.email)
    assert.ok(mail)
    assert.ok(mail.subject?.startsWith(subject))
    const reset = { token: tokenIn(mail), password: PASSWORD }
    assert.equal((await request('POST /auth/password/reset', { body: reset })).status, 200)
    const login = { email: body.email, password: PASSWORD }
    const signedIn = await request('POST /auth/login', { store, body: login })
    assert.ok(signedIn.data.customer.verified_at)
  })

test('without an invitation no mail is sent, and the customer claims the account by "forgot password"', async () => {
  const { store, as } = await scene()
  const body = newcomer()
  await as('POST /admin/customers', { body })
  await drainJobs()
  assert.deepEqual(mailbox.mails(body.email), [])

  await request('POST /auth/password/forgot', { store, body: { email: body.email } })
  await drainJobs()

  const [mail] = mailbox.mails(body.email)
  assert.ok(mail)
  const reset = { token: tokenIn(mail), password: PASSWORD }
  assert.equal((await request('POST /auth/password/reset', { body: reset })).status, 200)
})

test('GET /admin/customers/{id} shows addresses, sessions, orders, returns and the wishlist', async () => {
  const { store, as } = await scene()
  const customer = await buildCustomer(store)
  const order = await buildShippedOrder(store, { customerId: customer.id })
  const goodsBack = await buildReturn(store, order)

  const { data } = await as(`GET /admin/customers/${customer.id}`)

  assert.partialDeepStrictEqual(data, {
    latest_orders: [{ id: order.id, status: 'shipped', payment_status: 'paid', total: 25 }],
    latest_returns: [{ id: goodsBack.id, status: 'requested', order_id: order.id }],
    latest_subscriptions: [],
    latest_vouchers: [],
    orders_count: 1,
    total_spent: 25,
    average_order: 25,
  })
  assert.equal(data.sessions.length, 1)
})

test('PATCH /admin/customers/{id} changes fields; a stale If-Match returns 412', async () => {
  const { store, as } = await scene()
  const { id } = await buildCustomer(store)
  const { headers } = await as(`GET /admin/customers/${id}`)
  const ifMatch = { 'If-Match': headers.get('etag') ?? '' }
  const change = (body: object) => as(`PATCH /admin/customers/${id}`, { headers: ifMatch, body })

  const changed = await change({ note: 'Pays late', tax_number: 'DE123', telephone: null })
  const stale = await change({ note: 'Pays early' })

  assert.partialDeepStrictEqual(changed.data, { note: 'Pays late', tax_number: 'DE123', telephone: '' })
  assert.partialDeepStrictEqual(stale, { status: 412, error_code: 'resource.changed' })
})

test('GET /admin/customers/{id} shows orders, returns, subscriptions and vouchers only with the right sales:read', async () => {
  const { store } = await scene()
  const customer = await buildCustomer(store)
  const order = await buildShippedOrder(store, { customerId: customer.id })
  const goodsBack = await buildReturn(store, order)
  const { token } = await buildApiToken(store, 'customers:read')
  const { token: reader } = await buildApiToken(store, 'customers:read', 'sales:read')

  const without = await request(`GET /admin/customers/${customer.id}`, { token })
  const complete = await request(`GET /admin/customers/${customer.id}`, { token: reader })

  const lists = ({ data }: typeof without) => Object.keys(data).filter((name) => name.startsWith('latest_'))
  assert.deepEqual(lists(without), [])
  assert.ok(!JSON.stringify(without.data).includes(order.id))
  assert.partialDeepStrictEqual(without.data, { id: customer.id, addresses: [], wishlist_size: 0 })
  assert.partialDeepStrictEqual(complete.data, {
    latest_orders: [{ id: order.id }],
    latest_returns: [{ id: goodsBack.id }],
    latest_subscriptions: [],
    latest_vouchers: [],
  })
})

test('a change of the e-mail address closes sessions, notifies the old address and needs a new verification', async () => {
  const { store, as } = await scene()
  const { id, email: former, token } = await buildCustomer(store)
  const email = newcomer().email

  const { data } = await as(`PATCH /admin/customers/${id}`, { body: { email } })
  await drainJobs()

  assert.partialDeepStrictEqual(data, { email, email_verified_at: null })
  assert.equal((await request('GET /auth/me', { store, token })).error_code, 'auth.session_revoked')
  const [report] = mailbox.mails(former)
  assert.ok(report?.text.includes(email))
  const [verification] = mailbox.mails(email)
  assert.match(verification?.text ?? '', /#token=/)
  const login = { email, password: PASSWORD }
  assert.equal((await request('POST /auth/login', { store, body: login })).status, 200)
})

test('an address of another customer returns 409 and changes nothing', async () => {
  const { store, as } = await scene()
  const [one, other] = [await buildCustomer(store), await buildCustomer(store)]

  const taken = await as(`PATCH /admin/customers/${one.id}`, { body: { email: other.email } })

  assert.partialDeepStrictEqual(taken, { status: 409, error_code: 'auth.email_taken' })
  assert.equal((await request('GET /auth/me', { store, token: one.token })).data.email, one.email)
})

test('DELETE /admin/customers/{id} closes sessions and keeps the orders', async () => {
  const { store, as } = await scene()
  const customer = await buildCustomer(store)
  const order = await buildPaidOrder(store, { customerId: customer.id })
  await as(`PATCH /admin/orders/${order.id}`, { body: { status: 'complete' } })

  const { status } = await as(`DELETE /admin/customers/${customer.id}`)

  const read = await as(`GET /admin/customers/${customer.id}`)
  assert.equal(status, 200)
  assert.partialDeepStrictEqual(read.data, {
    is_active: false,
    sessions: [],
    latest_orders: [{ id: order.id }],
  })
  const login = { email: customer.email, password: PASSWORD }
  assert.equal((await request('POST /auth/login', { store, body: login })).status, 401)
  const events = await inStore(store.id, (tx) => tx.knex('events').where('type', 'customer.deleted'))
  assert.equal(events.length, 1)
})

test('DELETE /admin/customers/{id} with open business returns 409 and names it', async () => {
  const { store, as } = await scene()
  const customer = await buildCustomer(store)
  const pending = await buildOrder(store, { customerId: customer.id })
  const shipped = await buildShippedOrder(store, { customerId: customer.id })
  const goodsBack = await buildReturn(store, shipped)

  const { status, error_code, error } = await as(`DELETE /admin/customers/${customer.id}`)

  assert.deepEqual({ status, error_code }, { status: 409, error_code: 'customer.has_open_business' })
  assert.ok(error?.includes(`order ${pending.number} (pending)`))
  assert.ok(error?.includes(`return ${goodsBack.number} (requested)`))
})

test('POST …/2fa/reset switches the second factor off, closes sessions and mails the customer', async () => {
  const { store, as } = await scene()
  const customer = await buildCustomer(store)
  const reset = () => as(`POST /admin/customers/${customer.id}/2fa/reset`)
  assert.equal((await reset()).error_code, 'auth.totp_not_enabled')
  await buildTwoFactor(store, { type: 'customer', id: customer.id })

  assert.equal((await reset()).status, 200)
  await drainJobs()

  const login = { email: customer.email, password: PASSWORD }
  assert.equal((await request('POST /auth/login', { store, body: login })).status, 200)
  assert.equal(mailbox.mails(customer.email).length, 1)
  const [entry] = await inStore(store.id, (tx) => tx.knex('audit_entries').select('action', 'resource_id'))
  assert.deepEqual(entry, { action: 'postAdminCustomersId2faReset', resource_id: customer.id })
})

test('q finds customers by beginnings of name, address and telephone', async () => {
  const { store, list } = await scene()
  const ada = await buildCustomer(store, {
    firstname: 'Ada',
    lastname: 'Lovelace-Byron',
    email: 'ada.king@analytical.example',
    telephone: '+49 (0)30 901820',
  })
  const jose = await buildCustomer(store, { firstname: 'José', lastname: "O'Neil", telephone: null })

  for (const q of [
    'ada',
    'LOVE',
    'byr',
    'ada byron',
    'ada.king@',
    'king@ana',
    'analytical.ex',
    '030 9018',
    '4930',
  ])
    assert.deepEqual(await list(`q=${encodeURIComponent(q)}`), [ada.id], q)
  for (const q of ['jose', 'José', 'neil', "o'neil"])
    assert.deepEqual(await list(`q=${encodeURIComponent(q)}`), [jose.id], q)
  for (const q of ['ada neil', 'velace', '901820 1', '%'])
    assert.deepEqual(await list(`q=${encodeURIComponent(q)}`), [], q)
})

test('q finds a customer by a new name and not by the former one', async () => {
  const { store, as, list } = await scene()
  const { id } = await buildCustomer(store, { lastname: 'Byron' })

  await as(`PATCH /admin/customers/${id}`, { body: { lastname: 'King' } })

  assert.deepEqual({ now: await list('q=king'), before: await list('q=byron') }, { now: [id], before: [] })
})

test('GET /admin/customers filters by group, state, figures and times', async () => {
  const { store, as, list } = await scene()
  const [buyer, other] = [await buildCustomer(store), await buildCustomer(store, { acceptsMarketing: true })]
  await buildPaidOrder(store, { customerId: buyer.id })
  await as(`PATCH /admin/customers/${other.id}`, { body: { is_active: false } })
  const { data: group } = await as('POST /admin/customer-groups', { body: { name_i18n: { en: 'Trade' } } })
  await as(`PATCH /admin/customers/${buyer.id}`, { body: { customer_group_id: group.id } })
  const tomorrow = new Date(Date.now() + DAY_MS).toISOString()

  const expected: [query: string, ids: string[]][] = [
    [`group_id=${group.id}`, [buyer.id]],
    ['is_active=false', [other.id]],
    ['accepts_marketing=true', [other.id]],
    ['has_orders=true', [buyer.id]],
    ['has_orders=false', [other.id]],
    ['total_spent_from=15', [buyer.id]],
    ['total_spent_from=15.01', []],
    ['total_spent_to=14.99', [other.id]],
    [`last_order_to=${tomorrow}`, [buyer.id]],
    [`last_order_from=${tomorrow}`, []],
    [`created_from=${tomorrow}`, []],
    [`updated_to=${tomorrow}&sort=lastname`, [buyer.id, other.id].sort()],
    ['sort=-total_spent', [buyer.id, other.id]],
    ['sort=total_spent', [other.id, buyer.id]],
    ['sort=-last_order_at', [buyer.id, other.id]],
    ['sort=last_order_at', [other.id, buyer.id]],
  ]
  for (const [query, ids] of expected) assert.deepEqual(await list(query), ids, query)
})

test('the customer with exactly the searched e-mail address or name comes first, unless a sort is asked for', async () => {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'owner' })
  const exact = await buildCustomer(store, { email: 'zoe@mail.example' })
  const similar = await buildCustomer(store, { email: 'zoe@mail.example.org' })
  const list = async (query: string) => {
    const { data } = await request(`GET /admin/customers?${query}`, { token })
    return data.map(({ id }: { id: string }) => id)
  }

  assert.deepEqual(await list('q=ZOE@mail.example'), [exact.id, similar.id])
  assert.deepEqual(await list('q=zoe@mail.example&sort=-created_at'), [similar.id, exact.id])
})
