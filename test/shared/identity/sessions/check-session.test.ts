import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyAccessToken } from '#shared/identity/sessions/access-token.ts'
import { checkStaffSession } from '#shared/staff/check-staff-session.ts'
import '#test/support/database.ts'
import { checkSession } from '#shared/identity/sessions/check-session.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildCustomer, buildRole, buildStaff } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'

test('an open session of an active account is valid and returns the staff role', async () => {
  const store = await buildStore()
  const [customer, owner] = [await buildCustomer(store), await buildStaff(store, { role: 'owner' })]

  const [ofCustomer, ofOwner] = [
    await checkSession(verifyAccessToken(customer.token)),
    await checkStaffSession(verifyAccessToken(owner.token)),
  ]

  assert.ok(ofCustomer)
  assert.deepEqual(ofOwner, {
    role: 'owner',
    isOwner: true,
    customRights: null,
    isSupport: false,
    supportMayWrite: false,
    isSignInRecent: true,
  })
})

test('a custom role returns the rights of its own store only', async () => {
  const [store, other] = [await buildStore(), await buildStore()]
  await buildRole(store, { name: 'warehouse', rights: ['sales:read'] })
  const [mine, theirs] = [
    await buildStaff(store, { role: 'warehouse' }),
    await buildStaff(other, { role: 'warehouse' }),
  ]

  const { customRights } = await checkStaffSession(verifyAccessToken(mine.token))
  const { customRights: none } = await checkStaffSession(verifyAccessToken(theirs.token))

  assert.deepEqual({ customRights, none }, { customRights: ['sales:read'], none: null })
})

test('a session of an inactive account throws auth.session_revoked', async () => {
  const store = await buildStore()
  const customer = await buildCustomer(store)

  await inStore(store.id, (tx) => tx.knex('customers').update({ is_active: false }))

  await assert.rejects(checkSession(verifyAccessToken(customer.token)), { code: 'auth.session_revoked' })
})

test("a session with another store's id throws auth.session_revoked", async () => {
  const [store, other] = [await buildStore(), await buildStore()]
  const claims = verifyAccessToken((await buildCustomer(store)).token)

  await assert.rejects(checkSession({ ...claims, storeId: other.id }), { code: 'auth.session_revoked' })
})
