import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readWooColumns } from '#shared/catalog/import/woocommerce/woo-header.ts'

test('at most 100 attributes of a file are read', () => {
  const names = Array.from({ length: 200 }, (_, i) => [`Attribute ${i} name`, `Attribute ${i} value(s)`])

  assert.equal(readWooColumns(names.flat()).attributes.length, 100)
})
