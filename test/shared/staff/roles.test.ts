import assert from 'node:assert/strict'
import { test } from 'node:test'
import { holds, isAdmin, PRESET_ROLES, RIGHTS, rightsOf } from '#shared/staff/roles.ts'

test('each preset role holds rights that there are, each once', () => {
  for (const [name, rights] of Object.entries(PRESET_ROLES)) {
    assert.equal(new Set(rights).size, rights.length, name)
    assert.ok(
      rights.every((right) => RIGHTS.includes(right)),
      name,
    )
  }
})

test('whoever may write an area may read it', () => {
  for (const [name, rights] of Object.entries(PRESET_ROLES))
    for (const right of rights.filter((one) => one.endsWith(':write')))
      assert.ok(rights.includes(right.replace('write', 'read') as never), `${name} ${right}`)
})

test('a name that every object knows is a role without rights', () => {
  for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty', ''])
    assert.deepEqual(rightsOf(name), [])
})

test("a store's own rights count for its own roles, and for no preset", () => {
  assert.deepEqual(rightsOf('warehouse', ['refund', 'sales:read']), ['sales:read', 'refund'])
  assert.deepEqual(rightsOf('content', ['refund']), PRESET_ROLES.content)
})

test('a kept right that the service no longer knows counts for nothing', () => {
  assert.deepEqual(rightsOf('warehouse', ['rockets:launch', 'sales:read']), ['sales:read'])
})

test('an administrator is who holds all rights', () => {
  const admins = Object.keys(PRESET_ROLES).filter((name) => isAdmin({ rights: rightsOf(name) }))

  assert.deepEqual(admins, ['owner', 'administrator'])
  assert.ok(holds({ rights: rightsOf('sales') }, ['sales:read', 'customers:write']))
  assert.ok(!holds({ rights: rightsOf('sales') }, ['sales:read', 'refund']))
})
