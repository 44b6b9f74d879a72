import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Device, fingerprintOf } from '#shared/identity/device.ts'
import { verifyAndOpenSession } from '#shared/identity/sign-in/complete-sign-in.ts'
import '#test/support/database.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildCustomer } from '#test/support/builders/accounts.ts'
import { buildStore, nextNumber } from '#test/support/builders/store.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox } from '#test/support/processes/mailbox.ts'

const LAPTOP: Device = { ip: '203.0.113.7', userAgent: 'Firefox/140.0 (Linux)' }

/** Signs in from each device in order and returns whether each sign-in sent a notice. */
async function noticesFor(devices: Device[]): Promise<boolean[]> {
  const store = await buildStore()
  const account = { type: 'customer', id: newId() } as const
  const owner = { email: `owner-${nextNumber()}@example.test`, language: null }
  const notices: boolean[] = []
  for (const device of devices) {
    const before = mailbox.mails(owner.email).length
    await inStore(store.id, (tx) => verifyAndOpenSession(tx, account, owner, device, {}))
    await drainJobs()
    notices.push(mailbox.mails(owner.email).length > before)
  }
  return notices
}

test('the first sign-in and one from the same network and program send no notice', async () => {
  const neighbour = { ...LAPTOP, ip: '203.0.113.200' }
  const updated = { ...LAPTOP, userAgent: 'Firefox/141.0 (Linux)' }

  assert.deepEqual(await noticesFor([LAPTOP, LAPTOP, neighbour, updated]), [false, false, false, false])
})

test('another network or program sends one notice', async () => {
  const elsewhere = { ...LAPTOP, ip: '198.51.100.7' }
  const phone = { ...LAPTOP, userAgent: 'Phone' }

  assert.deepEqual(await noticesFor([LAPTOP, elsewhere, phone, elsewhere, phone]), [
    false,
    true,
    true,
    false,
    false,
  ])
})

test('an IPv6 network is the first 48 bits; an IPv4 address mapped to IPv6 is an IPv4 address', () => {
  const from = (ip: string | null) => fingerprintOf({ ...LAPTOP, ip })

  assert.equal(from('2001:db8:1:2::3'), from('2001:db8:1:ffff::9'))
  assert.notEqual(from('2001:db8:1::1'), from('2001:db8:2::1'))
  assert.equal(from('::ffff:203.0.113.9'), from('203.0.113.7'))
  assert.equal(from('not an address'), from(null))
})

test('a sign-in from a new device sends a mail with the address and the device', async () => {
  const store = await buildStore()
  const { email, password } = await buildCustomer(store)

  await request('POST /auth/login', {
    store,
    body: { email, password },
    headers: { 'User-Agent': 'Elsewhere <1>' },
  })
  await drainJobs()

  const [mail] = mailbox.mails(email)
  assert.equal(mail?.subject, `New sign-in to your account at Store ${store.slug}`)
  assert.match(mail?.text ?? '', /Internet address: 127\.0\.0\.1\nDevice: Elsewhere <1>/)
  assert.match(mail?.html ?? '', /Elsewhere &lt;1&gt;/)
})
