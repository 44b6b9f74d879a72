import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { findCustomerCredentials } from '#shared/customers/find-credentials.ts'
import { setCustomerPassword } from '#shared/customers/set-password.ts'
import { signInCustomer, signInCustomerAtOnce } from '#shared/customers/sign-in-customer.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { buildStore } from '#test/support/build.ts'
import { buildCustomer } from '#test/support/build-accounts.ts'
import { pending, untilOneWaits } from '#test/support/overlap.ts'

const device = { ip: null, userAgent: null }

test('a password that changed while the old one was being checked signs nobody in', async () => {
  const store = await buildStore()
  const { id, email } = await buildCustomer(store)
  const credentials = await findCustomerCredentials(store.id, email)
  assert.ok(credentials)

  await inStore(store.id, (tx) => tx.knex('customers').where({ id }).update({ password_hash: 'another' }))

  await assert.rejects(
    inStore(store.id, (tx) => signInCustomer(tx, credentials, device)),
    { code: 'auth.invalid_credentials' },
  )
})

test('a sign-in in one statement waits for a change of password, and lets nobody in with the old one', async () => {
  const store = await buildStore()
  const { id, email } = await buildCustomer(store)
  const credentials = await findCustomerCredentials(store.id, email)
  assert.ok(credentials)
  // The device is known, so nothing but the password stands in the way.
  await inStore(store.id, (tx) => signInCustomer(tx, credentials, device))
  assert.ok(await signInCustomerAtOnce(store.id, credentials, device))
  const within = (work: (tx: StoreTx) => Promise<void>) => inStore(store.id, work)
  const change = await pending(within, (tx) => setCustomerPassword(tx, id, 'another'))

  const signedIn = signInCustomerAtOnce(store.id, credentials, device)
  await untilOneWaits()
  change.commit()

  assert.equal(await signedIn, null)
  await change.done
})

test('an address is found however it is written, in its own store alone', async () => {
  const [store, other] = [await buildStore(), await buildStore()]
  const { id } = await buildCustomer(store, { email: 'Ada@Example.test' })

  assert.equal((await findCustomerCredentials(store.id, 'aDA@eXAMPLE.test'))?.id, id)
  assert.equal(await findCustomerCredentials(other.id, 'ada@example.test'), null)
})
