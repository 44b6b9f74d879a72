import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { buildRole, buildStaff, PASSWORD } from '#test/support/builders/accounts.ts'
import { buildAdministrator, newcomer } from '#test/support/builders/administrator.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { request } from '#test/support/processes/app.ts'

test("only the owner changes the owner's account; nobody deactivates, demotes or removes it", async () => {
  const { store, as } = await buildAdministrator()
  const owner = await buildStaff(store, { role: 'owner' })
  const path = `/admin/users/${owner.id}`
  const byOwner = (line: string, body?: object) =>
    request(line, { token: owner.token, ...(body ? { body } : {}) })

  const refused = [
    await as(`PATCH ${path}`, { body: { is_active: false } }),
    await as(`PATCH ${path}`, { body: { role: 'sales' } }),
    await as(`PATCH ${path}`, { body: { email: 'mine@example.test' } }),
    await as(`POST ${path}/sessions/revoke`),
    await as(`DELETE ${path}`),
    await byOwner(`PATCH ${path}`, { is_active: false }),
    await byOwner(`PATCH ${path}`, { role: 'administrator' }),
    await byOwner(`DELETE ${path}`),
  ]
  const renamed = await byOwner(`PATCH ${path}`, { firstname: 'Mary', role: 'owner' })

  for (const { status, error_code } of refused)
    assert.deepEqual({ status, error_code }, { status: 403, error_code: 'user.owner_protected' })
  assert.deepEqual(
    { status: renamed.status, firstname: renamed.data.firstname, is_owner: renamed.data.is_owner },
    { status: 200, firstname: 'Mary', is_owner: true },
  )
})

test('the owner who is the only administrator cannot leave: 409 user.last_admin', async () => {
  const store = await buildStore()
  const owner = await buildStaff(store, { role: 'owner' })
  const path = `/admin/users/${owner.id}`
  const ask = (line: string, body?: object) =>
    request(line, { token: owner.token, ...(body ? { body } : {}) })

  const last = [
    await ask(`PATCH ${path}`, { is_active: false }),
    await ask(`PATCH ${path}`, { role: 'sales' }),
    await ask(`DELETE ${path}`),
  ]
  const promoted = await ask(`PATCH ${path}`, { role: 'administrator' })

  for (const { status, error_code } of last)
    assert.deepEqual({ status, error_code }, { status: 409, error_code: 'user.last_admin' })
  assert.deepEqual(
    { status: promoted.status, error_code: promoted.error_code },
    { status: 403, error_code: 'user.owner_protected' },
  )
})

test('the owner role cannot be assigned', async () => {
  const { store, as } = await buildAdministrator('owner')
  const { id } = await buildStaff(store, { role: 'sales' })

  const created = await as('POST /admin/users', {
    body: { ...newcomer(), role: 'owner', password: PASSWORD },
  })
  const changed = await as(`PATCH /admin/users/${id}`, { body: { role: 'owner' } })

  assert.deepEqual(
    { created: created.error_code, changed: changed.error_code },
    { created: 'user.owner_protected', changed: 'user.owner_protected' },
  )
})

test('a role or account with rights that the caller lacks returns 403 user.privilege_escalation', async () => {
  const { store, me, as } = await buildAdministrator()
  await buildRole(store, {
    name: 'people',
    rights: ['users:read', 'users:write', 'catalog:read', 'catalog:write'],
  })
  const lead = await buildStaff(store, { role: 'people' })
  const clerk = await buildStaff(store, { role: 'catalog' })
  await buildStaff(store, { role: 'owner' })
  const byLead = (line: string, body: object) => request(line, { token: lead.token, body })

  const allowed = await byLead('POST /admin/users', { ...newcomer(), role: 'catalog', password: PASSWORD })
  const refused = [
    await byLead('POST /admin/users', { ...newcomer(), role: 'administrator', password: PASSWORD }),
    await byLead(`PATCH /admin/users/${clerk.id}`, { role: 'sales' }),
    await byLead(`PATCH /admin/users/${lead.id}`, { role: 'administrator' }),
    await byLead(`PATCH /admin/users/${me.id}`, { email: 'taken-over@example.test' }),
    await byLead(`PATCH /admin/users/${me.id}`, { role: 'catalog' }),
    await byLead(`PATCH /admin/users/${me.id}`, { is_active: false }),
    await request(`POST /admin/users/${me.id}/sessions/revoke`, { token: lead.token }),
    await request(`DELETE /admin/users/${me.id}`, { token: lead.token }),
  ]

  assert.equal(allowed.status, 201)
  for (const { status, error_code } of refused)
    assert.deepEqual({ status, error_code }, { status: 403, error_code: 'user.privilege_escalation' })
  assert.equal((await as('GET /admin/users')).status, 200)
})

test('deactivation, demotion or removal of the last administrator returns 409 user.last_admin', async () => {
  const { store, me, as } = await buildAdministrator()
  const path = `/admin/users/${me.id}`
  const last = [
    await as(`PATCH ${path}`, { body: { is_active: false } }),
    await as(`PATCH ${path}`, { body: { role: 'sales' } }),
    await as(`DELETE ${path}`),
  ]
  await buildStaff(store, { role: 'administrator' })
  const left = await as(`DELETE ${path}`)

  for (const { status, error_code } of last)
    assert.deepEqual({ status, error_code }, { status: 409, error_code: 'user.last_admin' })
  assert.equal(left.status, 200)
})

test('inactive administrators and those of another store do not count as administrators', async () => {
  const { store, me, as } = await buildAdministrator()
  await buildStaff(await buildStore(), { role: 'administrator' })
  const off = await buildStaff(store, { role: 'administrator' })
  await as(`PATCH /admin/users/${off.id}`, { body: { is_active: false } })

  assert.equal((await as(`DELETE /admin/users/${me.id}`)).error_code, 'user.last_admin')
  assert.equal((await as(`DELETE /admin/users/${off.id}`)).status, 200)
})
