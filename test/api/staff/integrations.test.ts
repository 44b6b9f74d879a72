import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { createApiToken } from '#shared/staff/api-tokens/create-api-token.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { type BuiltStore, buildStore, nextNumber } from '#test/support/builders/store.ts'
import { buildSuperAdmin } from '#test/support/builders/super-admin.ts'
import { request } from '#test/support/processes/app.ts'

async function buildScene() {
  const store = await buildStore()
  const owner = await buildStaff(store, { role: 'owner' })
  const member = await buildStaff(store, { role: 'administrator' })
  return { store, owner, member }
}

const WEBHOOK = { url: 'http://localhost:9001/orders', events: ['order.*'] }
const newProvider = (given: object = {}) => ({
  code: `provider-${nextNumber()}`,
  name: 'Acme',
  issuer: 'https://login.acme.example',
  client_id: 'harbor',
  redirect_urls: ['https://shop.example/signed-in'],
  ...given,
})

/** The requests that create each kind, and the paths to read it. */
const KINDS: Record<string, { create: string; body: () => object; list: string }> = {
  'a webhook': { create: 'POST /admin/webhooks', body: () => WEBHOOK, list: '/admin/webhooks' },
  'an identity provider': {
    create: 'POST /admin/identity-providers',
    body: newProvider,
    list: '/admin/identity-providers',
  },
  'a publishable key': {
    create: 'POST /admin/publishable-keys',
    body: () => ({ mode: 'test', name: 'Phones' }),
    list: '/admin/publishable-keys',
  },
  'a domain': {
    create: 'POST /admin/domains',
    body: () => ({ domain: `shop-${nextNumber()}.example` }),
    list: '/admin/domains',
  },
}

for (const [kind, { create, body, list }] of Object.entries(KINDS))
  test(`${kind} names the staff member who created it`, async () => {
    const { owner, member } = await buildScene()

    const created = await request(create, { token: member.token, body: body() })
    const { data: all } = await request(`GET ${list}`, { token: owner.token })

    assert.partialDeepStrictEqual(created, { status: 201, data: { created_by: member.id } })
    assert.equal(all.find(({ id }: { id: string }) => id === created.data.id)?.created_by, member.id)
  })

/** A token of the member with the right to webhooks and keys. */
const buildTokenOf = ({ id }: { id: string }, store: BuiltStore) =>
  inStore(store.id, (tx) =>
    createApiToken(tx, id, { name: 'Program', rights: ['system:read', 'system:write', 'sales:read'] }),
  )

test('a webhook that a program creates names the creator of its API token', async () => {
  const { store, member } = await buildScene()
  const { text } = await buildTokenOf(member, store)

  const { data } = await request('POST /admin/webhooks', { token: text, body: WEBHOOK })

  assert.equal(data.created_by, member.id)
})

test('a webhook names the member who gives it another host, not one who changes its path', async () => {
  const { owner, member } = await buildScene()
  const { data: webhook } = await request('POST /admin/webhooks', { token: owner.token, body: WEBHOOK })
  const move = async (url: string) =>
    (await request(`PATCH /admin/webhooks/${webhook.id}`, { token: member.token, body: { url } })).data

  const samePlace = await move('http://localhost:9001/other')
  const elsewhere = await move('http://localhost:9002/orders')

  assert.equal(samePlace.created_by, owner.id)
  assert.equal(elsewhere.created_by, member.id)
})

test('the connection to the external catalog names the member who gave it its host', async () => {
  const { owner, member } = await buildScene()
  const save = async (token: string, body: object) =>
    (await request('PUT /admin/remote/settings', { token, body })).data

  const connected = await save(owner.token, {
    base_url: 'http://localhost:9003/api',
    api_key: 'k'.repeat(24),
  })
  const tuned = await save(member.token, { base_url: 'http://localhost:9003/api', burst: 3 })
  const moved = await save(member.token, { base_url: 'http://localhost:9001', api_key: 'k'.repeat(24) })

  assert.equal(connected.created_by, owner.id)
  assert.equal(tuned.created_by, owner.id)
  assert.equal(moved.created_by, member.id)
})

test("a key's successor names the member who rotated it", async () => {
  const { owner, member } = await buildScene()
  const { data: key } = await request('POST /admin/publishable-keys', {
    token: owner.token,
    body: { mode: 'test' },
  })

  const { data: successor } = await request(`POST /admin/publishable-keys/${key.id}/rotate`, {
    token: member.token,
    body: { overlap_seconds: 60 },
  })

  assert.equal(successor.created_by, member.id)
})

test('keys and domains that a super-admin creates name nobody of the staff', async () => {
  const { store } = await buildScene()
  const { token } = await buildSuperAdmin()
  const path = `/super-admin/stores/${store.id}`

  const key = await request(`POST ${path}/publishable-keys`, { token, body: { mode: 'test' } })
  const domain = await request(`POST ${path}/domains`, {
    token,
    body: { domain: `shop-${nextNumber()}.example` },
  })

  assert.partialDeepStrictEqual(key, { status: 201, data: { created_by: null } })
  assert.partialDeepStrictEqual(domain, { status: 201, data: { created_by: null } })
})
