import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { verifyAccessToken } from '#shared/accounts/access-token.ts'
import { checkSession } from '#shared/accounts/check-session.ts'
import { inStore } from '#shared/platform/store-scope.ts'
import { buildStore } from '#test/support/build.ts'
import { buildCustomer, buildStaff } from '#test/support/build-accounts.ts'

test('an open session of an active account passes, and tells the staff role', async () => {
  const store = await buildStore()
  const [customer, owner] = [await buildCustomer(store), await buildStaff(store, { role: 'owner' })]

  assert.deepEqual(await checkSession(verifyAccessToken(customer.token)), { role: null, isOwner: false })
  assert.deepEqual(await checkSession(verifyAccessToken(owner.token)), { role: 'owner', isOwner: true })
})

test('the session of an account that was switched off is refused at once', async () => {
  const store = await buildStore()
  const customer = await buildCustomer(store)

  await inStore(store.id, (tx) => tx.knex('customers').update({ is_active: false }))

  await assert.rejects(checkSession(verifyAccessToken(customer.token)), { code: 'auth.session_revoked' })
})

test("a session is of no use under another store's name", async () => {
  const [store, other] = [await buildStore(), await buildStore()]
  const claims = verifyAccessToken((await buildCustomer(store)).token)

  await assert.rejects(checkSession({ ...claims, storeId: other.id }), { code: 'auth.session_revoked' })
})
