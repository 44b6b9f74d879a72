import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mapColumns } from '#shared/imports/file/match-header.ts'

const NAMES = { name: 'name', price: 'price' } as const

test('a mapping names the first of two columns with one name', () => {
  assert.deepEqual(mapColumns(['Titel', 'Preis', ' preis '], { Preis: 'price', titel: 'name' }, NAMES), {
    name: 0,
    price: 1,
  })
})

test('a mapping of many columns of a wide file reads each column a few times', (t) => {
  const [columns, mapped] = [5_000, 800]
  const cells = Array.from({ length: columns }, (_, n) => `column ${n}`)
  const mapping = Object.fromEntries(cells.slice(-mapped).map((cell) => [cell, 'price']))
  const trim = t.mock.method(String.prototype, 'trim')

  assert.deepEqual(mapColumns(cells, mapping, NAMES), { price: columns - 1 })

  assert.ok(trim.mock.callCount() < 4 * columns, `${trim.mock.callCount()} times`)
})
