import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { changeEmail } from '#shared/identity/links/change-email.ts'
import { AccountLink, readLinkToken } from '#shared/identity/links/link.ts'
import { sendResetLink } from '#shared/identity/passwords/reset-password.ts'
import { verifyAccessToken } from '#shared/identity/sessions/access-token.ts'
import '#test/support/database.ts'
import { Customer } from '#shared/customers/customer.ts'
import { config } from '#shared/platform/config/config.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { HOUR_MS } from '#shared/platform/time/clock.ts'
import { type Answered, request } from '#test/support/app.ts'
import { type BuiltStore, buildStore, nextNumber } from '#test/support/build.ts'
import {
  type BuiltAccount,
  buildApiToken,
  buildCustomer,
  buildStaff,
  PASSWORD,
} from '#test/support/build-accounts.ts'
import { moveClock, stopClock } from '#test/support/clock.ts'
import { drainJobs } from '#test/support/jobs.ts'
import { mailbox, tokenIn } from '#test/support/mailbox.ts'
import { pending, untilOneWaits } from '#test/support/overlap.ts'
import { letInNaively } from '#test/support/single-use.ts'

const brief = ({ status, error_code }: Answered) => [status, error_code]
const linkInvalid = [400, 'auth.link_invalid']
const newEmail = () => `moved-${nextNumber()}@example.test`
const subjectsTo = (email: string) => mailbox.mails(email).map(({ subject }) => subject)

beforeEach(() => mailbox.clear())

/** Someone signed in: a customer of a store, or (where none is named) a member of the staff. */
interface Asker {
  store?: BuiltStore
  token: string
}

const ask = (by: Asker, email: string, current_password = PASSWORD) =>
  request('POST /auth/email', { ...by, body: { email, current_password } })

const confirm = (by: Asker, token: string) => request('POST /auth/email/confirm', { ...by, body: { token } })

const login = (store: BuiltStore | null, email: string) =>
  request('POST /auth/login', { ...(store ? { store } : {}), body: { email, password: PASSWORD } })

/** Asks for a change and takes the link from the new mailbox. */
async function linkFor(by: Asker, email: string): Promise<string> {
  assert.deepEqual(brief(await ask(by, email)), [200, null])
  await drainJobs()
  const mail = mailbox.mails(email).find(({ text }) => text.includes('#token='))
  assert.ok(mail)
  return tokenIn(mail)
}

async function buildAsker(): Promise<{ store: BuiltStore; customer: BuiltAccount; by: Asker }> {
  const store = await buildStore()
  const customer = await buildCustomer(store)
  return { store, customer, by: { store, token: customer.token } }
}

const customersOf = (store: BuiltStore): Promise<string[]> =>
  inStore(store.id, (tx) => tx.knex('customers').where('store_id', store.id).orderBy('email').pluck('email'))

test('a customer asks, and moves by the link: this session goes on, the others close, the address is confirmed', async () => {
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
  assert.deepEqual(brief(closed), [401, 'auth.session_revoked'])
  assert.equal((await login(store, customer.email)).status, 401)
  assert.equal((await login(store, email.toLowerCase())).status, 200)
})

