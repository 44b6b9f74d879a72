import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { request } from '#test/support/app.ts'
import { buildStore, nextNumber } from '#test/support/build.ts'
import { buildApiToken, buildStaff, PASSWORD } from '#test/support/build-accounts.ts'

interface Entry {
  action: string
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}

async function owned() {
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

test('who was taken on, changed and removed is entered, and no password', async () => {
  const { call, entries } = await owned()
  const email = `audited-${nextNumber()}@example.test`
  const body = { email, firstname: 'Mary', lastname: 'Jackson', role: 'sales', password: PASSWORD }

  const { data } = await call('POST /admin/users', body)
  await call(`PATCH /admin/users/${data.id}`, { role: 'content' })
  await call(`DELETE /admin/users/${data.id}`)

  const kept = await entries()
  assert.deepEqual(
    kept.map(({ action, after }) => [action, after?.role ?? null]),
    [
      ['postAdminUsers', 'sales'],
      ['patchAdminUsersUserId', 'content'],
      ['deleteAdminUsersUserId', null],
    ],
  )
  assert.ok(!JSON.stringify(kept).includes(PASSWORD))
})

test('what is refused is not entered', async () => {
  const { store, call, entries } = await owned()
  const { id } = await buildStaff(store, { role: 'sales' })

  await call(`PATCH /admin/users/${id}`, { role: 'owner' })
  await call('POST /admin/owner/transfer', { user_id: id, current_password: 'wrong password' })

  assert.deepEqual(await entries(), [])
})

test('the making of a token is entered, and the token is not', async () => {
  const { call, entries } = await owned()

  const { data } = await call('POST /admin/api-tokens', { name: 'Scanner', rights: ['refund'] })

  const [entry] = await entries()
  assert.deepEqual(
    { name: entry?.after?.name, rights: entry?.after?.rights },
    { name: 'Scanner', rights: ['refund'] },
  )
  assert.ok(!JSON.stringify(entry).includes(data.token))
})

test('what a token does is entered under its id', async () => {
  const { store } = await owned()
  const { id, token } = await buildApiToken(store, 'system:write')

  await request('PATCH /admin/settings', { token, body: { name: 'Renamed' } })

  const [entry] = await inStore(store.id, (tx) => tx.knex('audit_entries'))
  assert.partialDeepStrictEqual(entry, { actor_type: 'api_token', actor_id: id })
})

test('that the store changed hands, and its end, are entered', async () => {
  const { store, owner, call, entries } = await owned()
  const heir = await buildStaff(store, { role: 'administrator' })

  await call('POST /admin/owner/transfer', { user_id: heir.id, current_password: PASSWORD })
  await request(`DELETE /admin/stores/${store.id}`, { token: heir.token })

  const kept = await entries()
  assert.deepEqual(
    kept.map(({ action }) => action),
    ['postAdminOwnerTransfer', 'deleteAdminStoresStoreId'],
  )
  assert.deepEqual([kept[0]?.before?.id, kept[0]?.after?.id], [owner.id, heir.id])
})
