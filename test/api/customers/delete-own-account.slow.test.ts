import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { isErasedEmail } from '#shared/platform/privacy/erase-fields.ts'
import { now } from '#shared/platform/time/clock.ts'
import { insertVoucher } from '#shared/vouchers/lifecycle/issue-voucher.ts'
import { buildCustomer, buildStaff, PASSWORD } from '#test/support/builders/accounts.ts'
import { verify } from '#test/support/builders/audit.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildMarkedCustomer, tablesWith } from '#test/support/builders/marked-customer.ts'
import { buildOrder, buildPaidOrder } from '#test/support/builders/orders.ts'
import { buildStore, nextNumber } from '#test/support/builders/store.ts'
import { buildVoucher, readVoucher } from '#test/support/builders/vouchers.ts'
import { superuser } from '#test/support/database.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'

const GIFT = {
  amountMinor: 2_000n,
  currency: 'EUR',
  fromName: 'Ada',
  fromEmail: 'ada@example.test',
  toName: 'Grace',
  toEmail: 'grace@example.test',
  message: 'Enjoy',
}

test("an account with another person's unverified address cannot erase that person's guest orders", async () => {
  const store = await buildStore()
  const victim = await buildOrder(store, { email: 'victim@example.test', paymentMethod: 'cash_on_delivery' })
  const attacker = await buildCustomer(store, { email: 'victim@example.test' })
  const body = { current_password: PASSWORD }

  const { status } = await request('POST /auth/me/delete', { store, token: attacker.token, body })

  const order = await inStore(store.id, (tx) => tx.knex('orders').where('id', victim.id).first('email'))
  assert.deepEqual({ status, email: order.email }, { status: 200, email: 'victim@example.test' })
})

for (const [email, isSame] of [
  ['victim@fa\u00df.example', false],
  ['VICTIM@fass.example', true],
] as const)
  test(`a customer who verified ${email} ${isSame ? 'has' : 'neither reads nor erases'} the orders of victim@fass.example`, async () => {
    const store = await buildStore()
    const guest = await buildPaidOrder(store, { email: 'victim@fass.example' })
    await superuser.query("update orders set status = 'complete' where id = $1", [guest.id])
    const { token } = await buildCustomer(store, { email, verifiedAt: now() })

    const { data } = await request('GET /auth/me/export', { store, token })
    const body = { current_password: PASSWORD }
    const { status } = await request('POST /auth/me/delete', { store, token, body })

    const order = await inStore(store.id, (tx) => tx.knex('orders').where('id', guest.id).first('email'))
    assert.equal(status, 200)
    assert.deepEqual(
      data.orders.map(({ id }: { id: string }) => id),
      isSame ? [guest.id] : [],
    )
    assert.equal(order.email === 'victim@fass.example', !isSame)
  })

test("a customer who verified another customer's former address neither reads nor erases that customer's questions", async () => {
  const store = await buildStore()
  const former = `former-${nextNumber()}@example.test`
  const author = await buildCustomer(store, { email: former, verifiedAt: now() })
  const { slug } = await buildProduct(store)
  const question = { author_name: 'Ada', body: 'Is it oak?' }
  await request(`POST /products/${slug}/questions`, { store, token: author.token, body: question })
  const { token: member } = await buildStaff(store, { role: 'administrator' })
  const body = { email: `moved-${nextNumber()}@example.test` }
  assert.equal((await request(`PATCH /admin/customers/${author.id}`, { token: member, body })).status, 200)
  const { token } = await buildCustomer(store, { email: former, verifiedAt: now() })
  const asGuest = { author_name: 'Grace', author_email: former, body: 'Is it ash?' }
  await request(`POST /products/${slug}/questions`, { store, body: asGuest })

  const { data } = await request('GET /auth/me/export', { store, token })
  const erased = await request('POST /auth/me/delete', {
    store,
    token,
    body: { current_password: PASSWORD },
  })

  const kept = await request('GET /admin/questions?sort=created_at', { token: member })
  assert.equal(erased.status, 200)
  assert.deepEqual(
    data.questions.map((one: { body: string }) => one.body),
    ['Is it ash?'],
  )
  assert.deepEqual(
    kept.data.map((one: { author_name: string; customer_id: string | null }) => [
      one.author_name,
      one.customer_id,
    ]),
    [
      ['Ada', author.id],
      ['Anonymous', null],
    ],
  )
})

