import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { changeEmail } from '#shared/identity/email-change/change-email.ts'
import { AccountLink, readLinkToken } from '#shared/identity/links/link.ts'
import { sendResetLink } from '#shared/identity/passwords/request-password-reset.ts'
import { verifyAccessToken } from '#shared/identity/sessions/access-token.ts'
import '#test/support/database.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { HOUR_MS } from '#shared/platform/time/clock.ts'
import { type BuiltAccount, buildCustomer, buildStaff, PASSWORD } from '#test/support/builders/accounts.ts'
import {
  type Asker,
  ask,
  buildAsker,
  confirm,
  linkFor,
  linkInvalid,
  newEmail,
  outcomeOf,
  subjectsTo,
} from '#test/support/builders/email-change-scene.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { moveClock, stopClock } from '#test/support/clock.ts'
import { type ApiResponse, request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox, tokenIn } from '#test/support/processes/mailbox.ts'
import { pending, untilOneWaits } from '#test/support/races/overlap.ts'

beforeEach(() => mailbox.clear())

test('a link works only in a session of its account and stays valid after refused attempts', async () => {
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

  for (const answer of refused) assert.deepEqual(outcomeOf(answer), linkInvalid)
  assert.deepEqual(outcomeOf(signedOut), { status: 401, error_code: 'auth.not_authenticated' })
  assert.equal((await confirm(by, token)).status, 200)
  assert.deepEqual(outcomeOf(await confirm(by, token)), linkInvalid)
})

test('a link works only for its own purpose', async () => {
  const { by, store, customer } = await buildAsker()
  const token = await linkFor(by, newEmail())
  await request('POST /auth/password/forgot', { store, body: { email: customer.email } })
  await drainJobs()
  const reset = tokenIn(mailbox.mails(customer.email)[0] ?? assert.fail())

  const body = { token, password: 'staple by staple' }
  assert.deepEqual(outcomeOf(await request('POST /auth/password/reset', { body })), linkInvalid)
  assert.deepEqual(
    outcomeOf(await request('POST /auth/email/verify', { ...by, body: { token } })),
    linkInvalid,
  )
  assert.deepEqual(outcomeOf(await confirm(by, reset)), linkInvalid)
})

test('a link expires after one hour', async () => {
  stopClock()
  const [early, late] = [await buildAsker(), await buildAsker()]
  const [first, second] = [await linkFor(early.by, newEmail()), await linkFor(late.by, newEmail())]

  // The customer's access token expires before the link, so the test refreshes it.
  moveClock(HOUR_MS - 5_000)
  assert.equal((await confirm(await refreshed(early), first)).status, 200)
  moveClock(HOUR_MS + 5_000)
  assert.deepEqual(outcomeOf(await confirm(await refreshed(late), second)), linkInvalid)
})

async function refreshed({ store, customer }: { store: BuiltStore; customer: BuiltAccount }): Promise<Asker> {
  const body = { refresh_token: customer.refreshToken }
  const { data } = await request('POST /auth/refresh', { store, body })
  customer.refreshToken = data.refresh_token
  return { store, token: data.access_token }
}

test('a second request or a new password invalidates the link', async () => {
  const { by } = await buildAsker()
  const [first, second] = [await linkFor(by, newEmail()), await linkFor(by, newEmail())]

  assert.deepEqual(outcomeOf(await confirm(by, first)), linkInvalid)
  const body = { current_password: PASSWORD, password: 'staple by staple' }
  await request('POST /auth/password', { ...by, body })
  assert.deepEqual(outcomeOf(await confirm(by, second)), linkInvalid)
})

test('a change invalidates the links in the old mailbox', async () => {
  const { store, customer, by } = await buildAsker()
  await request('POST /auth/email/verification', by)
  await request('POST /auth/password/forgot', { store, body: { email: customer.email } })
  await drainJobs()
  const [reset, verify] = mailbox.mails(customer.email).map(tokenIn)

  await confirm(by, await linkFor(by, newEmail()))

  const body = { token: reset, password: 'staple by staple' }
  assert.deepEqual(outcomeOf(await request('POST /auth/password/reset', { body })), linkInvalid)
  assert.deepEqual(
    outcomeOf(await request('POST /auth/email/verify', { ...by, body: { token: verify } })),
    linkInvalid,
  )
  const open = await inStore(store.id, (tx) => AccountLink.in(tx).whereNull('used_at'))
  assert.deepEqual(open, [])
})

test('a reset link created during the change goes to the new mailbox', async () => {
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

test('the sixth request within an hour returns 429 with Retry-After', async () => {
  const { by } = await buildAsker()
  const answers: ApiResponse[] = []
  for (let n = 0; n < 6; n++) answers.push(await ask(by, newEmail()))

  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200, 200, 429],
  )
  assert.equal(answers[5]?.headers.get('Retry-After'), '3600')
})

test('a mailbox receives at most five links an hour, from any account and in any spelling', async () => {
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
