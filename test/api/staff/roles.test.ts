import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { newId } from '#shared/platform/db/id.ts'
import { PRESET_ROLES, RIGHTS } from '#shared/staff/roles.ts'
import { request } from '#test/support/app.ts'
import { buildStore } from '#test/support/build.ts'
import { buildRole, buildStaff } from '#test/support/build-accounts.ts'
import { stopClock } from '#test/support/clock.ts'

const presets = Object.keys(PRESET_ROLES)

async function administered() {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'administrator' })
  return { store, token }
}

test('the presets are listed first, then the roles of the store', async () => {
  const { store, token } = await administered()
  await buildRole(await buildStore(), { name: 'not-mine', rights: [] })
  await buildRole(store, { name: 'warehouse', rights: ['sales:read'] })

  const { data } = await request('GET /admin/roles', { token })

  assert.deepEqual(
    data.map((role: { name: string }) => role.name),
    [...presets, 'warehouse'],
  )
  assert.deepEqual([data[0].id, data[0].is_preset, data.at(-1).is_preset], ['owner', true, false])
})

test('a role is made, read, changed and deleted', async () => {
  const { token } = await administered()

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

test('a change of rights holds from the next request on', async () => {
  const { store, token } = await administered()
  const role = await buildRole(store, { name: 'clerk', rights: ['users:read'] })
  const clerk = await buildStaff(store, { role: 'clerk' })
  const ask = async () => (await request('GET /admin/roles', { token: clerk.token })).status

  const before = await ask()
  await request(`PATCH /admin/roles/${role.id}`, { token, body: { rights: ['catalog:read'] } })

  assert.deepEqual([before, await ask()], [200, 403])
})

test('those who have a role keep it under its new name', async () => {
  const { store, token } = await administered()
  const role = await buildRole(store, { name: 'clerk', rights: ['users:read'] })
  const clerk = await buildStaff(store, { role: 'clerk' })

  const { data } = await request(`PATCH /admin/roles/${role.id}`, { token, body: { name: 'front-desk' } })
  const asked = await request('GET /admin/roles', { token: clerk.token })

  assert.deepEqual({ name: data.name, status: asked.status }, { name: 'front-desk', status: 200 })
})

test('a new name of a role is a change of those who have it, within a millisecond too', async () => {
  stopClock()
  const { store, token } = await administered()
  const role = await buildRole(store, { name: 'clerk', rights: [] })
  const clerk = await buildStaff(store, { role: 'clerk' })
  const read = () => request(`GET /admin/users/${clerk.id}`, { token })

  const before = await read()
  await request(`PATCH /admin/roles/${role.id}`, { token, body: { name: 'front-desk' } })
  const after = await read()

  assert.deepEqual([before.data.role, after.data.role], ['clerk', 'front-desk'])
  assert.notEqual(after.headers.get('etag'), before.headers.get('etag'))
})

test('a name is taken once in a store, and the names of presets always are', async () => {
  const { store, token } = await administered()
  await buildRole(await buildStore(), { name: 'elsewhere', rights: [] })
  await buildRole(store, { name: 'warehouse', rights: [] })
  const make = async (name: string) =>
    (await request('POST /admin/roles', { token, body: { name, rights: [] } })).error_code

  assert.deepEqual(
    [await make('warehouse'), await make('sales'), await make('elsewhere')],
    ['role.name_taken', 'role.name_taken', null],
  )
})

test('a name that every JavaScript object knows is a name like any other', async () => {
  const { store, token } = await administered()
  const { status } = await request('POST /admin/roles', { token, body: { name: 'constructor', rights: [] } })
  const nobody = await buildStaff(store, { role: 'constructor' })

  const refused = await request('GET /admin/roles', { token: nobody.token })
  const unknown = await request('GET /admin/roles/constructor', { token })

  assert.deepEqual(
    { status, error_code: refused.error_code, unknownStatus: unknown.status },
    { status: 201, error_code: 'auth.forbidden', unknownStatus: 404 },
  )
})

test('presets are read, and never changed or deleted', async () => {
  const { token } = await administered()

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

test('a role that someone has is not deleted', async () => {
  const { store, token } = await administered()
  const role = await buildRole(store, { name: 'clerk', rights: [] })
  await buildStaff(store, { role: 'clerk' })

  const { status, error_code } = await request(`DELETE /admin/roles/${role.id}`, { token })

  assert.deepEqual({ status, error_code }, { status: 409, error_code: 'role.in_use' })
})

test('nobody makes a role that holds more than they do, nor changes or deletes one', async () => {
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
    [await make(['catalog:read']), await make(['catalog:read', 'refund'])],
    [null, 'user.privilege_escalation'],
  )
  assert.partialDeepStrictEqual(narrowed, { status: 403, error_code: 'user.privilege_escalation' })
  assert.equal(deleted.error_code, 'user.privilege_escalation')
})

test("nobody widens their own role beyond what they hold, or takes the last administrators' rights", async () => {
  const store = await buildStore()
  const role = await buildRole(store, { name: 'chief', rights: RIGHTS })
  const { token } = await buildStaff(store, { role: 'chief' })

  const { error_code } = await request(`PATCH /admin/roles/${role.id}`, { token, body: { rights: [] } })
  await buildStaff(store, { role: 'administrator' })
  const { status } = await request(`PATCH /admin/roles/${role.id}`, { token, body: { rights: [] } })

  assert.deepEqual({ error_code, status }, { error_code: 'user.last_admin', status: 200 })
})

test('a change of what was read before someone else changed it is refused', async () => {
  const { store, token } = await administered()
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

test("another store's role is not there", async () => {
  const { token } = await administered()
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

test('names and rights are checked', async () => {
  const { token } = await administered()
  const make = async (body: object) =>
    (await request('POST /admin/roles', { token, body })).detail?.map((fault: { type: string }) => fault.type)

  for (const name of ['', 'Warehouse', 'a b', '-a', 'a--b', 'a'.repeat(41)])
    assert.ok(await make({ name, rights: [] }), name)
  assert.deepEqual(await make({ name: 'a', rights: ['everything'] }), ['enum'])
  assert.ok(await make({ name: 'a', rights: ['refund', 'refund'] }))
  assert.deepEqual(await make({ name: 'a' }), ['missing'])
})
