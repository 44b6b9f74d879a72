import assert from 'node:assert/strict'
import { test } from 'node:test'
import { issueLink, voidLinks } from '#shared/identity/links/link.ts'
import '#test/support/database.ts'
import { recordSecurityEvent, SecurityEvent } from '#shared/identity/security-event.ts'
import { closeSessionsOfAccount } from '#shared/identity/sessions/close-sessions.ts'
import { db } from '#shared/platform/db/db.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inScope, inStore } from '#shared/platform/db/store-scope.ts'
import { DAY_MS } from '#shared/platform/time/clock.ts'
import { buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildSuperAdmin } from '#test/support/builders/super-admin.ts'
import { moveClock } from '#test/support/clock.ts'
import { runScheduled } from '#test/support/processes/jobs.ts'
import { purgeAccountRecords } from '#workers/identity/purge-account-records.ts'

const device = { ip: null, userAgent: null }

async function purgeAfter(days: number): Promise<void> {
  moveClock(days * DAY_MS)
  await runScheduled(purgeAccountRecords)
}

test('the purge deletes sessions of every store 90 days after they were closed or expired', async () => {
  const stores = [await buildStore(), await buildStore()]
  for (const store of stores) {
    const customer = await buildCustomer(store)
    await buildStaff(store, { role: 'sales' })
    await inStore(store.id, (tx) =>
      closeSessionsOfAccount(tx, { type: 'customer', id: customer.id }, 'logout_all'),
    )
  }
  const left = () =>
    Promise.all(
      stores.map(({ id }) => inStore(id, (tx) => tx.knex('sessions').orderBy('id').pluck('account_type'))),
    )
  const after = async (days: number) => {
    await purgeAfter(days)
    return left()
  }

  assert.deepEqual(await after(89), [
    ['customer', 'staff'],
    ['customer', 'staff'],
  ])
  assert.deepEqual(await after(91), [['staff'], ['staff']])
  // Left alone, a staff session ends after seven days.
  assert.deepEqual(await after(98), [[], []])
})

test("the purge deletes a super-admin's sessions 90 days after they were closed or expired", async () => {
  const [closed, alone] = [await buildSuperAdmin(), await buildSuperAdmin()]
  await inScope(null, (tx) =>
    closeSessionsOfAccount(tx, { type: 'super_admin', id: closed.id }, 'logout_all'),
  )
  const after = async (days: number) => {
    await purgeAfter(days)
    return db()('super_admin_sessions').orderBy('id').pluck('account_id')
  }

  assert.deepEqual(await after(89.9), [closed.id, alone.id])
  // Left alone, it ends after half a day.
  assert.deepEqual(await after(90.1), [alone.id])
  assert.deepEqual(await after(90.6), [])
})

test('the purge deletes security events after 90 days', async () => {
  const stores = [await buildStore(), await buildStore()]
  const befall = ({ id }: { id: string }) =>
    inStore(id, (tx) => recordSecurityEvent(tx, 'password_changed', { type: 'staff', id: newId() }, device))
  const left = () =>
    Promise.all(stores.map(({ id }) => inStore(id, async (tx) => (await SecurityEvent.in(tx)).length)))
  await Promise.all(stores.map(befall))

  await purgeAfter(89)
  await Promise.all(stores.map(befall))
  assert.deepEqual(await left(), [2, 2])

  await purgeAfter(91)
  assert.deepEqual(await left(), [1, 1])
})

test('the purge deletes a mailed link a day after its expiry, used or not', async () => {
  const store = await buildStore()
  const account = { type: 'staff', id: newId() } as const
  const email = 'moved@example.test'
  await inStore(store.id, (tx) => issueLink(tx, account, 'change_email', { email }))
  await inStore(store.id, (tx) => voidLinks(tx, account, 'change_email'))
  await inStore(store.id, (tx) => issueLink(tx, account, 'verify_email'))
  const left = () => inStore(store.id, (tx) => tx.knex('account_links').pluck('purpose'))

  await purgeAfter(1)
  assert.deepEqual((await left()).sort(), ['change_email', 'verify_email'])
  await purgeAfter(1.1)
  assert.deepEqual(await left(), ['verify_email'])
  await purgeAfter(4.1)
  assert.deepEqual(await left(), [])
})
