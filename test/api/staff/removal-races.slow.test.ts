import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { lockRoster } from '#shared/staff/roster.ts'
import { type BuiltAccount, buildStaff, PASSWORD } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { type ApiResponse, request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox, tokenIn } from '#test/support/processes/mailbox.ts'
import { pending, untilOneWaits, untilSomeWait } from '#test/support/races/overlap.ts'

type Ask = (member: BuiltAccount) => Promise<ApiResponse>

/** Removes an authenticated member before the member's request takes the lock, and returns the response. */
async function requestDuringRemoval(
  member: BuiltAccount,
  owner: BuiltAccount,
  store: { id: string },
  ask: Ask,
) {
  const other = await pending((work) => inStore(store.id, work), lockRoster)
  const removal = request(`DELETE /admin/users/${member.id}`, { token: owner.token })
  await untilOneWaits()
  const asked = ask(member)
  await untilSomeWait(2)
  other.commit()
  await other.done
  assert.equal((await removal).status, 200)
  const { status, error_code } = await asked
  return { status, error_code }
}

async function buildMember() {
  const store = await buildStore()
  const [owner, member] = [
    await buildStaff(store, { role: 'owner' }),
    await buildStaff(store, { role: 'sales' }),
  ]
  return { member, answerTo: (ask: Ask) => requestDuringRemoval(member, owner, store, ask) }
}

const password = 'staple by staple'

const BY_SESSION: Record<string, Ask> = {
  'a change of the profile': ({ token }) => request('PATCH /auth/me', { token, body: { firstname: 'Jean' } }),
  'a change of the password': ({ token }) =>
    request('POST /auth/password', { token, body: { current_password: PASSWORD, password } }),
  'signing out everywhere': ({ refreshToken }) =>
    request('POST /auth/logout?all=true', { body: { refresh_token: refreshToken } }),
}

for (const [operation, ask] of Object.entries(BY_SESSION))
  test(`${operation} by a member removed during the request returns 401 auth.session_revoked`, async () => {
    const { answerTo } = await buildMember()

    assert.deepEqual(await answerTo(ask), { status: 401, error_code: 'auth.session_revoked' })
  })

test('a reset link of a member removed during the request returns 400 auth.link_invalid', async () => {
  const { member, answerTo } = await buildMember()
  await request('POST /auth/password/forgot', { body: { email: member.email } })
  await drainJobs()
  const [mail] = mailbox.mails(member.email)
  assert.ok(mail)

  const answer = await answerTo(() =>
    request('POST /auth/password/reset', { body: { token: tokenIn(mail), password } }),
  )

  assert.deepEqual(answer, { status: 400, error_code: 'auth.link_invalid' })
})
