import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scanJson } from '#api/platform/input/json-scan.ts'
import { holdsAtMost, rejectHostileJson } from '#api/platform/input/text.ts'

const HOSTILE: Record<string, unknown> = {
  'a long list': Array.from({ length: 100_001 }, () => 0),
  'many lists': Array.from({ length: 400 }, () => Array.from({ length: 300 }, () => [])),
  'many objects': Array.from({ length: 100_001 }, () => ({})),
}

for (const [what, value] of Object.entries(HOSTILE))
  test(`JSON with ${what} throws, because it has more than 100,000 values`, () => {
    assert.throws(() => rejectHostileJson({ value }), /more than 100000 values/)
    assert.throws(() => scan(JSON.stringify(value)), /more than 100000 values/)
  })

/** Scans a text in small parts, as a connection may bring it. */
function scan(json: string): void {
  const push = scanJson()
  const bytes = Buffer.from(json)
  for (let from = 0; from < bytes.length; from += 7) push(bytes.subarray(from, from + 7))
}

test('JSON of 33 levels is refused before it is parsed, one of 32 levels is not', () => {
  assert.throws(() => scan('['.repeat(33)), /deeper than 32 levels/)
  assert.doesNotThrow(() => scan('['.repeat(32) + ']'.repeat(32)))
  assert.doesNotThrow(() => scan(`[${'[],'.repeat(99)}{}]`))
})

test('JSON of 5,001 different names is refused before it is parsed, one of 5,000 is not', () => {
  const fields = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ [`name ${n}`]: 'a:b', name: n }))

  assert.doesNotThrow(() => scan(JSON.stringify(fields(4_999))))
  assert.throws(() => scan(JSON.stringify(fields(5_000))), /more than 5000 different names/)
  assert.doesNotThrow(() => scan(JSON.stringify(Array.from({ length: 20_000 }, () => ({ a: 1, '"': 2 })))))
})

test('brackets, commas and escaped quotes within a text do not count as values or levels', () => {
  assert.doesNotThrow(() => scan(JSON.stringify({ '[{': `"\\"${'[,{'.repeat(100_000)}"` })))
})

test('JSON with a hundred thousand values is accepted', () => {
  const value = Array.from({ length: 99_999 }, () => 'text')

  assert.doesNotThrow(() => rejectHostileJson(value))
  assert.doesNotThrow(() => scan(JSON.stringify(value)))
})

test('holdsAtMost counts the values of every level, the outermost included', () => {
  const value = { a: [1, { b: null }], c: 'text' }

  assert.deepEqual({ six: holdsAtMost(6, value), five: holdsAtMost(5, value) }, { six: true, five: false })
})
