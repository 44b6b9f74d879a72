import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { markVerified } from '#shared/customers/account/verify-email.ts'
import { IdentityProvider } from '#shared/identity-providers/identity-provider.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildCustomer, buildStaff, PASSWORD } from '#test/support/builders/accounts.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { request } from '#test/support/processes/app.ts'
import { buildPerson, buildProvider } from '#test/support/processes/identity-provider.ts'
import { Visitor } from '#test/support/processes/visitor.ts'

interface Caller {
  store?: BuiltStore
  token: string
}

const list = async (caller: Caller) => (await request('GET /auth/identity-links', caller)).data
const remove = (caller: Caller, id: string) => request(`DELETE /auth/identity-links/${id}`, caller)
const isOpen = async (caller: Caller) => (await request('GET /auth/me', caller)).status === 200

/** Signs in by a provider and returns the access token. */
async function signIn(store: BuiltStore, person: { sub: string }, provider = 'acme'): Promise<string> {
  const { code } = await new Visitor().signIn(store, person, { provider })
  return (await request('POST /auth/oauth/exchange', { store, body: { code } })).data.access_token
}

/** A verified customer with a password, signed in by it, and a person with the same address at the provider. */
async function buildScene() {
  const store = await buildStore()
  await buildProvider(store)
  const customer = await buildCustomer(store)
  await inStore(store.id, (tx) => markVerified(tx, customer.id))
  return { store, by: { store, token: customer.token }, person: buildPerson({ email: customer.email }) }
}

/** An account that a provider created, and the caller who is signed in to it. */
async function buildWithoutPassword() {
  const store = await buildStore()
  await buildProvider(store)
  const person = buildPerson()
  const caller = { store, token: await signIn(store, person) }
  const [{ id }] = await list(caller)
  return { store, person, caller, id }
}

test('the list shows the providers that sign in to the account, with the time of the link', async () => {
  const { store, by, person } = await buildScene()
  const { id } = await buildProvider(store, { code: 'second', name: 'Second' })
  await signIn(store, person)
  await signIn(store, person, 'second')
  await inStore(store.id, (tx) => IdentityProvider.in(tx).findById(id).patch({ isActive: false }))

  const links = await list(by)

  assert.deepEqual(
    links.map(({ provider }: { provider: object }) => provider),
    [
      { code: 'acme', name: 'Acme', is_active: true },
      { code: 'second', name: 'Second', is_active: false },
    ],
  )
  assert.ok(links.every(({ created_at }: { created_at: string }) => Date.parse(created_at) <= Date.now()))
})

test('a removed link is not listed, is a security event, and closes the sessions that the provider opened', async () => {
  const { store, by, person } = await buildScene()
  await buildProvider(store, { code: 'second' })
  const byAcme = { store, token: await signIn(store, person) }
  const bySecond = { store, token: await signIn(store, person, 'second') }
  const [acme] = await list(by)

  const { status } = await remove(by, acme.id)

  assert.equal(status, 200)
  assert.deepEqual(
    (await list(by)).map(({ provider }: { provider: { code: string } }) => provider.code),
    ['second'],
  )
  assert.equal((await request('GET /auth/me', byAcme)).error_code, 'auth.session_revoked')
  assert.ok(await isOpen(bySecond))
  assert.ok(await isOpen(by))
  assert.equal((await request('GET /auth/activity', by)).data[0].kind, 'identity_unlinked')
})

test('a session that the provider opened stays open if it removes the link itself', async () => {
  const { store, by, person } = await buildScene()
  const [own, other] = [await signIn(store, person), await signIn(store, person)]
  const [{ id }] = await list(by)

  await remove({ store, token: own }, id)

  assert.ok(await isOpen({ store, token: own }))
  assert.ok(!(await isOpen({ store, token: other })))
})

test('a one-time code of a removed link returns auth.oauth_code_invalid', async () => {
  const { store, by, person } = await buildScene()
  const { code } = await new Visitor().signIn(store, person)
  const [{ id }] = await list(by)

  await remove(by, id)

  const { error_code } = await request('POST /auth/oauth/exchange', { store, body: { code } })
  assert.equal(error_code, 'auth.oauth_code_invalid')
})

test('a provider that verifies the same address links the account again at the next sign-in', async () => {
  const { store, by, person } = await buildScene()
  await signIn(store, person)
  const [{ id }] = await list(by)

  await remove(by, id)
  await signIn(store, person)

  const links = await list(by)
  assert.equal(links.length, 1)
  assert.notEqual(links[0].id, id)
})

test('the only sign-in of an account without a password returns 409 auth.oauth_only_sign_in', async () => {
  const { caller, id } = await buildWithoutPassword()

  const { status, error_code } = await remove(caller, id)

  assert.deepEqual({ status, error_code }, { status: 409, error_code: 'auth.oauth_only_sign_in' })
  assert.equal((await list(caller)).length, 1)
})

test('an account without a password removes one of two providers, unless the other is inactive', async () => {
  const { store, person, caller, id } = await buildWithoutPassword()
  const second = await buildProvider(store, { code: 'second' })
  await signIn(store, person, 'second')
  const setActive = (isActive: boolean) =>
    inStore(store.id, (tx) => IdentityProvider.in(tx).findById(second.id).patch({ isActive }))

  await setActive(false)
  const refused = await remove(caller, id)
  await setActive(true)
  const removed = await remove(caller, id)

  assert.equal(refused.error_code, 'auth.oauth_only_sign_in')
  assert.equal(removed.status, 200)
})

test('staff list and remove the providers of their own account, and the removal is in the audit log', async () => {
  const store = await buildStore()
  await buildProvider(store, { code: 'office', audience: 'staff' })
  const { token: ofOwner } = await buildStaff(store, { role: 'owner' })
  const { email } = await buildStaff(store, { role: 'sales' })
  await signIn(store, buildPerson({ email }), 'office')
  const { data } = await request('POST /auth/login', { body: { email, password: PASSWORD } })
  const by = { token: data.access_token }
  const [{ id, provider }] = await list(by)

  const { status } = await remove(by, id)

  assert.equal(provider.code, 'office')
  assert.equal(status, 200)
  assert.deepEqual(await list(by), [])
  const { data: entries } = await request('GET /admin/audit-log', { token: ofOwner })
  assert.partialDeepStrictEqual(entries[0], {
    action: 'deleteAuthIdentityLinksId',
    resource: { type: 'identity-links', id },
  })
})

test('a link of another account and an unknown one return 404', async () => {
  const { store, by, person } = await buildScene()
  const other = { store, token: (await buildCustomer(store)).token }
  await signIn(store, person)
  const [{ id }] = await list(by)

  const [ofAnother, unknown] = [await remove(other, id), await remove(by, newId())]

  assert.equal(ofAnother.error_code, 'resource.not_found')
  assert.equal(unknown.error_code, 'resource.not_found')
  assert.deepEqual(await list(other), [])
  assert.equal((await list(by)).length, 1)
})
