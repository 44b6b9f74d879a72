import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import '#test/support/database.ts'
import { DAY_MS, MINUTE_MS } from '#shared/platform/time/clock.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildStore, nextNumber } from '#test/support/builders/store.ts'
import { moveClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox, tokenIn } from '#test/support/processes/mailbox.ts'

const CHOSEN = 'staple by staple'

beforeEach(() => mailbox.clear())

/** A member created without a password, and the mailed invitation link. */
async function inviteMember() {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'administrator' })
  const email = `invited-${nextNumber()}@example.test`
  const body = { email, firstname: 'Mary', lastname: 'Jackson', role: 'sales' }
  const { status, data } = await request('POST /admin/users', { token, body })
  await drainJobs()
  const [mail] = mailbox.mails(email)
  assert.ok(mail)
  const as = (line: string, more?: object) => request(line, { token, ...(more ? { body: more } : {}) })
  return { store, as, status, id: data.id, email, mail, link: tokenIn(mail) }
}

const choose = (link: string) =>
  request('POST /auth/password/reset', { body: { token: link, password: CHOSEN } })
const signIn = (email: string) => request('POST /auth/login', { body: { email, password: CHOSEN } })

test('an invited member sets a password through the mailed link once', async () => {
  const { store, status, email, mail, link } = await inviteMember()

  const before = await signIn(email)
  const chosen = await choose(link)
  const after = await signIn(email)
  const again = await choose(link)

  assert.equal(status, 201)
  assert.equal(mail.subject, `You were invited to Store ${store.slug}`)
  assert.deepEqual(
    { before: before.status, chosen: chosen.status, after: after.status },
    { before: 401, chosen: 200, after: 200 },
  )
  assert.equal(again.error_code, 'auth.link_invalid')
})

test('an invitation link expires after seven days', async () => {
  const [early, late] = [await inviteMember(), await inviteMember()]

  moveClock(7 * DAY_MS - MINUTE_MS)
  const inTime = await choose(early.link)
  moveClock(7 * DAY_MS + MINUTE_MS)
  const tooLate = await choose(late.link)

  assert.deepEqual(
    { status: inTime.status, error_code: tooLate.error_code },
    { status: 200, error_code: 'auth.link_invalid' },
  )
})

test('a link mailed before a member was switched off stays invalid when the member is switched on again', async () => {
  const [invited, settled] = [await inviteMember(), await inviteMember()]
  await choose(settled.link)
  mailbox.clear()
  await request('POST /auth/password/forgot', { body: { email: settled.email } })
  await drainJobs()
  const [mail] = mailbox.mails(settled.email)
  assert.ok(mail)

  for (const { as, id } of [invited, settled])
    for (const is_active of [false, true])
      assert.equal((await as(`PATCH /admin/users/${id}`, { is_active })).status, 200)

  for (const link of [invited.link, tokenIn(mail)])
    assert.equal((await choose(link)).error_code, 'auth.link_invalid')
})

test('a removed, inactive or moved account invalidates its invitation link', async () => {
  const [removed, off, moved] = [await inviteMember(), await inviteMember(), await inviteMember()]

  await removed.as(`DELETE /admin/users/${removed.id}`)
  await off.as(`PATCH /admin/users/${off.id}`, { is_active: false })
  await moved.as(`PATCH /admin/users/${moved.id}`, { email: `moved-${nextNumber()}@example.test` })

  for (const { link } of [removed, off, moved])
    assert.equal((await choose(link)).error_code, 'auth.link_invalid')
})
