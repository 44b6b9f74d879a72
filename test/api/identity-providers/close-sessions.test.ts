import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { deactivateStaffIdentityProviders } from '#shared/identity-providers/deactivate-staff-identity-providers.ts'
import { deleteIdentityProvider } from '#shared/identity-providers/delete-identity-provider.ts'
import { lockIdentityProvider } from '#shared/identity-providers/identity-provider.ts'
import { updateIdentityProvider } from '#shared/identity-providers/update-identity-provider.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { type BuiltAccount, buildStaff, PASSWORD } from '#test/support/builders/accounts.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { request } from '#test/support/processes/app.ts'
import { buildPerson, buildProvider } from '#test/support/processes/identity-provider.ts'
import { Visitor } from '#test/support/processes/visitor.ts'
import { pending, untilOneWaits } from '#test/support/races/overlap.ts'

async function buildScene() {
  const store = await buildStore()
  const owner = await buildStaff(store, { role: 'owner' })
  const provider = await buildProvider(store, { code: 'office', audience: 'staff' })
  const path = `/admin/identity-providers/${provider.id}`
  return { store, owner, provider, path }
}

/** Returns a one-time code for the account, before its exchange. */
async function codeFor(store: BuiltStore, { email }: BuiltAccount, provider: string): Promise<string> {
  const { code } = await new Visitor().signIn(store, buildPerson({ email }), { provider })
  return code ?? ''
}

const exchange = (code: string) => request('POST /auth/oauth/exchange', { body: { code } })

interface Tokens {
  access_token: string
  refresh_token: string
}

const signIn = async (store: BuiltStore, member: BuiltAccount, provider = 'office'): Promise<Tokens> =>
  (await exchange(await codeFor(store, member, provider))).data

const readProfile = async (token: string) => (await request('GET /auth/me', { token })).error_code

const refresh = ({ refresh_token }: Tokens) => request('POST /auth/refresh', { body: { refresh_token } })

const CHANGES: Record<string, (token: string, path: string) => Promise<{ status: number }>> = {
  'deleting a provider': (token, path) => request(`DELETE ${path}`, { token }),
  'deactivating a provider': (token, path) => request(`PATCH ${path}`, { token, body: { is_active: false } }),
  'giving a provider another client': (token, path) =>
    request(`PATCH ${path}`, { token, body: { client_id: 'another' } }),
}

const removeRedirectUrl = (token: string, path: string) =>
  request(`PATCH ${path}`, { token, body: { redirect_urls: ['https://shop.example/another'] } })

const CLOSINGS: typeof CHANGES = {
  ...CHANGES,
  'removing a redirect URL of a provider': removeRedirectUrl,
}

for (const [title, change] of Object.entries(CLOSINGS))
  test(`${title} closes the sessions that it opened, also refreshed ones, and no others`, async () => {
    const { store, owner, path } = await buildScene()
    await buildProvider(store, { code: 'second', audience: 'staff' })
    const member = await buildStaff(store, { role: 'sales' })
    const [first, second] = [await signIn(store, member), await signIn(store, member, 'second')]
    const { data: renewed } = await refresh(first)
    const { data: byPassword } = await request('POST /auth/login', {
      body: { email: member.email, password: PASSWORD },
    })

    const { status } = await change(owner.token, path)

    assert.equal(status, 200)
    assert.equal(await readProfile(renewed.access_token), 'auth.session_revoked')
    assert.partialDeepStrictEqual(await refresh(renewed), { status: 401, error_code: 'auth.session_revoked' })
    assert.equal(await readProfile(second.access_token), null)
    assert.equal(await readProfile(byPassword.access_token), null)
  })

test('changing the name, the secret or the position of a provider, or adding a redirect URL, keeps its sessions open', async () => {
  const { store, owner, path, provider } = await buildScene()
  const { access_token } = await signIn(store, await buildStaff(store, { role: 'sales' }))
  const body = {
    name: 'Office',
    client_secret: 'new',
    position: 3,
    is_active: true,
    client_id: provider.clientId,
    redirect_urls: ['https://shop.example/another', ...provider.redirectUrls],
  }

  const { status } = await request(`PATCH ${path}`, { token: owner.token, body })

  assert.equal(status, 200)
  assert.equal(await readProfile(access_token), null)
})

test('removing a redirect URL of a provider voids a sign-in code that was issued before', async () => {
  const { store, owner, path } = await buildScene()
  const code = await codeFor(store, await buildStaff(store, { role: 'sales' }), 'office')

  await removeRedirectUrl(owner.token, path)

  assert.equal((await exchange(code)).error_code, 'auth.oauth_code_invalid')
})

