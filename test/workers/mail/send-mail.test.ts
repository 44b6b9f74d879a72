import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, beforeEach, test } from 'node:test'
import { SMTPServer } from 'smtp-server'
import '#test/support/database.ts'
import { passwordChangedMail } from '#shared/identity/mails/password-changed.ts'
import { resetPasswordMail } from '#shared/identity/mails/reset-password.ts'
import { sendMail as job, sendPlatformMail } from '#shared/mail/jobs.ts'
import { queueMail, type Recipient } from '#shared/mail/queue-mail.ts'
import { config, resetConfig } from '#shared/platform/config/config.ts'
import { Environment } from '#shared/platform/config/environment.ts'
import { db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { queues } from '#shared/platform/jobs/sender.ts'
import { HOUR_MS, inMs, MINUTE_MS } from '#shared/platform/time/clock.ts'
import { mailOwner } from '#shared/staff/ownership/mail-owner.ts'
import { webhookDisabledMail } from '#shared/webhooks/mails/disabled.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { type BuiltStore, buildStore, nextNumber } from '#test/support/builders/store.ts'
import { moveClock } from '#test/support/clock.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox } from '#test/support/processes/mailbox.ts'
import { RUNS_TWICE } from '#test/support/runner/jobs-twice.ts'
import { closeMailGateway } from '#workers/gateways/mail.ts'
import { sendMail } from '#workers/mail/send-mail.ts'

// The server of these tests gets a mail of a job that runs twice twice, with one Message-ID.
const SENT_TWICE = RUNS_TWICE && 'a mail of a job that runs twice is sent twice'

const device = { at: '2026-10-11T09:30:00.000Z', ip: '203.0.113.7', user_agent: 'Browser <b>' }
const someone = (language: string | null = null): Recipient => ({
  recordId: null,
  email: `reader-${nextNumber()}@example.test`,
  language,
})

const queueReset = (store: BuiltStore, to: Recipient, limits = {}) =>
  inStore(store.id, (tx) =>
    queueMail(tx, resetPasswordMail, to, { account: 'customer', token: 'cx_ln_secret' }, limits),
  )

beforeEach(() => serveBy(mailbox.smtpUrl))
after(() => serveBy(mailbox.smtpUrl))

function serveBy(url: string) {
  closeMailGateway()
  process.env.SMTP_URL = url
  resetConfig()
}

test('a mail has a text and an HTML part in the language of the recipient', async () => {
  const store = await buildStore({ name: 'Söhne & Co' })
  const [english, austrian] = [someone('en'), someone('de-AT')]

  for (const to of [english, austrian])
    await inStore(store.id, (tx) => queueMail(tx, passwordChangedMail, to, device))
  await drainJobs()

  const [first] = mailbox.mails(english.email)
  const [second] = mailbox.mails(austrian.email)
  assert.equal(first?.subject, 'Your password at Söhne & Co was changed')
  assert.equal(first?.from, 'shop@example.test')
  assert.match(
    first?.text ?? '',
    /Time: October 11, 2026 at 11:30:00 AM GMT\+2\n.*203\.0\.113\.7\nDevice: Browser <b>/s,
  )
  assert.match(first?.html ?? '', /Browser &lt;b&gt;/)
  assert.equal(second?.subject, 'Ihr Passwort bei Söhne & Co wurde geändert')
  assert.match(second?.html ?? '', /<html lang="de">/)
})

test('a recipient without a language gets that of the store; links point to its domain', async () => {
  const store = await buildStore({ languages: ['de', 'en'] })
  const to = someone()

  await queueReset(store, to)
  await drainJobs()

  const [mail] = mailbox.mails(to.email)
  assert.match(mail?.subject ?? '', /^Neues Passwort/)
  assert.match(
    mail?.text ?? '',
    new RegExp(
      `^http://${store.domain}:${new URL(config().PUBLIC_URL).port}/reset-password#token=cx_ln_secret$`,
      'm',
    ),
  )
})

test('a mail is queued in the transaction of its change, with its token encrypted', async () => {
  const store = await buildStore()
  const [kept, dropped] = [someone(), someone()]

  await queueReset(store, kept)
  await inStore(store.id, async (tx) => {
    await queueMail(tx, passwordChangedMail, dropped, device)
    throw new Error('no')
  }).catch(() => {})

  const { rows } = await db().raw(
    "select data::text from pgboss.job where name = 'send-mail' and data->>'storeId' = ?",
    [store.id],
  )
  assert.equal(rows.length, 1)
  assert.match(rows[0].data, new RegExp(kept.email))
  assert.doesNotMatch(rows[0].data, /cx_ln_secret/)
})

test('the encrypted data of a mail cannot be decrypted in another mail', async () => {
  const store = await buildStore()
  await queueReset(store, someone())
  const stolen = await db().raw("select data from pgboss.job where data->>'storeId' = ?", [store.id])

  const run = sendMail.run(
    { ...stolen.rows[0].data, to: 'thief@example.test' },
    { jobId: 'x', retry: 0, signal: AbortSignal.timeout(1_000) },
  )

  await assert.rejects(run)
  assert.deepEqual(mailbox.mails('thief@example.test'), [])
})

test('an expired mail and a mail of a deleted store are not sent', async () => {
  const [store, gone] = [await buildStore(), await buildStore()]
  const [late, lost] = [someone(), someone()]
  await queueReset(store, late, { expiresAt: inMs(HOUR_MS) })
  await queueReset(gone, lost)
  await db()('stores').where('id', gone.id).update({ status: 'deleted' })

  moveClock(HOUR_MS + 1)
  await drainJobs()

  assert.deepEqual(mailbox.mails(late.email), [])
  assert.deepEqual(mailbox.mails(lost.email), [])
})

test('mailOwner mails the owner of a store, and does nothing without an owner', async () => {
  const [store, ownerless] = [await buildStore(), await buildStore()]
  const owner = await buildStaff(store, { role: 'owner' })
  const data = { url: 'https://receiver.example/hook', reason: 'failing' as const }

  for (const { id } of [store, ownerless]) await inStore(id, (tx) => mailOwner(tx, webhookDisabledMail, data))
  await drainJobs()

  assert.match(mailbox.mails(owner.email)[0]?.text ?? '', /URL: https:\/\/receiver\.example\/hook/)
})

/** A mail server that keeps each mail as it came, and answers a recipient as `judge` says. */
async function startServer(judge: (address: string) => number | null | Promise<null>) {
  const raw: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    async onRcptTo({ address }, _session, done) {
      const code = await judge(address)
      done(code ? Object.assign(new Error('no such box'), { responseCode: code }) : null)
    },
    async onData(stream, _session, done) {
      raw.push(await text(stream))
      done()
    },
  })
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  after(() => new Promise<void>((resolve) => server.close(() => resolve())))
  serveBy(`smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`)
  return raw
}

