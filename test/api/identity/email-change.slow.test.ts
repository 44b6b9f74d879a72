import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import '#test/support/database.ts'
import { Customer } from '#shared/customers/customer.ts'
import { config } from '#shared/platform/config/config.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import {
  type BuiltAccount,
  buildApiToken,
  buildCustomer,
  buildStaff,
  PASSWORD,
} from '#test/support/builders/accounts.ts'
import {
  type Asker,
  ask,
  buildAsker,
  confirm,
  linkFor,
  linkInvalid,
  login,
  newEmail,
  outcomeOf,
  subjectsTo,
} from '#test/support/builders/email-change-scene.ts'
import { type BuiltStore, buildStore, nextNumber } from '#test/support/builders/store.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox } from '#test/support/processes/mailbox.ts'
import { countNaiveSuccesses } from '#test/support/races/single-use.ts'

beforeEach(() => mailbox.clear())

const customersOf = (store: BuiltStore): Promise<string[]> =>
  inStore(store.id, (tx) => tx.knex('customers').where('store_id', store.id).orderBy('email').pluck('email'))

test('a confirmed change keeps the current session, closes the others and verifies the address', async () => {
  const { store, customer, by } = await buildAsker()
  const other = (await login(store, customer.email)).data
  const email = `Moved-${nextNumber()}@Example.test`

  const token = await linkFor(by, email)
  const before = await request('GET /auth/me', by)
  const answer = await confirm(by, token)
  const me = await request('GET /auth/me', by)

  assert.partialDeepStrictEqual(before.data, { email: customer.email, verified_at: null })
  assert.partialDeepStrictEqual(answer, { status: 200, data: null })
  assert.equal(me.data.email, email)
  assert.ok(me.data.verified_at)
  const closed = await request('GET /auth/me', { store, token: other.access_token })
  assert.deepEqual(outcomeOf(closed), { status: 401, error_code: 'auth.session_revoked' })
  assert.equal((await login(store, customer.email)).status, 401)
  assert.equal((await login(store, email.toLowerCase())).status, 200)
})

test('staff confirm a new address on the admin page', async () => {
  const store = await buildStore()
  const member = await buildStaff(store, { role: 'owner' })
  const email = newEmail()

  const token = await linkFor(member, email)
  const { text } = mailbox.mails(email)[0] ?? {}
  const answer = await confirm(member, token)

  assert.ok(text?.includes(`\n${config().PUBLIC_URL}/admin/change-email#token=${token}\n`))
  assert.equal(answer.status, 200)
  assert.equal((await request('GET /auth/me', member)).data.email, email)
  assert.equal((await login(null, member.email)).status, 401)
  assert.equal((await login(null, email)).status, 200)
})

test('the old address receives a mail on the request and on the change', async () => {
  const { store, customer, by } = await buildAsker()
  const email = newEmail()
  const name = `Store ${store.slug}`

  const token = await linkFor(by, email)
  const [asked] = mailbox.mails(customer.email)
  await confirm(by, token)
  await drainJobs()
  const [changed] = mailbox.mails(customer.email)

  assert.equal(asked?.subject, `Another e-mail address was asked for at ${name}`)
  assert.match(asked?.text ?? '', new RegExp(`to ${email}\\. A link was sent there`))
  assert.match(asked?.text ?? '', /Internet address: 127\.0\.0\.1\n.*Change it immediately/s)
  assert.equal(changed?.subject, `Your e-mail address at ${name} was changed`)
  assert.match(changed?.text ?? '', new RegExp(`with ${email} from now on.*write to us immediately`, 's'))
  assert.deepEqual(subjectsTo(email), [`Confirm your new e-mail address for ${name}`])
})

test('later mails go to the new address', async () => {
  const { store, customer, by } = await buildAsker()
  const email = newEmail()
  await confirm(by, await linkFor(by, email))
  await drainJobs()
  mailbox.clear()

  const body = { current_password: PASSWORD, password: 'staple by staple' }
  await request('POST /auth/password', { ...by, body })
  await drainJobs()

  assert.deepEqual(subjectsTo(email), [`Your password at Store ${store.slug} was changed`])
  assert.deepEqual(subjectsTo(customer.email), [])
})

