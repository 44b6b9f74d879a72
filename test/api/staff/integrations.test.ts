import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { IdentityProvider } from '#shared/identity-providers/identity-provider.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { insertApiToken } from '#shared/staff/api-tokens/insert-api-token.ts'
import { StoreDomain } from '#shared/stores/domains/store-domain.ts'
import { buildRole, buildStaff } from '#test/support/builders/accounts.ts'
import { type BuiltStore, buildStore, nextNumber } from '#test/support/builders/store.ts'
import { buildSuperAdmin } from '#test/support/builders/super-admin.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox } from '#test/support/processes/mailbox.ts'

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
    insertApiToken(tx, id, { name: 'Program', rights: ['system:read', 'system:write', 'sales:read'] }),
  )

test('a webhook that a program creates names the creator of its API token', async () => {
  const { store, member } = await buildScene()
  const { text } = await buildTokenOf(member, store)

  const { data } = await request('POST /admin/webhooks', { token: text, body: WEBHOOK })

  assert.equal(data.created_by, member.id)
})

test('a webhook names the member who gives it another URL, also on the same host', async () => {
  const { owner, member } = await buildScene()
  const { data: webhook } = await request('POST /admin/webhooks', { token: owner.token, body: WEBHOOK })
  const move = async (url: string) =>
    (await request(`PATCH /admin/webhooks/${webhook.id}`, { token: member.token, body: { url } })).data

  const same = await move(WEBHOOK.url)
  const other = await move('http://localhost:9001/other')

  assert.equal(same.created_by, owner.id)
  assert.equal(other.created_by, member.id)
})

test('an identity provider names the member who gives it another client, not one who adds a redirect URL', async () => {
  const { owner, member } = await buildScene()
  const change = async (body: object) => {
    const { data } = await request('POST /admin/identity-providers', {
      token: owner.token,
      body: newProvider(),
    })
    const path = `/admin/identity-providers/${data.id}`
    return (await request(`PATCH ${path}`, { token: member.token, body })).data.created_by
  }
  const [known] = newProvider().redirect_urls

  assert.equal(await change({ name: 'Other', client_id: 'harbor', redirect_urls: [known] }), owner.id)
  assert.equal(await change({ client_id: 'other' }), member.id)
  assert.equal(await change({ redirect_urls: [known, 'https://other.example/signed-in'] }), owner.id)
})

/** A provider that one member set up and another one changes, and the mails to the owner about each after a removal. */
async function buildSharedProvider() {
  const { store, owner, member: creator } = await buildScene()
  const colleague = await buildStaff(store, { role: 'administrator' })
  const { data: provider } = await request('POST /admin/identity-providers', {
    token: creator.token,
    body: newProvider(),
  })
  const change = async (body: object, { token } = colleague) =>
    request(`PATCH /admin/identity-providers/${provider.id}`, { token, body })
  const mailsAfterRemoval = async ({ id }: { id: string }): Promise<string[]> => {
    await drainJobs()
    mailbox.clear()
    await request(`DELETE /admin/users/${id}`, { token: owner.token })
    const [texts = []] = await mailsTo(owner.email)
    return texts
  }
  return { store, creator, colleague, provider, change, mailsAfterRemoval }
}

const MORE_URLS = { redirect_urls: [...newProvider().redirect_urls, 'https://other.example/signed-in'] }

test('a removal of the creator mails a provider to which a colleague added a redirect URL', async () => {
  const { creator, change, mailsAfterRemoval } = await buildSharedProvider()
  await change(MORE_URLS)

  const [text = ''] = await mailsAfterRemoval(creator)

  assert.match(text, /Identity provider: Acme/)
})

test('a removal of a member who added a redirect URL mails the provider once', async () => {
  const { colleague, change, mailsAfterRemoval } = await buildSharedProvider()
  await change(MORE_URLS)
  await change({ redirect_urls: [...MORE_URLS.redirect_urls, 'https://third.example/signed-in'] })

  const texts = await mailsAfterRemoval(colleague)

  assert.equal(texts.length, 1)
  assert.equal(texts.join().match(/Identity provider: /g)?.length, 1)
})

test('a removal of the former creator mails a provider that got another client', async () => {
  const { creator, change, mailsAfterRemoval } = await buildSharedProvider()
  await change({ client_id: 'other' })

  const [text = ''] = await mailsAfterRemoval(creator)

  assert.match(text, /Identity provider: Acme/)
})

