import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildApiToken, buildStaff, PASSWORD } from '#test/support/builders/accounts.ts'
import { buildStore, nextNumber } from '#test/support/builders/store.ts'
import { request } from '#test/support/processes/app.ts'

interface Entry {
  action: string
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}

async function buildOwner() {
  const store = await buildStore()
  const owner = await buildStaff(store, { role: 'owner' })
  const call = (line: string, body?: object) =>
    request(line, { token: owner.token, ...(body ? { body } : {}) })
  const entries = (): Promise<Entry[]> =>
    inStore(store.id, (tx) =>
      tx.knex('audit_entries').orderBy('sequence').select('action', 'before', 'after'),
    )
  return { store, owner, call, entries }
}

test('a created, changed and removed member has audit entries without the password', async () => {
  const { call, entries } = await buildOwner()
  const email = `audited-${nextNumber()}@example.test`
  const body = { email, firstname: 'Mary', lastname: 'Jackson', role: 'sales', password: PASSWORD }

  const { data } = await call('POST /admin/users', body)
  await call(`PATCH /admin/users/${data.id}`, { role: 'content' })
  await call(`DELETE /admin/users/${data.id}`)

  const stored = await entries()
  assert.deepEqual(
    stored.map(({ action, after }) => ({ action, role: after?.role ?? null })),
    [
      { action: 'postAdminUsers', role: 'sales' },
      { action: 'patchAdminUsersUserId', role: 'content' },
      { action: 'deleteAdminUsersUserId', role: null },
    ],
  )
  assert.ok(!JSON.stringify(stored).includes(PASSWORD))
})

test('a refused change has no audit entry', async () => {
  const { store, call, entries } = await buildOwner()
  const { id } = await buildStaff(store, { role: 'sales' })

  await call(`PATCH /admin/users/${id}`, { role: 'owner' })
  await call('POST /admin/owner/transfer', { user_id: id, current_password: 'wrong password' })

  assert.deepEqual(await entries(), [])
})

test('a created API token has an audit entry without its secret', async () => {
  const { call, entries } = await buildOwner()

  const { data } = await call('POST /admin/api-tokens', { name: 'Scanner', rights: ['refund'] })

  const [entry] = await entries()
  assert.deepEqual(
    { name: entry?.after?.name, rights: entry?.after?.rights },
    { name: 'Scanner', rights: ['refund'] },
  )
  assert.ok(!JSON.stringify(entry).includes(data.token))
})

test("a change by an API token has an audit entry with the token's id", async () => {
  const { store } = await buildOwner()
  const { id, token } = await buildApiToken(store, 'system:write')

  await request('PATCH /admin/settings', { token, body: { name: 'Renamed' } })

  const [entry] = await inStore(store.id, (tx) => tx.knex('audit_entries'))
  assert.partialDeepStrictEqual(entry, { actor_type: 'api_token', actor_id: id })
})

test('an owner transfer and a store deletion have audit entries', async () => {
  const { store, owner, call, entries } = await buildOwner()
  const heir = await buildStaff(store, { role: 'administrator' })

  await call('POST /admin/owner/transfer', { user_id: heir.id, current_password: PASSWORD })
  await request(`DELETE /admin/stores/${store.id}`, { token: heir.token })

  const stored = await entries()
  assert.deepEqual(
    stored.map(({ action }) => action),
    ['postAdminOwnerTransfer', 'deleteAdminStoresStoreId'],
  )
  assert.deepEqual(
    { before: stored[0]?.before?.id, after: stored[0]?.after?.id },
    { before: owner.id, after: heir.id },
  )
})
