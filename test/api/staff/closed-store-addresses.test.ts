import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import '#test/support/database.ts'
import { closeSessionsOfDeletedStore } from '#shared/identity/sessions/close-sessions.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { insertStaffMember } from '#shared/staff/members/insert-staff-member.ts'
import { isStaffEmail } from '#shared/staff/staff-email.ts'
import { restoreStore } from '#shared/stores/lifecycle/restore-store.ts'
import { upsertSuperAdmin } from '#shared/super-admin/upsert-super-admin.ts'
import { type BuiltAccount, buildStaff, PASSWORD, passwordHash } from '#test/support/builders/accounts.ts'
import { buildAdministrator, newcomer, signIn } from '#test/support/builders/administrator.ts'
import { buildSuperAdmin } from '#test/support/builders/super-admin.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox } from '#test/support/processes/mailbox.ts'
import { pending, untilOneWaits } from '#test/support/races/overlap.ts'

let root: BuiltAccount
before(async () => {
  root = await buildSuperAdmin()
})

const CLOSINGS = {
  suspended: 'POST /super-admin/stores/:id/suspend',
  deleted: 'DELETE /super-admin/stores/:id',
}

/** A closed store with an owner and a member, calls by a super-admin, and claims of addresses by another store. */
async function buildClosed(closing = CLOSINGS.suspended) {
  const { store, me: owner, as } = await buildAdministrator('owner')
  const member = await buildStaff(store, { role: 'administrator' })
  const { store: other, as: elsewhere } = await buildAdministrator()
  const call = (line: string, body?: unknown) =>
    request(line.replace(':id', store.id), { token: root.token, ...(body ? { body } : {}) })
  const claim = ({ email }: { email: string }) =>
    elsewhere('POST /admin/users', { body: { ...newcomer(), email, password: PASSWORD } })
  const restore = () => call('POST /super-admin/stores/:id/restore')
  const transfer = (user_id: string) => call('POST /super-admin/stores/:id/owner', { user_id })
  const asOwner = async (line: string, body?: unknown) => {
    const { data } = await signIn(owner.email)
    return request(line, { token: data.access_token, ...(body ? { body } : {}) })
  }
  return { store, owner, member, as, close: () => call(closing), other, claim, restore, transfer, asOwner }
}

for (const [status, closing] of Object.entries(CLOSINGS)) {
  test(`another store takes the address of a member of a ${status} store, who then signs in there`, async () => {
    const { member, close, claim } = await buildClosed(closing)
    await close()

    const added = await claim(member)

    assert.equal(added.status, 201)
    assert.equal((await signIn(member.email)).data.staff.id, added.data.id)
  })

  test(`the owner of a ${status} store keeps the address: another store gets auth.email_taken`, async () => {
    const { owner, close, claim } = await buildClosed(closing)
    await close()

    assert.partialDeepStrictEqual(await claim(owner), { status: 409, error_code: 'auth.email_taken' })
  })

  test(`a member whose address was taken while the store was ${status} is inactive after the restoration`, async () => {
    const { member, close, claim, restore, asOwner } = await buildClosed(closing)
    const path = `/admin/users/${member.id}`
    await close()
    await claim(member)

    const restored = await restore()
    const found = await asOwner(`GET ${path}`)
    const again = await asOwner(`PATCH ${path}`, { is_active: true })
    const { email } = newcomer()
    const moved = await asOwner(`PATCH ${path}`, { is_active: true, email })

    assert.equal(restored.status, 200)
    assert.equal(found.data.is_active, false)
    assert.equal((await request('GET /auth/me', { token: member.token })).error_code, 'auth.session_revoked')
    assert.equal(again.error_code, 'auth.email_taken')
    assert.equal(moved.status, 200)
    assert.equal((await signIn(email)).status, 200)
  })
}

test('a super-admin takes the address of a member of a closed store, and not that of its owner', async () => {
  const { member, owner, close, restore, asOwner } = await buildClosed()
  await close()

  await upsertSuperAdmin({ email: member.email, password: PASSWORD })
  await assert.rejects(upsertSuperAdmin({ email: owner.email, password: PASSWORD }), {
    code: 'auth.email_taken',
  })
  await restore()

  assert.equal((await asOwner(`GET /admin/users/${member.id}`)).data.is_active, false)
})

test('a change of address counts the address of a member of a closed store as free', async () => {
  const { member, owner, close, other } = await buildClosed()
  const isTaken = (email: string) => inStore(other.id, (tx) => isStaffEmail(tx, email))
  assert.equal(await isTaken(member.email), true)

  await close()

  assert.equal(await isTaken(member.email), false)
  assert.equal(await isTaken(owner.email), true)
})

test('a restored store has the addresses that nobody took', async () => {
  const { member, close, claim, restore } = await buildClosed()
  await close()

  await restore()

  assert.equal((await claim(member)).error_code, 'auth.email_taken')
  assert.equal((await signIn(member.email)).data.staff.id, member.id)
})

test('the owner is mailed the integrations of a member whose address was taken', async () => {
  const { owner, member, close, claim, restore } = await buildClosed()
  const webhook = { url: 'https://hooks.example/orders', events: ['order.created'] }
  const created = await request('POST /admin/webhooks', { token: member.token, body: webhook })
  assert.equal(created.status, 201)
  await close()
  await claim(member)
  await drainJobs()
  mailbox.clear()

  await restore()
  await drainJobs()

  const [mail] = mailbox.mails(owner.email)
  assert.match(mail?.text ?? '', /Webhook: hooks\.example/)
})

test('a claim during the restoration waits for it and returns auth.email_taken', async () => {
  const { store, member, close, claim } = await buildClosed()
  await close()
  const restoration = (tx: StoreTx) => restoreStore(tx, closeSessionsOfDeletedStore)

  const first = await pending((work) => inStore(store.id, work), restoration)
  const claimed = claim(member)
  await untilOneWaits().finally(first.commit)
  await first.done

  assert.equal((await claimed).error_code, 'auth.email_taken')
})

test('a restoration during a claim waits for it and deactivates the member', async () => {
  const { member, close, other, restore, asOwner } = await buildClosed()
  await close()
  const draft = { ...newcomer(), email: member.email, passwordHash: await passwordHash() }

  const first = await pending(
    (work) => inStore(other.id, work),
    (tx) => insertStaffMember(tx, draft),
  )
  const restored = restore()
  await untilOneWaits().finally(first.commit)
  await first.done

  assert.equal((await restored).status, 200)
  assert.equal((await asOwner(`GET /admin/users/${member.id}`)).data.is_active, false)
})

test('the new owner of a closed store keeps the address, the former owner does not', async () => {
  const { owner, member, close, claim, transfer } = await buildClosed()
  await close()

  const transferred = await transfer(member.id)

  assert.equal(transferred.status, 200)
  assert.equal((await claim(member)).error_code, 'auth.email_taken')
  assert.equal((await claim(owner)).status, 201)
})

test('a transfer to a member whose address was taken returns auth.email_taken and keeps the owner', async () => {
  const { owner, member, close, claim, transfer, restore, asOwner } = await buildClosed()
  await close()
  await claim(member)

  const refused = await transfer(member.id)
  await restore()

  assert.partialDeepStrictEqual(refused, { status: 409, error_code: 'auth.email_taken' })
  assert.equal((await asOwner('GET /admin/owner')).data.id, owner.id)
})
