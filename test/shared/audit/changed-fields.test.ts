import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changedFields } from '#shared/audit/changed-fields.ts'

test('equal fields are left out at any depth', () => {
  const before = { slug: 'stool', price: 10, seo: { title: 'A', text: 'x' } }
  const after = { slug: 'stool', price: 12, seo: { title: 'B', text: 'x' } }

  assert.deepEqual(changedFields({ before, after }), {
    before: { price: 10, seo: { title: 'A' } },
    after: { price: 12, seo: { title: 'B' } },
  })
})

test('an added field is only in `after`, a removed one only in `before`', () => {
  assert.deepEqual(changedFields({ before: { a: 1 }, after: { b: 2 } }), {
    before: { a: 1 },
    after: { b: 2 },
  })
})

test('the order of fields is no change', () => {
  assert.deepEqual(changedFields({ before: { a: 1, b: 2 }, after: { b: 2, a: 1 } }), {
    before: {},
    after: {},
  })
})

test('an item with an id keeps the id and its changed fields', () => {
  const before = [
    { id: 'a', price: 1, sku: 'A' },
    { id: 'b', price: 2, sku: 'B' },
    { id: 'c', price: 3, sku: 'C' },
  ]
  const after = [
    { id: 'b', price: 2, sku: 'B' },
    { id: 'a', price: 9, sku: 'A' },
    { id: 'd', price: 4 },
  ]

  assert.deepEqual(changedFields({ before, after }), {
    before: [
      { id: 'a', price: 1 },
      { id: 'c', price: 3, sku: 'C' },
    ],
    after: [
      { id: 'a', price: 9 },
      { id: 'd', price: 4 },
    ],
  })
})

test('items without ids that only one side has remain, with their repeats', () => {
  assert.deepEqual(changedFields({ before: ['x', 'x', 'y'], after: ['x', 'z'] }), {
    before: ['x', 'y'],
    after: ['z'],
  })
})

test('another order of the same items shows both orders', () => {
  const [first, second] = [
    { id: 'a', url: 'https://a' },
    { id: 'b', url: 'https://b' },
  ]

  assert.deepEqual(changedFields({ before: [first, second], after: [second, first] }), {
    before: [{ id: 'a' }, { id: 'b' }],
    after: [{ id: 'b' }, { id: 'a' }],
  })
  assert.deepEqual(changedFields({ before: ['x', 'y'], after: ['y', 'x'] }), {
    before: ['x', 'y'],
    after: ['y', 'x'],
  })
})

test('a created or deleted resource has all its fields', () => {
  assert.deepEqual(changedFields({ before: null, after: { a: 1 } }), { before: null, after: { a: 1 } })
  assert.deepEqual(changedFields({ before: [1], after: null }), { before: [1], after: null })
})