// A long header goes on in the next line (RFC 5322, section 2.2.3).
const headOf = (mail: string) => (mail.split('\r\n\r\n')[0] ?? '').replace(/\r\n\s+/g, ' ')

const header = (mail = '', name: string) =>
  new RegExp(`^${name}: (.*)$`, 'mi').exec(headOf(mail))?.[1]?.trim()

test("a repeated mail has the same Message-ID, made of the job's id", async () => {
  const raw = await startServer(() => null)
  const store = await buildStore()
  await queueReset(store, someone())
  const [taken] = await (await queues()).fetch(job.queue, { batchSize: 1 })
  const run = { jobId: taken?.id ?? '', retry: 0, signal: AbortSignal.timeout(5_000) }

  await sendMail.run(taken?.data, run)
  await sendMail.run(taken?.data, run)

  assert.deepEqual(
    raw.map((mail) => header(mail, 'message-id')),
    Array(2).fill(`<${taken?.id}@example.test>`),
  )
  assert.equal(header(raw[0], 'auto-submitted'), 'auto-generated')
  assert.match(header(raw[0], 'reply-to') ?? '', new RegExp(`hello@${store.domain}`))
})

test("line breaks in a store's name add no header", { skip: SENT_TWICE }, async () => {
  const raw = await startServer(() => null)
  const store = await buildStore({ name: 'Shop\r\nBcc: all@example.test\r\n"<x@y.z>' })

  await queueReset(store, someone())
  await drainJobs()

  assert.equal(raw.length, 1)
  assert.equal(header(raw[0], 'bcc'), undefined)
  assert.match(header(raw[0], 'from') ?? '', /<shop@example\.test>$/)
})

test('a permanent refusal of a recipient is not retried, a temporary one is', {
  skip: SENT_TWICE,
}, async () => {
  let code = 550
  const raw = await startServer(() => code)
  const store = await buildStore()

  await queueReset(store, someone())
  const refused = await drainJobs()
  code = 451
  await queueReset(store, someone())
  const deferred = await drainJobs()
  code = 0
  moveClock(MINUTE_MS)
  const retried = await drainJobs()

  assert.deepEqual(refused, [{ queue: 'send-mail', error: null }])
  assert.match(String(deferred[0]?.error), /451/)
  assert.deepEqual(retried, [{ queue: 'send-mail', error: null }])
  assert.equal(raw.length, 1)
})

test('recipients for whom the server answers slowly do not delay the mails of other stores', async (t) => {
  const answer = Promise.withResolvers<null>()
  t.after(() => answer.resolve(null))
  const raw = await startServer((address) => (address.startsWith('slow') ? answer.promise : null))
  const stores = await Promise.all(Array.from({ length: 4 }, () => buildStore()))
  const slow = stores.flatMap((store) => Array(job.rules.perStore).fill(store)).slice(1)
  for (const store of slow)
    await queueReset(store, { ...someone(), email: `slow-${nextNumber()}@example.test` })
  await queueReset(await buildStore(), someone())
  const running = (await (await queues()).fetch(job.queue, { batchSize: job.rules.concurrency })).map(
    ({ id, data }) => sendMail.run(data, { jobId: id, retry: 0, signal: AbortSignal.timeout(5_000) }),
  )

  await Promise.race(running)

  assert.match(header(raw[0], 'to') ?? '', /^reader-/)
  answer.resolve(null)
  await Promise.all(running)
  assert.equal(raw.length, job.rules.concurrency)
})

test('the description of SMTP_URL states the number of connections, one for each running mail job', () => {
  const connections = job.rules.concurrency + sendPlatformMail.rules.concurrency
  const { description } = Environment.properties.SMTP_URL as unknown as { description: string }

  assert.match(description, new RegExp(`at most ${connections} connections`))
})

test('without a mail server the job fails and names the missing variables', async () => {
  closeMailGateway()
  delete process.env.SMTP_URL
  resetConfig()
  await queueReset(await buildStore(), someone())

  const [failed] = await drainJobs()

  assert.match(String(failed?.error), /set SMTP_URL and MAIL_FROM/)
})
