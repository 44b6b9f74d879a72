import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { markVerified } from '#shared/customers/account/verify-email.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { type BuiltAccount, buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { request } from '#test/support/processes/app.ts'
import { buildPerson, buildProvider } from '#test/support/processes/identity-provider.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox } from '#test/support/processes/mailbox.ts'
import { Visitor } from '#test/support/processes/visitor.ts'

async function buildShop(): Promise<BuiltStore> {
  const store = await buildStore()
  await buildProvider(store)
  return store
}

async function buildVerified(store: BuiltStore): Promise<BuiltAccount> {
  const customer = await buildCustomer(store)
  await inStore(store.id, (tx) => markVerified(tx, customer.id))
  return customer
}

/** Returns the mails about a link that an address received, after all waiting mails were sent. */
async function linkMailsTo(email: string) {
  await drainJobs()
  return mailbox.mails(email).filter(({ subject }) => subject.startsWith('Sign-in by '))
}

async function eventKindsOf(caller: { store?: BuiltStore; token: string }): Promise<string[]> {
  const { data } = await request('GET /auth/activity', caller)
  return data.map(({ kind }: { kind: string }) => kind)
}

test('the first sign-in by a provider to an existing account is a security event and is mailed, the next is not', async () => {
  const store = await buildShop()
  const { email, token } = await buildVerified(store)
  const person = buildPerson({ email })

  await new Visitor().signIn(store, person)
  await new Visitor().signIn(store, person)

  const [mail, ...more] = await linkMailsTo(email)
  assert.deepEqual(await eventKindsOf({ store, token }), ['identity_linked'])
  assert.match(mail?.text ?? '', /signed in by Acme .*remove Acme from the sign-ins of your account/s)
  assert.deepEqual(more, [])
})

test('concurrent first sign-ins to an existing account are mailed once', async () => {
  const store = await buildShop()
  const { email } = await buildVerified(store)
  const person = buildPerson({ email })
  const visitors = [new Visitor(), new Visitor(), new Visitor()]
  const callbacks = await Promise.all(
    visitors.map(async (visitor) => visitor.signInAt(await visitor.begin(store), person)),
  )

  await Promise.all(visitors.map((visitor, n) => visitor.comeBack(callbacks[n] ?? '')))

  assert.equal((await linkMailsTo(email)).length, 1)
})

test('the first sign-in of a staff member by a provider is a security event and is mailed', async () => {
  const store = await buildStore()
  await buildProvider(store, { code: 'office', name: 'Office', audience: 'staff' })
  const { email, token } = await buildStaff(store, { role: 'sales' })

  await new Visitor().signIn(store, buildPerson({ email }), { provider: 'office' })

  const [mail] = await linkMailsTo(email)
  assert.deepEqual(await eventKindsOf({ token }), ['identity_linked'])
  assert.match(mail?.text ?? '', /signed in by Office/)
})

test('an account that the provider created gets neither the event nor the mail', async () => {
  const store = await buildShop()
  const person = buildPerson()

  const { code } = await new Visitor().signIn(store, person)

  const { data } = await request('POST /auth/oauth/exchange', { store, body: { code } })
  assert.deepEqual(await linkMailsTo(person.email ?? ''), [])
  assert.deepEqual(await eventKindsOf({ store, token: data.access_token }), [])
})

test('a sign-in that links nothing gets neither the event nor the mail', async () => {
  const store = await buildShop()
  const { email, token } = await buildVerified(store)
  await new Visitor().signIn(store, buildPerson({ email }))

  const { error } = await new Visitor().signIn(store, buildPerson({ email }))

  assert.equal(error, 'auth.oauth_linked_elsewhere')
  assert.equal((await linkMailsTo(email)).length, 1)
  assert.deepEqual(await eventKindsOf({ store, token }), ['identity_linked'])
})
