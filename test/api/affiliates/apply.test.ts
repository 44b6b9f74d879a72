import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { now } from '#shared/platform/time/clock.ts'
import { buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildTwoFactor, wrongCode } from '#test/support/builders/two-factor.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox } from '#test/support/processes/mailbox.ts'

const PAYOUT = { method: 'bank', details: { iban: 'DE02120300000000202051', name: 'Ada Byron' } }

/** A store with a customer who applies, and staff who decide. */
async function scene() {
  const store = await buildStore()
  const { token, email, password } = await buildCustomer(store, { verifiedAt: now() })
  const { token: staffToken } = await buildStaff(store, { role: 'administrator' })
  const apply = (body: object = {}) => request('POST /affiliates/apply', { store, token, body })
  const readOwn = () => request('GET /affiliates/me', { store, token })
  const changePayout = (body: object) =>
    request('PUT /affiliates/me/payout', { store, token, body: { current_password: password, ...body } })
  const change = (id: string, body: object) =>
    request(`PATCH /admin/affiliates/${id}`, { token: staffToken, key: randomUUID(), body })
  return { store, email, apply, readOwn, changePayout, change }
}

test('an application is pending, and shows the link and an empty balance', async () => {
  const { store, apply, readOwn } = await scene()
  const body = { code: 'Ada', website: 'https://ada.example', company: 'Engines', payout: PAYOUT }

  const { status, data } = await apply(body)

  assert.equal(status, 201)
  const { id: _, created_at, updated_at, ...rest } = data
  assert.equal(updated_at, created_at)
  assert.deepEqual(rest, {
    ...body,
    status: 'pending',
    commission_percent: 5,
    currency: 'EUR',
    link: `http://${store.domain}:${new URL(rest.link).port}/?tracking_code=Ada`,
    balance: { pending: 0, payable: 0, paid: 0 },
    visits: 0,
    orders: 0,
    entries: [],
  })
  assert.deepEqual((await readOwn()).data, data)
})

test('an affiliate who applies without a tracking code gets a generated one', async () => {
  const { apply } = await scene()

  const { data } = await apply()

  assert.match(data.code, /^[0-9a-f]{8}$/)
  assert.equal(data.payout, null)
})

test('a customer who has not applied has no account; a second application returns affiliate.exists', async () => {
  const { apply, readOwn } = await scene()
  const before = await readOwn()
  const { data } = await apply({ code: 'ada' })

  const again = await apply({ code: 'grace' })

  assert.partialDeepStrictEqual(before, { status: 404, error_code: 'resource.not_found' })
  assert.partialDeepStrictEqual(again, { status: 409, error_code: 'affiliate.exists' })
  assert.deepEqual((await readOwn()).data, data)
})

test('the customer reads the status and the commission that staff have decided', async () => {
  const { apply, readOwn, change } = await scene()
  const { data } = await apply()

  await change(data.id, { status: 'approved', commission_percent: 7.5 })

  assert.partialDeepStrictEqual((await readOwn()).data, { status: 'approved', commission_percent: 7.5 })
})

test('a change of status that its states do not allow returns affiliate.invalid_transition', async () => {
  const { apply, readOwn, change } = await scene()
  const { data } = await apply()

  const refused = await change(data.id, { status: 'suspended' })

  assert.partialDeepStrictEqual(refused, { status: 409, error_code: 'affiliate.invalid_transition' })
  assert.match(refused.error ?? '', /pending cannot become suspended/)
  assert.deepEqual((await readOwn()).data, data)
})

test('a customer whose address is not verified cannot apply', async () => {
  const store = await buildStore()
  const { token } = await buildCustomer(store)

  const refused = await request('POST /affiliates/apply', { store, token, body: { payout: PAYOUT } })

  assert.partialDeepStrictEqual(refused, { status: 403, error_code: 'affiliate.email_unverified' })
})

test('an affiliate changes the payout details with the password, and is mailed about it', async () => {
  const { apply, email, readOwn, changePayout } = await scene()
  await apply({ payout: PAYOUT })
  const payout = { method: 'paypal', details: 'ada@byron.example' }

  const wrong = await changePayout({ payout: null, current_password: 'a guess' })
  const changed = await changePayout({ payout })
  await drainJobs()

  assert.partialDeepStrictEqual(wrong, { status: 401, error_code: 'auth.invalid_credentials' })
  assert.partialDeepStrictEqual(changed, { status: 200, data: { payout } })
  assert.deepEqual((await readOwn()).data.payout, payout)
  const mails = mailbox.mails(email)
  assert.deepEqual(
    mails.map(({ subject }) => /your payout details were changed/.test(subject ?? '')),
    [true],
  )
  assert.doesNotMatch(mails[0]?.text ?? '', /ada@byron/)
})

test('payout details change for a verified customer with an account and with both factors', async () => {
  const store = await buildStore()
  const account = await buildCustomer(store, { verifiedAt: now() })
  const unverified = await buildCustomer(store)
  const change = ({ token, password }: typeof account, body: object = {}) =>
    request('PUT /affiliates/me/payout', {
      store,
      token,
      body: { current_password: password, payout: PAYOUT, ...body },
    })

  const refused = [await change(account), await change(unverified)]
  const { secret } = await buildTwoFactor(store, { type: 'customer', id: account.id })
  refused.push(await change(account), await change(account, { totp_code: wrongCode(secret) }))

  assert.deepEqual(
    refused.map(({ error_code }) => error_code),
    ['resource.not_found', 'affiliate.email_unverified', 'auth.totp_required', 'auth.totp_invalid'],
  )
})
