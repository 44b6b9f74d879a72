import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slugCandidates, slugify } from '#shared/catalog/slug.ts'
import { longestTurn, MAX_BLOCKED_MS } from '#test/support/measure/thread-cpu.ts'

const CASES: [string, string][] = [
  ['Keel Rain Jacket', 'keel-rain-jacket'],
  ['  --Étui für 2 Gläser!  ', 'etui-fur-2-glaser'],
  ['Straße & Øre', 'strasse-ore'],
  ['50 % off', '50-off'],
  ['茶碗', ''],
  ['x'.repeat(300), 'x'.repeat(180)],
  [`${'x'.repeat(179)} yz`, 'x'.repeat(179)],
]

for (const [name, slug] of CASES)
  test(`the slug of "${name.slice(0, 30)}" is "${slug.slice(0, 30)}"`, () => {
    assert.equal(slugify(name), slug)
  })

test('the second slug candidate is unique', () => {
  const [plain, certain] = slugCandidates('Mug')

  assert.equal(plain, 'mug')
  assert.match(certain, /^mug-[0-9a-f]{8}$/)
})

// A file can have thousands of rows whose SKU is made of such a text, and a worker reads the rows of a product at once.
test('slugs of letters with a thousand marks do not block the event loop', async () => {
  const marks = `a${'\u0344'.repeat(500)}${'\u0316'.repeat(500)}`

  const ms = await longestTurn(async () => {
    for (let n = 0; n < 200; n++) assert.equal(slugify(marks), 'a')
  })

  // It took 350 ms.
  assert.ok(ms <= MAX_BLOCKED_MS, `${ms} ms`)
})
