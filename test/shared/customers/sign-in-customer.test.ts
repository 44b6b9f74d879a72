import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { findCustomerCredentials } from '#shared/customers/find-credentials.ts'
import { signInCustomer } from '#shared/customers/sign-in-customer.ts'
import { inStore } from '#shared/platform/store-scope.ts'
import { buildStore } from '#test/support/build.ts'
import { buildCustomer } from '#test/support/build-accounts.ts'

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

test('an address is found however it is written, in its own store alone', async () => {
  const [store, other] = [await buildStore(), await buildStore()]
  const { id } = await buildCustomer(store, { email: 'Ada@Example.test' })

  assert.equal((await findCustomerCredentials(store.id, 'aDA@eXAMPLE.test'))?.id, id)
  assert.equal(await findCustomerCredentials(other.id, 'ada@example.test'), null)
})