test("deleting an account keeps the giver of gifts that another customer bought with the same giver's address", async () => {
  const store = await buildStore()
  const email = `former-${nextNumber()}@example.test`
  const other = await buildCustomer(store)
  const { id: orderId } = await buildOrder(store, { customerId: other.id })
  const gift = { orderId, fromName: 'Ada', fromEmail: email, message: 'Enjoy' }
  const given = await buildVoucher(store, gift)
  const got = await buildVoucher(store, { ...gift, toEmail: email })
  const { token } = await buildCustomer(store, { email, verifiedAt: now() })

  const body = { current_password: PASSWORD }
  const { status } = await request('POST /auth/me/delete', { store, token, body })

  assert.equal(status, 200)
  const [kept, erased] = [await readVoucher(store, given.id), await readVoucher(store, got.id)]
  assert.partialDeepStrictEqual(kept, { fromName: 'Ada', fromEmail: email, message: 'Enjoy' })
  assert.partialDeepStrictEqual(erased, { fromName: 'Ada', fromEmail: email, toName: '', message: '' })
  assert.ok(isErasedEmail(erased.toEmail))
})

test('deleting an account erases the giver of gifts that the person bought, and keeps their recipients', async () => {
  const store = await buildStore()
  const { id: customerId, token, email } = await buildCustomer(store)
  const order = await buildOrder(store, { customerId, paymentMethod: 'cash_on_delivery' })
  const { id } = await inStore(store.id, (tx) =>
    insertVoucher(tx, {
      ...GIFT,
      fromEmail: email,
      orderId: order.id,
      orderItemId: order.items[0]?.id ?? '',
    }),
  )
  await superuser.query(
    "update orders set status = 'complete', amount_captured_minor = total_minor where id = $1",
    [order.id],
  )

  const body = { current_password: PASSWORD }
  const { status } = await request('POST /auth/me/delete', { store, token, body })

  assert.equal(status, 200)
  const { fromEmail, ...kept } = await readVoucher(store, id)
  assert.partialDeepStrictEqual(kept, { fromName: '', message: '', toName: 'Grace', toEmail: GIFT.toEmail })
  assert.ok(isErasedEmail(fromEmail))
})

test("deleting an account with the store's address keeps vouchers that staff issued, their events and log", async () => {
  const store = await buildStore()
  const { token: staff } = await buildStaff(store, { role: 'administrator' })
  const { data: settings } = await request('GET /admin/settings', { token: staff })
  const { token } = await buildCustomer(store, { email: settings.email, verifiedAt: now() })
  const body = { amount: 20, to_name: 'Grace', to_email: GIFT.toEmail, message: 'Happy birthday' }
  const issued = await request('POST /admin/vouchers', { token: staff, body })
  const { id } = issued.data
  await drainJobs()
  const read = async () => ({
    voucher: (await request(`GET /admin/vouchers/${id}`, { token: staff })).data,
    log: (await request(`GET /admin/audit-log?resource_id=${id}`, { token: staff })).data,
    events: (await request('GET /admin/events?limit=100', { token: staff })).data.filter(
      ({ data }: { data: { id: string } }) => data.id === id,
    ),
  })
  const before = await read()

  const { status } = await request('POST /auth/me/delete', {
    store,
    token,
    body: { current_password: PASSWORD },
  })

  assert.equal(issued.data.from_email, settings.email, 'control')
  assert.equal(status, 200)
  assert.equal(before.log[0].after.to_name, 'Grace')
  assert.equal(before.events[0].data.to_name, 'Grace')
  assert.deepEqual(await read(), before)
})

test('staff who enter their own address in a voucher and delete that account keep the log of its value', async () => {
  const store = await buildStore()
  const { token: owner } = await buildStaff(store, { role: 'owner' })
  const { token: clerk } = await buildStaff(store, { role: 'sales' })
  const { token, email } = await buildCustomer(store, { verifiedAt: now() })
  const body = { amount: 500, to_name: 'Grace', to_email: GIFT.toEmail, expires_at: '2099-01-01T00:00:00Z' }
  const { id } = (await request('POST /admin/vouchers', { token: owner, body })).data
  const change = { from_email: email, to_email: email, amount: 400, expires_at: '2098-01-01T00:00:00Z' }
  const changed = await request(`PATCH /admin/vouchers/${id}`, { token: clerk, body: change })
  const log = async () => (await request(`GET /admin/audit-log?resource_id=${id}`, { token: owner })).data
  const [readable] = await log()

  await request('POST /auth/me/delete', { store, token, body: { current_password: PASSWORD } })

  assert.equal(changed.status, 200)
  assert.partialDeepStrictEqual(readable, { after: { to_email: email, amount: 400 }, is_erased: false })
  const [update, creation] = await log()
  assert.partialDeepStrictEqual(update, {
    before: { amount: 500, expires_at: '2099-01-01T00:00:00.000Z' },
    after: { amount: 400, expires_at: '2098-01-01T00:00:00.000Z' },
    is_erased: true,
  })
  assert.partialDeepStrictEqual(creation, { before: null, after: { amount: 500, is_active: true } })
  const { data: voucher } = await request(`GET /admin/vouchers/${id}`, { token: owner })
  assert.doesNotMatch(
    JSON.stringify([update, creation, voucher]),
    new RegExp(`${email}|${GIFT.toEmail}|Grace`),
  )
  assert.equal((await verify(store)).broken, null)
})

