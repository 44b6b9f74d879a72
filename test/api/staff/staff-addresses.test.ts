import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { findIntegrations } from '#shared/integrations/find-integrations.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { consumeQuotaIn } from '#shared/platform/throttle/quota.ts'
import { DAY_MS } from '#shared/platform/time/clock.ts'
import { MAX_ADDRESSES_PER_DAY } from '#shared/staff/members/consume-address-quota.ts'
import { updateStaffMember } from '#shared/staff/members/update-staff-member.ts'
import { upsertSuperAdmin } from '#shared/super-admin/upsert-super-admin.ts'
import { buildStaff, PASSWORD } from '#test/support/builders/accounts.ts'
import { buildAdministrator, newcomer, signIn } from '#test/support/builders/administrator.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildTwoFactor } from '#test/support/builders/two-factor.ts'
import { moveClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox, tokenIn } from '#test/support/processes/mailbox.ts'
import { pending, untilOneWaits } from '#test/support/races/overlap.ts'

/** A member who was switched off, and the requests of two stores. */
async function buildDeactivated() {
  const { store, me, as } = await buildAdministrator()
  const member = await buildStaff(store, { role: 'sales' })
  const { as: elsewhere } = await buildAdministrator()
  const path = `/admin/users/${member.id}`
  await as(`PATCH ${path}`, { body: { is_active: false } })
  const draft = { ...newcomer(), email: member.email, password: PASSWORD }
  const reactivate = () => as(`PATCH ${path}`, { body: { is_active: true } })
  return { store, me, as, elsewhere, member, path, draft, reactivate }
}

/** Creates a member by an administrator who signs in at the test's time. */
async function signInAndCreate(store: { id: string }) {
  const { token } = await buildStaff(store, { role: 'administrator' })
  return request('POST /admin/users', { token, body: newcomer() })
}

/** Chooses a password by a mailed link and signs in with it. */
async function signInByReset(email: string, password = 'staple by staple') {
  await drainJobs()
  mailbox.clear()
  await request('POST /auth/password/forgot', { body: { email } })
  await drainJobs()
  const [mail] = mailbox.mails(email)
  assert.ok(mail)
  const { status } = await request('POST /auth/password/reset', { body: { token: tokenIn(mail), password } })
  assert.equal(status, 200)
  return signIn(email, password)
}

test('the address of a deactivated member is free for the staff of another store', async () => {
  const { elsewhere, member, draft } = await buildDeactivated()

  const added = await elsewhere('POST /admin/users', { body: draft })
  const signedIn = await signIn(member.email)

  assert.equal(added.status, 201)
  assert.equal(signedIn.data.staff.id, added.data.id)
})

test('the address of a deactivated member is free for a super-admin', async () => {
  const { member, reactivate } = await buildDeactivated()

  await upsertSuperAdmin({ email: member.email, password: PASSWORD })

  assert.equal((await reactivate()).error_code, 'auth.email_taken')
})

test('the address of a deactivated member is free for another member of the store', async () => {
  const { as, draft, reactivate } = await buildDeactivated()

  const added = await as('POST /admin/users', { body: draft })

  assert.equal(added.status, 201)
  assert.equal((await reactivate()).error_code, 'auth.email_taken')
})

test('a reactivation returns 409 auth.email_taken if another account has the address, and succeeds with another', async () => {
  const { as, elsewhere, path, draft, reactivate } = await buildDeactivated()
  await elsewhere('POST /admin/users', { body: draft })

  const refused = await reactivate()
  const { email } = newcomer()
  const moved = await as(`PATCH ${path}`, { body: { email, is_active: true } })

  assert.partialDeepStrictEqual(refused, { status: 409, error_code: 'auth.email_taken' })
  assert.partialDeepStrictEqual(moved, { status: 200, data: { email, is_active: true } })
  assert.equal((await signIn(email)).status, 200)
})

test('a reactivated member holds the address again', async () => {
  const { elsewhere, draft, reactivate } = await buildDeactivated()

  await reactivate()
  const taken = await elsewhere('POST /admin/users', { body: draft })

  assert.equal(taken.error_code, 'auth.email_taken')
})

