import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { newId } from '#shared/platform/db/id.ts'
import { PRESET_ROLES, RIGHTS } from '#shared/staff/rights.ts'
import { buildRole, buildStaff } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { stopClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'

const presets = Object.keys(PRESET_ROLES)

async function buildAdministrator() {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'administrator' })
  return { store, token }
}

test('the list shows the presets first, then the roles of the store', async () => {
  const { store, token } = await buildAdministrator()
  await buildRole(await buildStore(), { name: 'not-mine', rights: [] })
  await buildRole(store, { name: 'warehouse', rights: ['sales:read'] })

  const { data } = await request('GET /admin/roles', { token })

  assert.deepEqual(
    data.map((role: { name: string }) => role.name),
    [...presets, 'warehouse'],
  )
  assert.deepEqual(
    { first: data[0].id, firstIsPreset: data[0].is_preset, lastIsPreset: data.at(-1).is_preset },
    { first: 'owner', firstIsPreset: true, lastIsPreset: false },
  )
})

test('a role can be created, read, changed and deleted', async () => {
  const { token } = await buildAdministrator()

  const body = { name: 'warehouse', rights: ['sales:write', 'catalog:read'] }
  const made = await request('POST /admin/roles', { token, body })
  const path = `/admin/roles/${made.data.id}`
  const read = await request(`GET ${path}`, { token })
  const changed = await request(`PATCH ${path}`, { token, body: { rights: ['refund'] } })
  const deleted = await request(`DELETE ${path}`, { token })
  const gone = await request(`GET ${path}`, { token })

  assert.deepEqual(
    { status: made.status, rights: made.data.rights },
    { status: 201, rights: ['catalog:read', 'sales:write'] },
  )
  assert.deepEqual(
    { data: read.data, etag: read.headers.get('etag') },
    { data: made.data, etag: made.headers.get('etag') },
  )
  assert.deepEqual(
    { name: changed.data.name, rights: changed.data.rights },
    { name: 'warehouse', rights: ['refund'] },
  )
  assert.deepEqual(
    { deletedStatus: deleted.status, data: deleted.data, goneStatus: gone.status },
    { deletedStatus: 200, data: null, goneStatus: 404 },
  )
})

test('a change of rights applies from the next request', async () => {
  const { store, token } = await buildAdministrator()
  const role = await buildRole(store, { name: 'clerk', rights: ['users:read'] })
  const clerk = await buildStaff(store, { role: 'clerk' })
  const ask = async () => (await request('GET /admin/roles', { token: clerk.token })).status

  const before = await ask()
  await request(`PATCH /admin/roles/${role.id}`, { token, body: { rights: ['catalog:read'] } })

  assert.deepEqual({ before, after: await ask() }, { before: 200, after: 403 })
})

test('a renamed role stays assigned to its members', async () => {
  const { store, token } = await buildAdministrator()
  const role = await buildRole(store, { name: 'clerk', rights: ['users:read'] })
  const clerk = await buildStaff(store, { role: 'clerk' })

  const { data } = await request(`PATCH /admin/roles/${role.id}`, { token, body: { name: 'front-desk' } })
  const asked = await request('GET /admin/roles', { token: clerk.token })

  assert.deepEqual({ name: data.name, status: asked.status }, { name: 'front-desk', status: 200 })
})

test('a renamed role changes the ETag of its members within the same millisecond', async () => {
  stopClock()
  const { store, token } = await buildAdministrator()
  const role = await buildRole(store, { name: 'clerk', rights: [] })
  const clerk = await buildStaff(store, { role: 'clerk' })
  const read = () => request(`GET /admin/users/${clerk.id}`, { token })

  const before = await read()
  await request(`PATCH /admin/roles/${role.id}`, { token, body: { name: 'front-desk' } })
  const after = await read()

  assert.deepEqual(
    { before: before.data.role, after: after.data.role },
    { before: 'clerk', after: 'front-desk' },
  )
  assert.notEqual(after.headers.get('etag'), before.headers.get('etag'))
})

test('a role name of the store or of a preset returns role.name_taken, one of another store does not', async () => {
  const { store, token } = await buildAdministrator()
  await buildRole(await buildStore(), { name: 'elsewhere', rights: [] })
  await buildRole(store, { name: 'warehouse', rights: [] })
  const clerk = await buildRole(store, { name: 'clerk', rights: [] })
  const make = async (name: string) =>
    (await request('POST /admin/roles', { token, body: { name, rights: [] } })).error_code
  const rename = async (name: string) =>
    (await request(`PATCH /admin/roles/${clerk.id}`, { token, body: { name } })).error_code

  for (const name of [make, rename])
    assert.deepEqual(
      { ownRole: await name('warehouse'), preset: await name('sales') },
      { ownRole: 'role.name_taken', preset: 'role.name_taken' },
    )
  assert.equal(await make('elsewhere'), null)
})

test('the 101st role of a store returns role.limit_reached', async () => {
  const { store, token } = await buildAdministrator()
  for (let made = 0; made < 100; made += 1) await buildRole(store, { name: `role-${made}`, rights: [] })

  const refused = await request('POST /admin/roles', {
    token,
    body: { name: 'one-more', rights: ['catalog:read'] },
  })

  assert.partialDeepStrictEqual(refused, { status: 409, error_code: 'role.limit_reached' })
})

