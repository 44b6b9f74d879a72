import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slugCandidates, slugify } from '#shared/catalog/slug.ts'

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