test('a deactivated member who gets another address does not hold it', async () => {
  const { as, elsewhere, path } = await buildDeactivated()
  const draft = { ...newcomer(), password: PASSWORD }

  const moved = await as(`PATCH ${path}`, { body: { email: draft.email } })
  const added = await elsewhere('POST /admin/users', { body: draft })

  assert.deepEqual({ moved: moved.status, added: added.status }, { moved: 200, added: 201 })
})

test('the first of concurrent claims by a reactivation and by another store gets the address', async () => {
  const { store, me, elsewhere, member, draft } = await buildDeactivated()
  const context = { device: { ip: null, userAgent: null }, findIntegrations }
  const reactivation = (tx: StoreTx) => updateStaffMember(tx, me.id, member.id, { isActive: true }, context)

  const first = await pending((work) => inStore(store.id, work), reactivation)
  const added = elsewhere('POST /admin/users', { body: draft })
  await untilOneWaits().finally(first.commit)
  await first.done

  assert.equal((await added).error_code, 'auth.email_taken')
})

test('a claim during the deactivation of the holder waits for it, then gets the address', async () => {
  const { store, me } = await buildAdministrator()
  const member = await buildStaff(store, { role: 'sales' })
  const { as: elsewhere } = await buildAdministrator()
  const context = { device: { ip: null, userAgent: null }, findIntegrations }
  const deactivation = (tx: StoreTx) => updateStaffMember(tx, me.id, member.id, { isActive: false }, context)

  const first = await pending((work) => inStore(store.id, work), deactivation)
  const added = elsewhere('POST /admin/users', {
    body: { ...newcomer(), email: member.email, password: PASSWORD },
  })
  await untilOneWaits().finally(first.commit)
  await first.done

  assert.equal((await added).status, 201)
})

const noticesTo = async (email: string) => {
  await drainJobs()
  return mailbox.mails(email).filter(({ subject }) => subject.startsWith('You are on the staff of'))
}

test('a member who is created with a password is mailed how to sign in and how to leave', async () => {
  const { as } = await buildAdministrator()
  const draft = { ...newcomer(), password: PASSWORD }

  await as('POST /admin/users', { body: draft })
  const [notice, ...more] = await noticesTo(draft.email)

  assert.deepEqual(more, [])
  assert.match(notice?.text ?? '', /Forgot password/)
  assert.match(notice?.text ?? '', /delete your account/)
})

test('an invitation says how to leave', async () => {
  const { as } = await buildAdministrator()
  const draft = newcomer()

  await as('POST /admin/users', { body: draft })
  await drainJobs()

  const [invitation, ...more] = mailbox.mails(draft.email)
  assert.deepEqual(more, [])
  assert.match(invitation?.text ?? '', /delete your account/)
})

test('a reactivated member is mailed, a deactivated one who gets another address is not', async () => {
  const { as, member, path, reactivate } = await buildDeactivated()
  const { email } = newcomer()

  await reactivate()
  await as(`PATCH ${path}`, { body: { is_active: false } })
  await as(`PATCH ${path}`, { body: { email } })

  assert.equal((await noticesTo(member.email)).length, 1)
  assert.deepEqual(await noticesTo(email), [])
})

test('the former address of a deactivated member who gets another address is not mailed', async () => {
  const { as, member, path } = await buildDeactivated()

  await as(`PATCH ${path}`, { body: { email: newcomer().email } })
  await drainJobs()

  assert.deepEqual(mailbox.mails(member.email), [])
})

test('a person whose address a store gave to its staff resets the password and leaves', async () => {
  const { as } = await buildAdministrator()
  const { as: elsewhere } = await buildAdministrator()
  const draft = { ...newcomer(), password: PASSWORD }
  await as('POST /admin/users', { body: draft })

  const { data } = await signInByReset(draft.email)
  const left = await request('POST /auth/me/delete', {
    token: data.access_token,
    body: { current_password: 'staple by staple' },
  })
  const added = await elsewhere('POST /admin/users', { body: draft })

  assert.deepEqual({ left: left.status, added: added.status }, { left: 200, added: 201 })
})

/** Sets up two-factor sign-in, resets the password and returns whether the sign-in needs a code. */
async function hasTwoFactorAfterReset({ id, email }: { id: string; email: string }, store: { id: string }) {
  await buildTwoFactor(store, { type: 'staff', id })
  const { status, error_code } = await signInByReset(email)
  if (status !== 200) assert.equal(error_code, 'auth.totp_required')
  return status !== 200
}

