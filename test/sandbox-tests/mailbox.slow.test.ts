import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { createTransport } from 'nodemailer'
import { type Mail, startMailbox } from '#test/sandbox/mailbox.ts'

const mailbox = await startMailbox()
const transport = createTransport(mailbox.smtpUrl)
after(async () => {
  transport.close()
  await mailbox.stop()
})
beforeEach(() => mailbox.clear())

const send = (to: string, subject: string, more: object = {}) =>
  transport.sendMail({
    from: 'Harbor <shop@harbor.localhost>',
    to,
    subject,
    text: `Hello ${to}`,
    ...more,
  })

const read = async (query = '') => (await (await fetch(`${mailbox.url}/mails${query}`)).json()) as Mail[]

test('mails are parsed and listed by recipient, newest first', async () => {
  await send('ann@example.com', 'Grüße ☕', { html: '<p>Hällo</p>' })
  await send('bob@example.com', 'Second', { bcc: 'Ann@Example.com' })
  await send('bob@example.com', 'Third')

  const [second, first] = await read('?to=ann@example.com')
  assert.deepEqual(
    (await read()).map(({ subject }) => subject),
    ['Third', 'Second', 'Grüße ☕'],
  )
  assert.equal(second?.subject, 'Second')
  assert.deepEqual(
    {
      ...first,
      id: '',
      message_id: '',
      received_at: '',
      text: first?.text.trim(),
      html: first?.html.trim(),
    },
    {
      id: '',
      message_id: '',
      to: ['ann@example.com'],
      from: 'shop@harbor.localhost',
      subject: 'Grüße ☕',
      text: 'Hello ann@example.com',
      html: '<p>Hällo</p>',
      received_at: '',
    },
  )
})

test('a request with wait_for is answered when the mail arrives', async () => {
  const waiting = mailbox.waitFor('late@example.com')
  const polled = read('?to=late@example.com&wait_for=1')
  await send('late@example.com', 'Here')
  assert.equal((await waiting)[0]?.subject, 'Here')
  assert.equal((await polled)[0]?.subject, 'Here')
})

test('the mailbox stores only the last 500 mails', async () => {
  const pool = createTransport({
    url: mailbox.smtpUrl,
    pool: true,
    maxConnections: 4,
  })
  await Promise.all(
    Array.from({ length: 502 }, (_, n) =>
      pool.sendMail({
        from: 'a@b.test',
        to: 'c@d.test',
        subject: `${n}`,
        text: '.',
      }),
    ),
  )
  pool.close()
  assert.equal(mailbox.mails().length, 500)
})

test('the mail page runs no script of a mail', async () => {
  await send('ann@example.com', '<script>alert(1)</script>', {
    html: '"><script>alert(2)</script>',
  })
  const response = await fetch(mailbox.url)
  const page = await response.text()
  assert.match(page, /&lt;script&gt;alert\(1\)/)
  assert.doesNotMatch(page, /<script/)
  assert.match(response.headers.get('content-security-policy') ?? '', /default-src 'none'/)
})

test('DELETE removes all mails', async () => {
  await send('ann@example.com', 'Old')
  await fetch(`${mailbox.url}/mails`, { method: 'DELETE' })
  assert.deepEqual(await read(), [])
})