test('staff change theirs the same way, on a page at the address of the service', async () => {
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

test('the address so far is told when another is asked for, and when it has become that one', async () => {
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
  assert.match(asked?.text ?? '', /Internet address: 127\.0\.0\.1\n.*change your password at once/s)
  assert.equal(changed?.subject, `Your e-mail address at ${name} was changed`)
  assert.match(changed?.text ?? '', new RegExp(`with ${email} from now on.*write to us at once`, 's'))
  assert.deepEqual(subjectsTo(email), [`Confirm your new e-mail address for ${name}`])
})

test("the owner's mails go to the new address from then on", async () => {
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

test('the change is told as an event', async () => {
  const { store, by } = await buildAsker()
  const email = newEmail()

  const token = await linkFor(by, email)
  const events = () => inStore(store.id, (tx) => tx.knex('events').orderBy('id').select('type', 'data'))
  const before = await events()
  await confirm(by, token)

  assert.deepEqual(before, [])
  const told = await events()
  assert.deepEqual(
    told.map(({ type, data }) => [type, data.email]),
    [['customer.updated', email]],
  )
})

test('what staff change of their own stands in the audit log', async () => {
  const store = await buildStore()
  const owner = await buildStaff(store, { role: 'owner' })
  const email = newEmail()

  await confirm(owner, await linkFor(owner, email))
  const { data } = await request('GET /admin/audit-log', { token: owner.token })

  type Entry = { action: string; before: { email: string }; after: { email: string } }
  assert.deepEqual(
    data.map(({ action, before, after }: Entry) => [action, before.email, after.email]),
    [
      ['postAuthEmailConfirm', owner.email, email],
      ['postAuthEmail', owner.email, owner.email],
    ],
  )
})

test('without the password nothing is asked for, by whoever has none as well', async () => {
  const { store, customer, by } = await buildAsker()
  const passwordless = await buildCustomer(store)
  await inStore(store.id, (tx) =>
    tx.knex('customers').where('id', passwordless.id).update({ password_hash: null }),
  )
  const email = newEmail()

  const wrong = await ask(by, email, 'a guess')
  const none = await ask({ store, token: passwordless.token }, email)
  await drainJobs()

  assert.deepEqual(brief(wrong), [401, 'auth.invalid_credentials'])
  assert.deepEqual(brief(none), [401, 'auth.invalid_credentials'])
  assert.match(none.error ?? '', /\/auth\/password\/forgot: .* an account without a password/)
  assert.deepEqual([...subjectsTo(email), ...subjectsTo(customer.email)], [])
})

test('a taken address is answered as a free one, and its mailbox is told why there is no link', async () => {
  const { store, customer, by } = await buildAsker()
  const taken = await buildCustomer(store)
  const work = async (email: string) => {
    const { headers, ...answer } = await ask(by, email)
    const jobs = (await drainJobs()).map(({ queue }) => queue)
    return JSON.stringify([answer, headers.get('content-length'), jobs])
  }

  const [free, held] = [await work(newEmail()), await work(taken.email.toUpperCase())]

  assert.equal(held, free)
  const [mail] = mailbox.mails(taken.email.toUpperCase())
  assert.equal(mail?.subject, `This e-mail address has an account already: Store ${store.slug}`)
  assert.doesNotMatch(mail?.text ?? '', /#token=/)
  assert.deepEqual(await customersOf(store), [customer.email, taken.email].sort())
})

test('for staff an address is taken on the whole platform, for customers in their store alone', async () => {
  const [{ by }, elsewhere] = [await buildAsker(), await buildStore()]
  const [member, other] = [
    await buildStaff(await buildStore(), { role: 'sales' }),
    await buildStaff(elsewhere, { role: 'sales' }),
  ]
  const { email: customers } = await buildCustomer(elsewhere)

  assert.deepEqual(brief(await ask(member, other.email)), [200, null])
  await drainJobs()

  assert.match(subjectsTo(other.email)[0] ?? '', /has an account already/)
  assert.equal((await confirm(by, await linkFor(by, customers))).status, 200)
})

test('an address that was taken meanwhile is refused to whoever has proven it', async () => {
  const { store, by } = await buildAsker()
  const [member, other] = [
    await buildStaff(store, { role: 'sales' }),
    await buildStaff(store, { role: 'sales' }),
  ]
  const [ours, theirs] = [newEmail(), newEmail()]
  const [mine, members] = [await linkFor(by, ours), await linkFor(member, theirs)]

  await buildCustomer(store, { email: ours })
  await confirm(other, await linkFor(other, theirs))

  assert.deepEqual(brief(await confirm(by, mine)), [409, 'auth.email_taken'])
  assert.deepEqual(brief(await confirm(member, members)), [409, 'auth.email_taken'])
})

test('of a change and a registration, or two changes, that want one address at once, one gets it', async () => {
  const store = await buildStore()
  const buildMover = async (email: string) => {
    const by = { store, token: (await buildCustomer(store)).token }
    return { by, token: await linkFor(by, email) }
  }
  const taken = { status: 409, error_code: 'auth.email_taken' }
  for (let round = 0; round < 5; round++) {
    const email = newEmail()
    const [one, other] = [await buildMover(email), await buildMover(email)]
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
  const naive = await letInNaively(
    store,
    async (tx) => !(await Customer.in(tx).findOne('email_normalized', wanted)),
    (tx) => Customer.in(tx).patch({ firstname: 'Mary' }),
  )
  assert.ok(naive > 1, 'looking first shows it free to several')
})

test('another spelling of one’s own address is no taken one; the very same is a fault', async () => {
  const { customer, by } = await buildAsker()
  const spelled = customer.email.replace('customer', 'Customer')

  const same = await ask(by, customer.email)
  await confirm(by, await linkFor(by, spelled))

  assert.deepEqual({ status: same.status, loc: same.detail[0].loc }, { status: 422, loc: ['body', 'email'] })
  assert.equal((await request('GET /auth/me', by)).data.email, spelled)
  const member = await buildStaff(await buildStore(), { role: 'sales' })
  assert.equal((await confirm(member, await linkFor(member, member.email.toUpperCase()))).status, 200)
})

test('the link takes a session of the account that asked, and stays good when others try it', async () => {
  const { store, by } = await buildAsker()
  const [stranger, member] = [await buildCustomer(store), await buildStaff(store, { role: 'owner' })]
  const elsewhere = await buildAsker()
  const token = await linkFor(by, newEmail())

  const refused = [
    await confirm({ store, token: stranger.token }, token),
    await confirm(member, token),
    await confirm(elsewhere.by, token),
    await confirm(by, token.slice(0, -1)),
    await confirm(by, `cx_ln_${'A'.repeat(86)}`),
  ]
  const signedOut = await request('POST /auth/email/confirm', { store, body: { token } })

  for (const answer of refused) assert.deepEqual(brief(answer), linkInvalid)
  assert.deepEqual(brief(signedOut), [401, 'auth.not_authenticated'])
  assert.equal((await confirm(by, token)).status, 200)
  assert.deepEqual(brief(await confirm(by, token)), linkInvalid)
})

test('it is good for nothing but the change, and no other link is good for that', async () => {
  const { by, store, customer } = await buildAsker()
  const token = await linkFor(by, newEmail())
  await request('POST /auth/password/forgot', { store, body: { email: customer.email } })
  await drainJobs()
  const reset = tokenIn(mailbox.mails(customer.email)[0] ?? assert.fail())

  const body = { token, password: 'staple by staple' }
  assert.deepEqual(brief(await request('POST /auth/password/reset', { body })), linkInvalid)
  assert.deepEqual(brief(await request('POST /auth/email/verify', { body: { token } })), linkInvalid)
  assert.deepEqual(brief(await confirm(by, reset)), linkInvalid)
})

test('it is good for one hour', async () => {
  stopClock()
  const [early, late] = [await buildAsker(), await buildAsker()]
  const [first, second] = [await linkFor(early.by, newEmail()), await linkFor(late.by, newEmail())]

  // A staff session would end meanwhile, a customer's access token does: a refreshed one takes its place.
  moveClock(HOUR_MS - 5_000)
  assert.equal((await confirm(await renewed(early), first)).status, 200)
  moveClock(HOUR_MS + 5_000)
  assert.deepEqual(brief(await confirm(await renewed(late), second)), linkInvalid)
})

async function renewed({ store, customer }: { store: BuiltStore; customer: BuiltAccount }): Promise<Asker> {
  const body = { refresh_token: customer.refreshToken }
  const { data } = await request('POST /auth/refresh', { store, body })
  customer.refreshToken = data.refresh_token
  return { store, token: data.access_token }
}

test('a second request makes the first link void, and so does a new password', async () => {
  const { by } = await buildAsker()
  const [first, second] = [await linkFor(by, newEmail()), await linkFor(by, newEmail())]

  assert.deepEqual(brief(await confirm(by, first)), linkInvalid)
  const body = { current_password: PASSWORD, password: 'staple by staple' }
  await request('POST /auth/password', { ...by, body })
  assert.deepEqual(brief(await confirm(by, second)), linkInvalid)
})

test('the change makes links void that lie in the old mailbox', async () => {
  const { store, customer, by } = await buildAsker()
  await request('POST /auth/email/verification', by)
  await request('POST /auth/password/forgot', { store, body: { email: customer.email } })
  await drainJobs()
  const [reset, verify] = mailbox.mails(customer.email).map(tokenIn)

  await confirm(by, await linkFor(by, newEmail()))

  const body = { token: reset, password: 'staple by staple' }
  assert.deepEqual(brief(await request('POST /auth/password/reset', { body })), linkInvalid)
  assert.deepEqual(brief(await request('POST /auth/email/verify', { body: { token: verify } })), linkInvalid)
  const open = await inStore(store.id, (tx) => AccountLink.in(tx).whereNull('used_at'))
  assert.deepEqual(open, [])
})

test('a link to choose a password that is made meanwhile goes to the new mailbox, and none stays in the old one', async () => {
  const { store, customer, by } = await buildAsker()
  const account = { type: 'customer', id: customer.id } as const
  const email = newEmail()
  const token = readLinkToken(await linkFor(by, email)) ?? assert.fail()
  const { sessionId: keep } = verifyAccessToken(customer.token)
  mailbox.clear()

  const change = await pending(
    (work) => inStore(store.id, work),
    (tx) => changeEmail(tx, token, { account, keep, device: { ip: null, userAgent: null } }),
  )
  const sending = inStore(store.id, (tx) => sendResetLink(tx, account, newId()))
  await Promise.race([sending, untilOneWaits()])
  change.commit()
  await Promise.all([change.done, sending])
  await drainJobs()

  assert.deepEqual(subjectsTo(email), [`Choose a new password for Store ${store.slug}`])
  assert.deepEqual(subjectsTo(customer.email), [`Your e-mail address at Store ${store.slug} was changed`])
})

test('five are sent within an hour, then it says how long to wait', async () => {
  const { by } = await buildAsker()
  const answers: Answered[] = []
  for (let n = 0; n < 6; n++) answers.push(await ask(by, newEmail()))

  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200, 200, 429],
  )
  assert.equal(answers[5]?.headers.get('Retry-After'), '3600')
})

test('a mailbox is sent five within an hour, however many ask for it and however they spell it', async () => {
  stopClock()
  const store = await buildStore()
  const stranger = newEmail()
  const spellings = [stranger, stranger.toUpperCase(), stranger.replace('moved', 'Moved')]
  const askFor = async (n: number) =>
    ask({ store, token: (await buildCustomer(store)).token }, spellings[n % 3] ?? stranger)

  const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => askFor(n)))
  await drainJobs()

  const statuses = answers.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429, 429, 429])
  assert.equal(subjectsTo(stranger).length, 5)
  const refused = answers.find(({ status }) => status === 429)
  assert.equal(refused?.headers.get('Retry-After'), '3600')
  const elsewhere = await buildAsker()
  assert.equal((await ask(elsewhere.by, stranger)).status, 200)
})

