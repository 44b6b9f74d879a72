import assert from 'node:assert/strict'
import { test } from 'node:test'
import { holdsAtMost, rejectHostileJson } from '#api/platform/input/text.ts'

const HOSTILE: Record<string, unknown> = {
  'a long list': Array.from({ length: 100_001 }, () => 0),
  'many lists': Array.from({ length: 400 }, () => Array.from({ length: 300 }, () => [])),
  'many fields': Object.fromEntries(Array.from({ length: 100_001 }, (_, i) => [`x${i}`, 0])),
}

for (const [what, value] of Object.entries(HOSTILE))
  test(`JSON with ${what} is refused for its number of values`, () => {
    assert.throws(() => rejectHostileJson({ value }), /more than 100000 values/)
  })

test('JSON with a hundred thousand values is accepted', () => {
  assert.doesNotThrow(() => rejectHostileJson(Array.from({ length: 99_999 }, () => 'text')))
})

test('values are counted at every level, the outermost included', () => {
  const value = { a: [1, { b: null }], c: 'text' }

  assert.deepEqual({ six: holdsAtMost(6, value), five: holdsAtMost(5, value) }, { six: true, five: false })
})