/** After these changes nobody can use the provider. */
const REMOVALS = ['deleting a provider', 'deactivating a provider']
const INTERRUPTIONS: typeof CHANGES = {
  ...CHANGES,
  'deactivating and activating a provider': async (token, path) => {
    await request(`PATCH ${path}`, { token, body: { is_active: false } })
    return request(`PATCH ${path}`, { token, body: { is_active: true } })
  },
  'giving a provider another client and the former one': async (token, path) => {
    const { data } = await request(`GET ${path}`, { token })
    await request(`PATCH ${path}`, { token, body: { client_id: 'another' } })
    return request(`PATCH ${path}`, { token, body: { client_id: data.client_id } })
  },
}

for (const [title, change] of Object.entries(INTERRUPTIONS)) {
  test(`${title} voids a sign-in code that was issued before`, async () => {
    const { store, owner, path } = await buildScene()
    const code = await codeFor(store, await buildStaff(store, { role: 'sales' }), 'office')

    const { status } = await change(owner.token, path)

    assert.equal(status, 200)
    assert.equal((await exchange(code)).error_code, 'auth.oauth_code_invalid')
  })

  test(`${title} ends a sign-in that was started before`, async () => {
    const { store, owner, path } = await buildScene()
    const { email } = await buildStaff(store, { role: 'sales' })
    const visitor = new Visitor()
    const url = await visitor.signInAt(
      await visitor.begin(store, { provider: 'office' }),
      buildPerson({ email }),
    )

    const { status } = await change(owner.token, path)
    const answer = await visitor.visit(url)

    const { error_code } = (await answer.json()) as { error_code: string }
    assert.equal(status, 200)
    assert.equal(error_code, REMOVALS.includes(title) ? 'resource.not_found' : 'auth.oauth_state_invalid')
  })
}

const patch = (
  tx: StoreTx,
  ownerId: string,
  id: string,
  changes: Parameters<typeof updateIdentityProvider>[3],
) => updateIdentityProvider(tx, ownerId, id, changes, undefined)

const ENDINGS: Record<string, (tx: StoreTx, ownerId: string, id: string) => Promise<unknown>> = {
  deleted: deleteIdentityProvider,
  deactivated: (tx, ownerId, id) => patch(tx, ownerId, id, { isActive: false }),
  'deactivated and activated': async (tx, ownerId, id) => {
    await patch(tx, ownerId, id, { isActive: false })
    await patch(tx, ownerId, id, { isActive: true })
  },
  'deactivated by a transfer and activated': async (tx, ownerId, id) => {
    await deactivateStaffIdentityProviders(tx)
    await patch(tx, ownerId, id, { isActive: true })
  },
  'given another client': (tx, ownerId, id) => patch(tx, ownerId, id, { clientId: 'another' }),
}

for (const [ending, end] of Object.entries(ENDINGS)) {
  test(`a code exchanged while its provider is being ${ending} returns auth.oauth_code_invalid`, async () => {
    const { store, owner, provider } = await buildScene()
    const member = await buildStaff(store, { role: 'sales' })
    const code = await codeFor(store, member, 'office')
    const change = await pending(
      (work) => inStore(store.id, work),
      (tx) => end(tx, owner.id, provider.id),
    )

    const exchanged = exchange(code)
    await untilOneWaits()
    change.commit()
    await change.done

    assert.equal((await exchanged).error_code, 'auth.oauth_code_invalid')
  })

  test(`a callback whose provider is ${ending} while it is called gets no code`, async () => {
    const { store, owner, provider } = await buildScene()
    const { email } = await buildStaff(store, { role: 'sales' })
    const visitor = new Visitor()
    const url = await visitor.signInAt(
      await visitor.begin(store, { provider: 'office' }),
      buildPerson({ email }),
    )
    const change = await pending(
      (work) =>
        inStore(store.id, async (tx) => {
          await work(tx)
          await end(tx, owner.id, provider.id)
        }),
      (tx) => lockIdentityProvider(tx, provider.id),
    )

    // The callback has used its state and called the provider before it waits for the lock.
    const answer = visitor.comeBack(url)
    await untilOneWaits()
    change.commit()
    await change.done

    const { code, error } = await answer
    assert.deepEqual({ code, error }, { code: undefined, error: 'auth.oauth_provider_unavailable' })
  })
}
