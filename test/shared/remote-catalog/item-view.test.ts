import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isKnownUnit } from '#shared/remote-catalog/is-known-unit.ts'
import { parseVat } from '#shared/remote-catalog/remote-item.ts'

test('a VAT percent is read in parts per million, as tax rates are kept', () => {
  const texts = ['19', '19.00', ' 7.5 ', '0', '100', '5.5 %', '19,0', '-1', '101', '1e1', '', 'VAT 19']

  assert.deepEqual(texts.map(parseVat), [
    ...[190_000, 190_000, 75_000, 0, 1_000_000, 55_000],
    ...[null, null, null, null, null, null],
  ])
})

test('a unit is recognized by symbol, name or code, in any letter case', () => {
  assert.deepEqual(
    ['pcs', 'Kg', 'KGM', 'm²', ' Pair ', 'st.', 'fl oz'].filter((unit) => !isKnownUnit(unit)),
    [],
  )
  assert.deepEqual(['', 'fathom', 'kgs!', 'constructor'].filter(isKnownUnit), [])
})