test('neither a program nor someone switched off changes an address', async () => {
  const store = await buildStore()
  const { token: program } = await buildApiToken(store, 'users:read', 'users:write')
  const member = await buildStaff(store, { role: 'sales' })
  const token = await linkFor(member, newEmail())
  await inStore(store.id, (tx) =>
    tx.knex('staff_members').where('id', member.id).update({ is_active: false }),
  )

  for (const line of ['POST /auth/email', 'POST /auth/email/confirm'])
    assert.deepEqual(brief(await request(line, { token: program })), [403, 'auth.api_token_forbidden'])
  assert.deepEqual(brief(await confirm(member, token)), [401, 'auth.session_revoked'])
})

test("an administrator changes the others' addresses, and their own this way alone", async () => {
  const store = await buildStore()
  const [me, member] = [
    await buildStaff(store, { role: 'administrator' }),
    await buildStaff(store, { role: 'sales' }),
  ]
  const patch = ({ id }: BuiltAccount, email: string) =>
    request(`PATCH /admin/users/${id}`, { token: me.token, body: { email } })
  const members = await linkFor(member, newEmail())

  assert.deepEqual(brief(await patch(me, newEmail())), [403, 'user.own_email'])
  assert.equal((await patch(me, me.email.toUpperCase())).status, 200)
  assert.equal((await patch(member, newEmail())).status, 200)
  assert.deepEqual(brief(await confirm(member, members)), linkInvalid)
})

test('an address that only compares the same is another mailbox: none moves there by a session alone', async () => {
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

  assert.deepEqual(brief(await patch(me)), [403, 'user.own_email'])
  assert.equal((await patch(member)).status, 200)
  await drainJobs()

  assert.ok(mailbox.mails(member.email).some(({ text }) => text.includes('straße')))
  assert.deepEqual(brief(await confirm(member, link)), linkInvalid)
})

test('the link leads to the page that the store has set for it, that of the staff to one that the owner has set', async () => {
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

test('faults are named', async () => {
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
