import assert from 'node:assert/strict'
import { test } from 'node:test'
import { completeSignIn } from '#shared/identity/sign-in/complete-sign-in.ts'
import '#test/support/database.ts'
import type { Device } from '#shared/identity/device.ts'
import { lockHolder } from '#shared/identity/holder.ts'
import { setPassword } from '#shared/identity/passwords/set-password.ts'
import { findCredentials, findCredentialsToSignIn } from '#shared/identity/sign-in/find-credentials.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { pending, untilOneWaits } from '#test/support/races/overlap.ts'

const device: Device = { ip: null, userAgent: null }

async function buildCredentials() {
  const store = await buildStore()
  const { email } = await buildCustomer(store)
  const { found: credentials } = await findCredentialsToSignIn('customer', store.id, email)
  assert.ok(credentials)
  const signIn = () => inStore(store.id, (tx) => completeSignIn(tx, credentials, device))
  return { store, credentials, signIn }
}

test('a password that changed after it was verified throws auth.invalid_credentials', async () => {
  const { store, credentials, signIn } = await buildCredentials()

  await inStore(store.id, (tx) =>
    tx.knex('customers').where('id', credentials.account.id).update({ password_hash: 'another' }),
  )

  await assert.rejects(signIn(), { code: 'auth.invalid_credentials' })
})

test('a sign-in waits for a concurrent change of password, and throws auth.invalid_credentials', async () => {
  const { store, credentials, signIn } = await buildCredentials()
  await signIn()
  const within = (work: (tx: StoreTx) => Promise<void>) => inStore(store.id, work)
  const change = await pending(within, async (tx) => {
    const holder = await lockHolder(tx, credentials.account)
    await setPassword(tx, holder, { passwordHash: 'another', reason: 'password_changed', device })
  })

  const signedIn = assert.rejects(signIn(), { code: 'auth.invalid_credentials' })
  await untilOneWaits()
  change.commit()

  await signedIn
  await change.done
})

test("a customer's address is found in its own store alone, in any case", async () => {
  const [store, other] = [await buildStore(), await buildStore()]
  const { id } = await buildCustomer(store, { email: 'Ada@Example.test' })

  assert.deepEqual(await findCredentials('customer', store.id, 'aDA@eXAMPLE.test'), {
    account: { type: 'customer', id },
    storeId: store.id,
  })
  assert.equal(await findCredentials('customer', other.id, 'ada@example.test'), null)
})

test("a staff member's address is found without a store, and not in another store", async () => {
  const [store, other] = [await buildStore(), await buildStore()]
  const { id, email } = await buildStaff(store, { role: 'sales' })

  const found = { account: { type: 'staff', id }, storeId: store.id }
  assert.deepEqual(await findCredentials('staff', null, email), found)
  assert.deepEqual(await findCredentials('staff', store.id, email), found)
  assert.equal(await findCredentials('staff', other.id, email), null)
})
