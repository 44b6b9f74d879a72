import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import '#test/support/database.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { DAY_MS } from '#shared/platform/time/clock.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { moveClock } from '#test/support/clock.ts'
import { baseUrl, request } from '#test/support/processes/app.ts'
import { sendRequest } from '#test/support/processes/http.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox, tokenIn } from '#test/support/processes/mailbox.ts'

beforeEach(() => mailbox.clear())

async function register(store: BuiltStore, headers: Record<string, string> = {}) {
  const email = `new-${Math.random().toString(36).slice(2)}@example.test`
  const body = { email, password: 'correct horse battery', firstname: 'Ada', lastname: 'Byron' }
  const { data } = await request('POST /auth/register', { store, body, headers })
  await drainJobs()
  const [mail] = mailbox.mails(email)
  assert.ok(mail)
  return { email, token: data.access_token as string, customer: data.customer, mail }
}

const verify = (by: { store?: BuiltStore; token?: string }, link: string) =>
  request('POST /auth/email/verify', { ...by, body: { token: link } })

test('registration mails a verification link in the request language; the link works once', async () => {
  const store = await buildStore()
  const { token, customer, mail } = await register(store, { 'Accept-Language': 'de-CH,de;q=0.9' })

  const first = await verify({ store, token }, tokenIn(mail))
  const second = await verify({ store, token }, tokenIn(mail))
  const me = await request('GET /auth/me', { store, token })

  assert.partialDeepStrictEqual(customer, { language: 'de', verified_at: null })
  assert.equal(mail.subject, `Bestätigen Sie Ihre E-Mail-Adresse für Store ${store.slug}`)
  assert.match(mail.html, /<a class="button" href="http:\/\/[^"]+\/verify-email#token=/)
  assert.partialDeepStrictEqual(first, { status: 200, data: null })
  assert.partialDeepStrictEqual(second, { status: 400, error_code: 'auth.link_invalid' })
  assert.ok(me.data.verified_at)
})

test('a link does not verify an address without a session of its account', async () => {
  const store = await buildStore()
  const [{ mail, token }, another] = [await register(store), await register(store)]

  const anonymous = await verify({ store }, tokenIn(mail))
  const byAnother = await verify({ store, token: another.token }, tokenIn(mail))
  const me = await request('GET /auth/me', { store, token })

  assert.partialDeepStrictEqual(anonymous, { status: 401, error_code: 'auth.not_authenticated' })
  assert.partialDeepStrictEqual(byAnother, { status: 400, error_code: 'auth.link_invalid' })
  assert.equal(me.data.verified_at, null)
})

test('mail and page tell a person who opened no account to do nothing', async () => {
  const store = await buildStore()

  const { mail } = await register(store)
  const page = await sendRequest(`${baseUrl}/verify-email`, { method: 'GET', headers: {} })

  assert.match(mail.text, /If you did not open an account, ignore this mail/)
  assert.match(page.text, /If you did not open one, close this page/)
})

test('concurrent requests send at most five verification mails an hour', async () => {
  const store = await buildStore()
  const { email, token } = await register(store)

  const ask = () => request('POST /auth/email/verification', { store, token })
  const answers = await Promise.all(Array.from({ length: 12 }, ask))
  await drainJobs()

  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.equal(mailbox.mails(email).length, 5)
})

test('verification records one customer.updated event', async () => {
  const store = await buildStore()
  const { mail, token } = await register(store)

  await verify({ store, token }, tokenIn(mail))

  const events = await inStore(store.id, (tx) => tx.knex('events').orderBy('id').pluck('type'))
  assert.deepEqual(events, ['customer.created', 'customer.updated'])
})

test('the verification mail is sent again only until the address is verified', async () => {
  const store = await buildStore()
  const { email, token, mail } = await register(store)
  const ask = async () => {
    const { status } = await request('POST /auth/email/verification', { store, token })
    await drainJobs()
    return status
  }

  assert.equal(await ask(), 200)
  assert.equal(mailbox.mails(email).length, 2)
  await verify({ store, token }, tokenIn(mail))
  assert.equal(await ask(), 200)
  assert.equal(mailbox.mails(email).length, 2)
})

test('an unverified customer can change the profile', async () => {
  const store = await buildStore()
  const { token } = await register(store)

  assert.equal((await request('PATCH /auth/me', { store, token, body: { firstname: 'Mary' } })).status, 200)
})

test('a verification link expires after three days and works only in its store and for its purpose', async () => {
  const [store, other] = [await buildStore(), await buildStore()]
  const { email, mail, token } = await register(store)
  const link = tokenIn(mail)
  const inOther = await register(other)

  assert.equal((await verify({ store: other, token: inOther.token }, link)).status, 400)
  assert.equal((await verify({ store: other, token }, link)).status, 401)
  const misused = await request('POST /auth/password/reset', {
    body: { token: link, password: 'staple by staple' },
  })
  assert.equal(misused.error_code, 'auth.link_invalid')
  moveClock(3 * DAY_MS + 1_000)
  const signedIn = await request('POST /auth/login', {
    store,
    body: { email, password: 'correct horse battery' },
  })
  assert.equal((await verify({ store, token: signedIn.data.access_token }, link)).status, 400)
})