test('a role named like a property of every object works as any other', async () => {
  const { store, token } = await buildAdministrator()
  const { status } = await request('POST /admin/roles', { token, body: { name: 'constructor', rights: [] } })
  const withoutRights = await buildStaff(store, { role: 'constructor' })

  const refused = await request('GET /admin/roles', { token: withoutRights.token })
  const unknown = await request('GET /admin/roles/constructor', { token })

  assert.deepEqual(
    { status, error_code: refused.error_code, unknownStatus: unknown.status },
    { status: 201, error_code: 'auth.forbidden', unknownStatus: 404 },
  )
})

test('a preset can be read; a change or deletion returns 403', async () => {
  const { token } = await buildAdministrator()

  const read = await request('GET /admin/roles/analyst', { token })
  const changed = await request('PATCH /admin/roles/analyst', { token, body: { rights: [] } })
  const deleted = await request('DELETE /admin/roles/analyst', { token })

  assert.partialDeepStrictEqual(read.data, { id: 'analyst', rights: PRESET_ROLES.analyst })
  assert.deepEqual(
    {
      status: changed.status,
      changed_error_code: changed.error_code,
      deleted_error_code: deleted.error_code,
    },
    { status: 403, changed_error_code: 'role.preset_protected', deleted_error_code: 'role.preset_protected' },
  )
})

test('deletion of an assigned role returns 409 role.in_use', async () => {
  const { store, token } = await buildAdministrator()
  const role = await buildRole(store, { name: 'clerk', rights: [] })
  await buildStaff(store, { role: 'clerk' })

  const { status, error_code } = await request(`DELETE /admin/roles/${role.id}`, { token })

  assert.deepEqual({ status, error_code }, { status: 409, error_code: 'role.in_use' })
})

test('a role with rights that the caller lacks returns 403 user.privilege_escalation', async () => {
  const store = await buildStore()
  await buildRole(store, { name: 'hr', rights: ['users:read', 'users:write', 'catalog:read'] })
  const role = await buildRole(store, { name: 'cashier', rights: ['refund'] })
  const { token } = await buildStaff(store, { role: 'hr' })
  const make = async (rights: string[]) =>
    (await request('POST /admin/roles', { token, body: { name: `r-${rights.length}`, rights } })).error_code

  const path = `/admin/roles/${role.id}`
  const narrowed = await request(`PATCH ${path}`, { token, body: { rights: [] } })
  const deleted = await request(`DELETE ${path}`, { token })

  assert.deepEqual(
    { held: await make(['catalog:read']), wider: await make(['catalog:read', 'refund']) },
    { held: null, wider: 'user.privilege_escalation' },
  )
  assert.partialDeepStrictEqual(narrowed, { status: 403, error_code: 'user.privilege_escalation' })
  assert.equal(deleted.error_code, 'user.privilege_escalation')
})

test("a change that removes the last administrator's rights returns user.last_admin", async () => {
  const store = await buildStore()
  const role = await buildRole(store, { name: 'chief', rights: RIGHTS })
  const { token } = await buildStaff(store, { role: 'chief' })

  const { error_code } = await request(`PATCH /admin/roles/${role.id}`, { token, body: { rights: [] } })
  await buildStaff(store, { role: 'administrator' })
  const { status } = await request(`PATCH /admin/roles/${role.id}`, { token, body: { rights: [] } })

  assert.deepEqual({ error_code, status }, { error_code: 'user.last_admin', status: 200 })
})

test('a change with an outdated ETag returns 412 resource.changed', async () => {
  const { store, token } = await buildAdministrator()
  const { id } = await buildRole(store, { name: 'clerk', rights: [] })
  const change = (rights: string[], etag: string | null) =>
    request(`PATCH /admin/roles/${id}`, { token, body: { rights }, headers: { 'If-Match': etag ?? '' } })

  const etag = (await request(`GET /admin/roles/${id}`, { token })).headers.get('etag')
  const first = await change(['refund'], etag)
  const second = await change([], etag)

  assert.deepEqual(
    { firstStatus: first.status, secondStatus: second.status, error_code: second.error_code },
    { firstStatus: 200, secondStatus: 412, error_code: 'resource.changed' },
  )
})

test("an unknown role and another store's role return 404", async () => {
  const { token } = await buildAdministrator()
  const { id } = await buildRole(await buildStore(), { name: 'clerk', rights: [] })

  const statuses = [
    (await request(`GET /admin/roles/${id}`, { token })).status,
    (await request(`PATCH /admin/roles/${id}`, { token, body: { rights: [] } })).status,
    (await request(`DELETE /admin/roles/${id}`, { token })).status,
    (await request(`GET /admin/roles/${newId()}`, { token })).status,
    (await request('GET /admin/roles/no-such-role', { token })).status,
  ]

  assert.deepEqual(statuses, [404, 404, 404, 404, 404])
})

test('an invalid name or invalid rights return the fault', async () => {
  const { token } = await buildAdministrator()
  const make = async (body: object) =>
    (await request('POST /admin/roles', { token, body })).detail?.map((fault: { type: string }) => fault.type)

  for (const name of ['', 'Warehouse', 'a b', '-a', 'a--b', 'a'.repeat(41)])
    assert.ok(await make({ name, rights: [] }), name)
  assert.deepEqual(await make({ name: 'a', rights: ['everything'] }), ['enum'])
  assert.ok(await make({ name: 'a', rights: ['refund', 'refund'] }))
  assert.deepEqual(await make({ name: 'a' }), ['missing'])
})
