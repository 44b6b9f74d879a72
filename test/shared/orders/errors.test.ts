import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StockErrors } from '#shared/orders/errors.ts'

test('an error about many lines names ten of them and the number of the others', () => {
  const lines = Array.from({ length: 12 }, (_, n) => ({
    name: `Cup ${n + 1}`,
    sku: `CUP-${n + 1}`,
    quantity: 2,
    available: 1,
  }))

  const { message } = StockErrors.insufficientStock({ lines })

  assert.match(message, /Cup 10 \(CUP-10\): 1 of 2\. And 2 more lines\.$/)
  assert.doesNotMatch(message, /Cup 11/)
})