test('a confirmed change records one customer.updated event', async () => {
  const { store, by } = await buildAsker()
  const email = newEmail()

  const token = await linkFor(by, email)
  const events = () => inStore(store.id, (tx) => tx.knex('events').orderBy('id').select('type', 'data'))
  const before = await events()
  await confirm(by, token)

  assert.deepEqual(before, [])
  const after = await events()
  assert.deepEqual(
    after.map(({ type, data }) => ({ type, email: data.email })),
    [{ type: 'customer.updated', email }],
  )
})

test('a change of a staff address is in the audit log', async () => {
  const store = await buildStore()
  const owner = await buildStaff(store, { role: 'owner' })
  const email = newEmail()

  await confirm(owner, await linkFor(owner, email))
  const { data } = await request('GET /admin/audit-log', { token: owner.token })

  assert.partialDeepStrictEqual(data, [
    { action: 'postAuthEmailConfirm', before: { email: owner.email }, after: { email } },
    { action: 'postAuthEmail', before: {}, after: {} },
  ])
})

test('a wrong or missing password returns 401 and sends no mail', async () => {
  const { store, customer, by } = await buildAsker()
  const passwordless = await buildCustomer(store)
  await inStore(store.id, (tx) =>
    tx.knex('customers').where('id', passwordless.id).update({ password_hash: null }),
  )
  const email = newEmail()

  const wrong = await ask(by, email, 'a guess')
  const none = await ask({ store, token: passwordless.token }, email)
  await drainJobs()

  assert.deepEqual(outcomeOf(wrong), { status: 401, error_code: 'auth.invalid_credentials' })
  assert.deepEqual(outcomeOf(none), { status: 401, error_code: 'auth.invalid_credentials' })
  assert.match(none.error ?? '', /\/auth\/password\/forgot\. A reset also sets the first password/)
  assert.deepEqual([...subjectsTo(email), ...subjectsTo(customer.email)], [])
})