test("deleting an account with a stranger's address keeps that person's mails and stored responses", async () => {
  const store = await buildStore()
  const victim = await buildCustomer(store, { email: 'victim@example.test', verifiedAt: now() })
  const attacker = await buildCustomer(store, { verifiedAt: now() })
  const named = await buildOrder(store, {
    customerId: attacker.id,
    email: victim.email,
    paymentMethod: 'cash_on_delivery',
  })
  await superuser.query("update orders set status = 'canceled' where id = $1", [named.id])
  await request('POST /auth/email', {
    store,
    token: attacker.token,
    body: { email: 'wanted@example.test', current_password: PASSWORD },
  })
  await request('POST /auth/password/forgot', { store, body: { email: victim.email } })
  await request('POST /auth/password/forgot', { store, body: { email: attacker.email } })
  const { token } = await buildStaff(store, { role: 'administrator' })
  const gift = { amount: 20, to_name: 'Vic', to_email: `not.${victim.email}`, message: '' }
  const asked = { token, key: randomUUID(), body: gift }
  await request('POST /admin/vouchers', asked)
  const emailsOfJobs = async () => {
    const { rows } = await superuser.query<{ email: string }>(
      "select distinct coalesce(data->>'to', data->>'email') as email from pgboss.job where data->>'storeId' = $1",
      [store.id],
    )
    return rows.flatMap(({ email }) => email ?? [])
  }
  const before = await emailsOfJobs()

  const body = { current_password: PASSWORD }
  const { status } = await request('POST /auth/me/delete', { store, token: attacker.token, body })

  const jobs = await emailsOfJobs()
  await drainJobs()
  const repeated = await request('POST /admin/vouchers', asked)
  assert.equal(status, 200)
  assert.deepEqual(
    before.toSorted(),
    [attacker.email, victim.email, 'wanted@example.test'].toSorted(),
    'control',
  )
  assert.deepEqual(jobs, [victim.email])
  assert.equal(repeated.headers.get('idempotent-replayed'), 'true')
  assert.equal(repeated.data.to_name, 'Vic')
})

test('a customer with an open order cannot delete the account', async () => {
  const { own, store, customer } = await buildMarkedCustomer()
  const order = await buildOrder(store, { customerId: customer.id })
  const { data: before } = await own('GET /auth/me')

  const refused = await own('POST /auth/me/delete', { body: { current_password: PASSWORD } })

  assert.partialDeepStrictEqual(refused, { status: 409, error_code: 'customer.has_open_business' })
  assert.ok(refused.error?.includes(order.number))
  assert.partialDeepStrictEqual(await own('GET /auth/me'), { status: 200, data: before })
})

test("guests' open orders with the address keep a customer from deleting the account, and are not named", async () => {
  const { own, store, marks } = await buildMarkedCustomer()
  await buildOrder(store, { email: marks.email })

  const refused = await own('POST /auth/me/delete', { body: { current_password: PASSWORD } })

  assert.equal(refused.error, "Complete or cancel this customer's open business first: 1 order.")
})

test('POST /auth/me/delete takes the password and erases the account', async () => {
  const found = await buildMarkedCustomer()
  const { store, marks, own } = found
  const remove = (current_password: string) => own('POST /auth/me/delete', { body: { current_password } })

  const refused = await remove('wrong password')
  const { status } = await remove(PASSWORD)

  assert.equal(refused.error_code, 'auth.invalid_credentials')
  assert.equal(status, 200)
  assert.equal((await own('GET /auth/me')).status, 401)
  assert.deepEqual(await tablesWith([marks.email, marks.lastname]), [])
  const login = { email: marks.email, password: PASSWORD }
  assert.equal((await request('POST /auth/login', { store, body: login })).status, 401)
  const registered = await request('POST /auth/register', {
    store,
    body: { ...login, firstname: 'Ada', lastname: 'Byron' },
  })
  assert.equal(registered.status, 201, 'the address is free again')
})