test('a removal of a member who added a redirect URL mails a provider that the service created', async () => {
  const { store, provider, colleague, change, mailsAfterRemoval } = await buildSharedProvider()
  await inStore(store.id, (tx) => IdentityProvider.in(tx).findById(provider.id).patch({ createdBy: null }))
  await change(MORE_URLS)

  const [text = ''] = await mailsAfterRemoval(colleague)

  assert.match(text, /Identity provider: Acme/)
})

test('a removal of a member who renamed a provider, or removed a redirect URL, mails nothing', async () => {
  const { creator, colleague, change, mailsAfterRemoval } = await buildSharedProvider()
  await change(MORE_URLS, creator)
  await change({ name: 'Other' })
  await change({ redirect_urls: newProvider().redirect_urls })

  assert.deepEqual(await mailsAfterRemoval(colleague), [])
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

/** The mails to each address about what a member set up, by their texts. */
async function mailsTo(...addresses: string[]): Promise<string[][]> {
  await drainJobs()
  return addresses.map((address) =>
    mailbox
      .mails(address)
      .filter(({ subject }) => subject.includes('still works'))
      .map(({ text }) => text),
  )
}

/** A member of the staff with a webhook and a provider, and another administrator. */
async function buildSetUp() {
  const scene = await buildScene()
  const { store, member } = scene
  const { data: webhook } = await request('POST /admin/webhooks', { token: member.token, body: WEBHOOK })
  await request('POST /admin/identity-providers', { token: member.token, body: newProvider() })
  const admin = await buildStaff(store, { role: 'administrator' })
  const path = `/admin/users/${member.id}`
  return { ...scene, admin, webhook, path }
}

test('a removal mails the owner and who removed the member what the member created', async () => {
  const { owner, member, admin, path } = await buildSetUp()

  const { status } = await request(`DELETE ${path}`, { token: admin.token })
  const [toOwner, toAdmin, toMember] = await mailsTo(owner.email, admin.email, member.email)

  assert.equal(status, 200)
  assert.equal(toOwner?.length, 1)
  assert.deepEqual(toMember, [])
  assert.deepEqual(toOwner, toAdmin)
  const [text = ''] = toOwner ?? []
  assert.match(text, /Webhook: localhost:9001, created /)
  assert.match(text, /Identity provider: Acme \(login\.acme\.example\), created /)
  for (const part of [admin.email, member.email, member.id]) assert.ok(text.includes(part), part)
})

test('the mail about a removed member names inactive webhooks and providers after the active ones', async () => {
  const { owner, member, webhook, path } = await buildSetUp()
  const inactive = { token: owner.token, body: { is_active: false } }
  await request(`PATCH /admin/webhooks/${webhook.id}`, inactive)

  await request(`DELETE ${path}`, { token: owner.token })
  const [[text = ''] = []] = await mailsTo(owner.email)

  const [webhookAt, providerAt] = [text.indexOf('Webhook: '), text.indexOf('Identity provider: ')]
  assert.match(text, /Webhook: localhost:9001, created .*, inactive until someone activates it/)
  assert.match(text, /Identity provider: Acme \(login\.acme\.example\), created \w+ \d+, \d+$/m)
  assert.ok(providerAt > 0 && webhookAt > providerAt, member.id)
})

test('a webhook of a removed member stays, and names the member', async () => {
  const { owner, member, webhook, path } = await buildSetUp()

  await request(`DELETE ${path}`, { token: owner.token })
  const { data } = await request(`GET /admin/webhooks/${webhook.id}`, { token: owner.token })

  assert.partialDeepStrictEqual(data, { is_active: true, created_by: member.id })
})

test('an owner who deactivates a member gets one mail', async () => {
  const { owner, path } = await buildSetUp()

  await request(`PATCH ${path}`, { token: owner.token, body: { is_active: false } })
  await request(`PATCH ${path}`, { token: owner.token, body: { firstname: 'Ada' } })
  const [toOwner] = await mailsTo(owner.email)

  assert.equal(toOwner?.length, 1)
  assert.match(toOwner?.[0] ?? '', /switched off the account/)
})

test('a demotion mails what the member may no longer create', async () => {
  const { store, owner, path } = await buildSetUp()
  await buildRole(store, { name: 'technician', rights: ['system:read', 'system:write', 'sales:read'] })

  await request(`PATCH ${path}`, { token: owner.token, body: { role: 'technician' } })
  const [toOwner] = await mailsTo(owner.email)

  assert.equal(toOwner?.length, 1)
  assert.match(toOwner?.[0] ?? '', /Identity provider: Acme/)
  assert.doesNotMatch(toOwner?.[0] ?? '', /Webhook: /)
})

/** Two members with one role, each with a webhook, and a change of the rights of the role. */
async function buildRoleScene() {
  const { store, owner, member: admin } = await buildScene()
  const rights = ['system:read', 'system:write', 'sales:read', 'users:read'] as const
  const role = await buildRole(store, { name: 'programs', rights })
  const [one, two] = [
    await buildStaff(store, { role: 'programs' }),
    await buildStaff(store, { role: 'programs' }),
  ]
  for (const { token } of [one, two]) await request('POST /admin/webhooks', { token, body: WEBHOOK })
  const change = (body: object) =>
    request(`PATCH /admin/roles/${role.id}`, { token: admin.token, body: { ...body } })
  return { owner, admin, one, two, change }
}

test('a role that loses rights mails the owner and the actor what its members may no longer create, in one mail', async () => {
  const { owner, admin, one, two, change } = await buildRoleScene()

  const { status } = await change({ name: 'readers', rights: ['system:read', 'sales:read'] })
  const [toOwner, toAdmin, toMember] = await mailsTo(owner.email, admin.email, one.email)

  assert.equal(status, 200)
  assert.equal(toOwner?.length, 1)
  assert.deepEqual(toOwner, toAdmin)
  assert.deepEqual(toMember, [])
  const [text = ''] = toOwner ?? []
  for (const { email } of [one, two])
    assert.match(text, new RegExp(`Webhook: localhost:9001, created .*, ${email}$`, 'm'))
  assert.ok(text.includes(`${admin.email} took rights from the role programs`))
})

test('a role that loses other rights, or gets more, mails nothing', async () => {
  const { owner, admin, change } = await buildRoleScene()

  await change({ rights: ['system:read', 'system:write', 'sales:read'] })
  await change({ rights: ['system:read', 'system:write', 'sales:read', 'sales:write'] })

  assert.deepEqual(await mailsTo(owner.email, admin.email), [[], []])
})

test("a removal mails nothing if the member's only webhook was deleted", async () => {
  const { owner, member } = await buildScene()
  const { data: webhook } = await request('POST /admin/webhooks', { token: member.token, body: WEBHOOK })
  await request(`DELETE /admin/webhooks/${webhook.id}`, { token: owner.token })

  const { status } = await request(`DELETE /admin/users/${member.id}`, { token: owner.token })
  const [toOwner] = await mailsTo(owner.email)

  assert.equal(status, 200)
  assert.deepEqual(toOwner, [])
})

test('a removal that fails mails nothing', async () => {
  const { store, owner, path } = await buildSetUp()
  await buildRole(store, { name: 'clerk', rights: ['users:read', 'users:write'] })
  const clerk = await buildStaff(store, { role: 'clerk' })

  const { error_code } = await request(`DELETE ${path}`, { token: clerk.token })
  const [toOwner] = await mailsTo(owner.email)

  assert.equal(error_code, 'user.privilege_escalation')
  assert.deepEqual(toOwner, [])
})

test('a removal mails a key, a verified domain and an external catalog, and no unverified domain', async () => {
  const { store, owner, member } = await buildScene()
  const { token } = member
  const [claimed, verified] = [`shop-${nextNumber()}.example`, `shop-${nextNumber()}.example`]
  await request('POST /admin/publishable-keys', { token, body: { mode: 'test', name: 'Phones' } })
  await request('PUT /admin/remote/settings', {
    token,
    body: { base_url: 'http://localhost:9003/api', api_key: 'k'.repeat(24) },
  })
  for (const domain of [claimed, verified]) await request('POST /admin/domains', { token, body: { domain } })
  await inStore(store.id, (tx) =>
    StoreDomain.in(tx).where({ domain: verified }).patch({ verifiedAt: new Date() }),
  )

  await request(`DELETE /admin/users/${member.id}`, { token: owner.token })
  const [[text = ''] = []] = await mailsTo(owner.email)

  assert.match(text, /Publishable key: Phones \(cx_pk_test_/)
  assert.match(text, /External catalog: localhost:9003, /)
  assert.ok(text.includes(`Domain: ${verified}, `))
  assert.ok(!text.includes(claimed))
})