test('a first reset of the password turns off two-factor sign-in that another person set up, a later one does not', async () => {
  const { store, as } = await buildAdministrator()
  const draft = { ...newcomer(), password: PASSWORD }
  const { data: member } = await as('POST /admin/users', { body: draft })

  assert.equal(await hasTwoFactorAfterReset(member, store), false)
  assert.equal(await hasTwoFactorAfterReset(member, store), true)
})

test('a reset after another member gave the address turns off two-factor sign-in', async () => {
  const { store, as } = await buildAdministrator()
  const { data: member } = await as('POST /admin/users', { body: { ...newcomer(), password: PASSWORD } })
  await signInByReset(member.email)
  const { data: moved } = await as(`PATCH /admin/users/${member.id}`, { body: { email: newcomer().email } })

  assert.equal(await hasTwoFactorAfterReset(moved, store), false)
})

test('a reset of the owner keeps two-factor sign-in', async () => {
  const { store, me } = await buildAdministrator('owner')

  assert.equal(await hasTwoFactorAfterReset(me, store), true)
})

test('a store gives at most 100 addresses a day to its staff, by new members and by changes', async () => {
  const { store, as } = await buildAdministrator()
  const member = await buildStaff(store, { role: 'sales' })
  const path = `/admin/users/${member.id}`
  const use = { limit: MAX_ADDRESSES_PER_DAY, units: MAX_ADDRESSES_PER_DAY - 2, windowMs: DAY_MS }
  await inStore(store.id, (tx) => consumeQuotaIn(tx, `staff addresses of ${store.id}`, use))

  const allowed = [
    await as('POST /admin/users', { body: newcomer() }),
    await as(`PATCH ${path}`, { body: { email: newcomer().email } }),
  ]
  const refused = [
    await as('POST /admin/users', { body: newcomer() }),
    await as('POST /admin/users', { body: { ...newcomer(), password: PASSWORD } }),
    await as(`PATCH ${path}`, { body: { email: newcomer().email } }),
  ]
  const renamed = await as(`PATCH ${path}`, { body: { firstname: 'Mary' } })
  const { as: elsewhere } = await buildAdministrator()
  const other = await elsewhere('POST /admin/users', { body: newcomer() })
  moveClock(DAY_MS)
  const later = await signInAndCreate(store)

  assert.deepEqual(
    allowed.map(({ status }) => status),
    [201, 200],
  )
  for (const { status, error_code } of refused)
    assert.deepEqual({ status, error_code }, { status: 429, error_code: 'rate_limit.exceeded' })
  assert.deepEqual(
    { renamed: renamed.status, other: other.status, later: later.status },
    { renamed: 200, other: 201, later: 201 },
  )
})

test('off and on again counts as an address', async () => {
  const { store, reactivate } = await buildDeactivated()
  const use = { limit: MAX_ADDRESSES_PER_DAY, units: MAX_ADDRESSES_PER_DAY, windowMs: DAY_MS }
  await inStore(store.id, (tx) => consumeQuotaIn(tx, `staff addresses of ${store.id}`, use))

  assert.equal((await reactivate()).status, 429)
})

test('the owner gives addresses after other members have used up the quota of the store', async () => {
  const store = await buildStore()
  const owner = await buildStaff(store, { role: 'owner' })
  const use = { limit: MAX_ADDRESSES_PER_DAY, units: MAX_ADDRESSES_PER_DAY, windowMs: DAY_MS }
  await inStore(store.id, (tx) => consumeQuotaIn(tx, `staff addresses of ${store.id}`, use))

  const added = await request('POST /admin/users', {
    token: owner.token,
    body: { ...newcomer(), password: PASSWORD },
  })

  assert.equal(added.status, 201)
})

test('an address of a member in full-width characters returns 422', async () => {
  const { as } = await buildAdministrator()
  const body = { ...newcomer(), email: '\uff56ictor@example.test', password: PASSWORD }

  const { status, detail } = await as('POST /admin/users', { body })

  assert.deepEqual({ status, loc: detail?.[0]?.loc }, { status: 422, loc: ['body', 'email'] })
})