test('a taken address returns the same response as a free one; its mailbox receives a notice without a link', async () => {
  const { store, customer, by } = await buildAsker()
  const taken = await buildCustomer(store)
  const requestChange = async (email: string) => {
    const { headers, ...answer } = await ask(by, email)
    const jobs = (await drainJobs()).map(({ queue }) => queue)
    return JSON.stringify([answer, headers.get('content-length'), jobs])
  }

  const [free, held] = [await requestChange(newEmail()), await requestChange(taken.email.toUpperCase())]

  assert.equal(held, free)
  const [mail] = mailbox.mails(taken.email.toUpperCase())
  assert.equal(mail?.subject, `This e-mail address has an account already: Store ${store.slug}`)
  assert.doesNotMatch(mail?.text ?? '', /#token=/)
  assert.deepEqual(await customersOf(store), [customer.email, taken.email].sort())
})

test("a staff address is unique on the platform, a customer's address in its store", async () => {
  const [{ by }, elsewhere] = [await buildAsker(), await buildStore()]
  const [member, other] = [
    await buildStaff(await buildStore(), { role: 'sales' }),
    await buildStaff(elsewhere, { role: 'sales' }),
  ]
  const { email: customers } = await buildCustomer(elsewhere)

  assert.deepEqual(outcomeOf(await ask(member, other.email)), { status: 200, error_code: null })
  await drainJobs()

  assert.match(subjectsTo(other.email)[0] ?? '', /has an account already/)
  assert.equal((await confirm(by, await linkFor(by, customers))).status, 200)
})

test('an address taken after the request returns 409 auth.email_taken', async () => {
  const { store, by } = await buildAsker()
  const [member, other] = [
    await buildStaff(store, { role: 'sales' }),
    await buildStaff(store, { role: 'sales' }),
  ]
  const [ours, theirs] = [newEmail(), newEmail()]
  const [mine, members] = [await linkFor(by, ours), await linkFor(member, theirs)]

  await buildCustomer(store, { email: ours })
  await confirm(other, await linkFor(other, theirs))

  assert.deepEqual(outcomeOf(await confirm(by, mine)), { status: 409, error_code: 'auth.email_taken' })
  assert.deepEqual(outcomeOf(await confirm(member, members)), { status: 409, error_code: 'auth.email_taken' })
})

test('one of several concurrent changes and registrations for one address succeeds', async () => {
  const store = await buildStore()
  const buildRequest = async (email: string) => {
    const by = { store, token: (await buildCustomer(store)).token }
    return { by, token: await linkFor(by, email) }
  }
  const taken = { status: 409, error_code: 'auth.email_taken' }
  for (let round = 0; round < 5; round++) {
    const email = newEmail()
    const [one, other] = [await buildRequest(email), await buildRequest(email)]
    const newcomer = { email, password: PASSWORD, firstname: 'Ada', lastname: 'Byron' }

    const answers = await Promise.all([
      confirm(one.by, one.token),
      confirm(other.by, other.token),
      request('POST /auth/register', { store, body: newcomer }),
    ])

    const refused = answers.filter(({ status }) => status >= 400)
    assert.deepEqual(
      refused.map(({ status, error_code }) => ({ status, error_code })),
      [taken, taken],
    )
    assert.equal((await customersOf(store)).filter((one) => one === email).length, 1)
  }

  const wanted = newEmail()
  const naive = await countNaiveSuccesses(
    store,
    async (tx) => !(await Customer.in(tx).findOne('email_normalized', wanted)),
    (tx) => Customer.in(tx).patch({ firstname: 'Mary' }),
  )
  assert.ok(naive > 1, 'a read before the write finds the address free several times')
})

test('another case of the current address is accepted; the same address returns 422', async () => {
  const { customer, by } = await buildAsker()
  const spelled = customer.email.replace('customer', 'Customer')

  const same = await ask(by, customer.email)
  await confirm(by, await linkFor(by, spelled))

  assert.deepEqual({ status: same.status, loc: same.detail[0].loc }, { status: 422, loc: ['body', 'email'] })
  assert.equal((await request('GET /auth/me', by)).data.email, spelled)
  const member = await buildStaff(await buildStore(), { role: 'sales' })
  assert.equal((await confirm(member, await linkFor(member, member.email.toUpperCase()))).status, 200)
})

test('an API token returns 403, an inactive account 401', async () => {
  const store = await buildStore()
  const { token: program } = await buildApiToken(store, 'users:read', 'users:write')
  const member = await buildStaff(store, { role: 'sales' })
  const token = await linkFor(member, newEmail())
  await inStore(store.id, (tx) =>
    tx.knex('staff_members').where('id', member.id).update({ is_active: false }),
  )

  for (const line of ['POST /auth/email', 'POST /auth/email/confirm'])
    assert.deepEqual(outcomeOf(await request(line, { token: program })), {
      status: 403,
      error_code: 'auth.api_token_forbidden',
    })
  assert.deepEqual(outcomeOf(await confirm(member, token)), {
    status: 401,
    error_code: 'auth.session_revoked',
  })
})

/** A new session of a staff member. */
async function signInTo(email: string): Promise<Asker> {
  const { data } = await request('POST /auth/login', { body: { email, password: PASSWORD } })
  return { token: data.access_token }
}

test('a change of a staff address by an administrator closes the sessions of the member', async () => {
  const store = await buildStore()
  const me = await buildStaff(store, { role: 'administrator' })
  const member = await buildStaff(store, { role: 'sales' })
  const patch = (email: string) =>
    request(`PATCH /admin/users/${member.id}`, { token: me.token, body: { email } })
  const read = () => request('GET /admin/orders', { token: member.token })

  assert.equal((await patch(member.email.toUpperCase())).status, 200)
  assert.equal((await read()).status, 200)
  assert.equal((await patch(newEmail())).status, 200)

  assert.deepEqual(outcomeOf(await read()), { status: 401, error_code: 'auth.session_revoked' })
  const renewed = await request('POST /auth/refresh', { body: { refresh_token: member.refreshToken } })
  assert.deepEqual(outcomeOf(renewed), { status: 401, error_code: 'auth.session_revoked' })
})

test('an administrator changes other staff addresses directly, but not their own', async () => {
  const store = await buildStore()
  const [me, member] = [
    await buildStaff(store, { role: 'administrator' }),
    await buildStaff(store, { role: 'sales' }),
  ]
  const patch = ({ id }: BuiltAccount, email: string) =>
    request(`PATCH /admin/users/${id}`, { token: me.token, body: { email } })
  const members = await linkFor(member, newEmail())

  assert.deepEqual(outcomeOf(await patch(me, newEmail())), { status: 403, error_code: 'user.own_email' })
  assert.equal((await patch(me, me.email.toUpperCase())).status, 200)
  const moved = newEmail()
  assert.equal((await patch(member, moved)).status, 200)
  assert.deepEqual(outcomeOf(await confirm(await signInTo(moved), members)), linkInvalid)
})

test('a change to an address with an equal normalized form counts as a change of mailbox', async () => {
  const store = await buildStore()
  const [me, member] = [
    await buildStaff(store, { role: 'administrator', email: `me-${nextNumber()}@strasse.example` }),
    await buildStaff(store, { role: 'sales', email: `member-${nextNumber()}@strasse.example` }),
  ]
  const patch = ({ id, email }: BuiltAccount) =>
    request(`PATCH /admin/users/${id}`, {
      token: me.token,
      body: { email: email.replace('strasse', 'straße') },
    })
  const link = await linkFor(member, newEmail())

  assert.deepEqual(outcomeOf(await patch(me)), { status: 403, error_code: 'user.own_email' })
  assert.equal((await patch(member)).status, 200)
  await drainJobs()

  assert.ok(mailbox.mails(member.email).some(({ text }) => text.includes('straße')))
  const again = await signInTo(member.email.replace('strasse', 'straße'))
  assert.deepEqual(outcomeOf(await confirm(again, link)), linkInvalid)
})

test('the link points to the page in the store settings; only the owner sets the staff page', async () => {
  const { store, by } = await buildAsker()
  const [owner, keeper] = [
    await buildStaff(store, { role: 'owner' }),
    await buildStaff(store, { role: 'administrator' }),
  ]
  const set = (token: string, links: object) => request('PATCH /admin/settings', { token, body: { links } })
  const links = { change_email: 'https://shop.example/move', staff_email: 'https://desk.example/move' }
  const [customers, staffs] = [newEmail(), newEmail()]

  assert.equal((await set(keeper.token, links)).error_code, 'user.owner_only')
  assert.equal((await set(owner.token, links)).status, 200)
  const [mine, theirs] = [await linkFor(by, customers), await linkFor(owner, staffs)]

  assert.ok(mailbox.mails(customers)[0]?.text.includes(`\n${links.change_email}#token=${mine}\n`))
  assert.ok(mailbox.mails(staffs)[0]?.text.includes(`\n${links.staff_email}#token=${theirs}\n`))
})

test('an invalid body returns 422 with the fields, a missing token 401', async () => {
  const { store, by } = await buildAsker()

  const faulty = await request('POST /auth/email', { ...by, body: { email: 'nobody', password: PASSWORD } })

  const faults = faulty.detail.map(({ loc, type }: { loc: string[]; type: string }) => [loc.at(-1), type])
  assert.deepEqual(faults.sort(), [
    ['current_password', 'missing'],
    ['email', 'string_pattern_mismatch'],
    ['password', 'extra_forbidden'],
  ])
  assert.equal((await request('POST /auth/email', { store, body: {} })).status, 401)
})
