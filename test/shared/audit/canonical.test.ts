import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonical } from '#shared/audit/canonical.ts'

test('the same value has one text, whatever order its members came in', () => {
  assert.equal(canonical({ b: [1, { d: null, c: 'x' }], a: true }), '{"a":true,"b":[1,{"c":"x","d":null}]}')
  assert.equal(canonical({ a: 1, b: 2 }), canonical({ b: 2, a: 1 }))
})

test('different values have different texts', () => {
  const values = [null, '', 'null', 0, false, [], {}, [null], { a: null }, ['a', 'b'], ['a,b'], { a: 'b' }]

  assert.equal(new Set(values.map(canonical)).size, values.length)
})
