import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { deleteProvider } from '#shared/identity-providers/delete-provider.ts'
import { updateProvider } from '#shared/identity-providers/update-provider.ts'
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

for (const [title, change] of Object.entries(CHANGES))
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

test('changing the name, the secret or the position of a provider keeps its sessions open', async () => {
  const { store, owner, path, provider } = await buildScene()
  const { access_token } = await signIn(store, await buildStaff(store, { role: 'sales' }))
  const body = {
    name: 'Office',
    client_secret: 'new',
    position: 3,
    is_active: true,
    client_id: provider.clientId,
  }

  const { status } = await request(`PATCH ${path}`, { token: owner.token, body })

  assert.equal(status, 200)
  assert.equal(await readProfile(access_token), null)
})

const ENDINGS: Record<string, (tx: StoreTx, ownerId: string, id: string) => Promise<unknown>> = {
  deleted: deleteProvider,
  deactivated: (tx, ownerId, id) => updateProvider(tx, ownerId, id, { isActive: false }, undefined),
}

for (const [ending, end] of Object.entries(ENDINGS))
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
