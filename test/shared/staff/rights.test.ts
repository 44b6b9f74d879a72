import assert from 'node:assert/strict'
import { test } from 'node:test'
import { holds, isAdmin, PRESET_ROLES, RIGHTS, rightsOf } from '#shared/staff/rights.ts'

test('each preset role holds known rights, each once', () => {
  for (const [name, rights] of Object.entries(PRESET_ROLES)) {
    assert.equal(new Set(rights).size, rights.length, name)
    assert.ok(
      rights.every((right) => RIGHTS.includes(right)),
      name,
    )
  }
})

test('a preset role with a write right has the read right of the area', () => {
  for (const [name, rights] of Object.entries(PRESET_ROLES))
    for (const right of rights.filter((one) => one.endsWith(':write')))
      assert.ok(rights.includes(right.replace('write', 'read') as never), `${name} ${right}`)
})

test('a role named like a property of every object has no rights', () => {
  for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty', ''])
    assert.deepEqual(rightsOf(name), [])
})

test('custom rights apply to custom roles and not to presets', () => {
  assert.deepEqual(rightsOf('warehouse', ['refund', 'sales:read']), ['sales:read', 'refund'])
  assert.deepEqual(rightsOf('content', ['refund']), PRESET_ROLES.content)
})

test('a stored right that is unknown is ignored', () => {
  assert.deepEqual(rightsOf('warehouse', ['rockets:launch', 'sales:read']), ['sales:read'])
})

test('only roles with all rights are administrators', () => {
  const admins = Object.keys(PRESET_ROLES).filter((name) => isAdmin({ rights: rightsOf(name) }))

  assert.deepEqual(admins, ['owner', 'administrator'])
  assert.ok(holds({ rights: rightsOf('sales') }, ['sales:read', 'customers:write']))
  assert.ok(!holds({ rights: rightsOf('sales') }, ['sales:read', 'refund']))
})
