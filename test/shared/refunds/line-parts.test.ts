import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sum } from '#shared/platform/money.ts'
import { paidByLine, partOfLine } from '#shared/refunds/line-parts.ts'

const line = (lineTotalMinor: bigint, quantity = 1, refundedQuantity = 0) => ({
  lineTotalMinor,
  quantity,
  refundedQuantity,
})

const SHARED: [why: string, goods: bigint, lines: bigint[], paid: bigint[]][] = [
  ['nothing taken off', 3_000n, [1_000n, 2_000n], [1_000n, 2_000n]],
  ['a tenth off', 2_700n, [1_000n, 2_000n], [900n, 1_800n]],
  ['a cent that does not divide', 100n, [1n, 1n, 1n], [33n, 34n, 33n]],
  ['tax on top', 3_570n, [1_000n, 2_000n], [1_190n, 2_380n]],
  ['a line for free', 1_000n, [0n, 1_000n], [0n, 1_000n]],
  ['all for free', 0n, [0n, 0n], [0n, 0n]],
]

for (const [why, goods, lines, paid] of SHARED)
  test(`what was paid is shared out by price: ${why}`, () => {
    assert.deepEqual(
      paidByLine(
        goods,
        lines.map((total) => line(total)),
      ),
      paid,
    )
  })

test('three units for 1.00 bring back 0.33, 0.34 and 0.33', () => {
  const parts = [0, 1, 2].map((refunded) => partOfLine(100n, line(100n, 3, refunded), 1))

  assert.deepEqual(parts, [33n, 34n, 33n])
})

test('whatever was paid, the lines sum to it', () => {
  const prices = fc.array(fc.bigInt(0n, 10n ** 9n), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(prices, fc.bigInt(0n, 10n ** 10n), (totals, goods) => {
      const paid = paidByLine(
        goods,
        totals.map((total) => line(total)),
      )
      assert.equal(sum(paid), totals.some((total) => total > 0n) ? goods : 0n)
      assert.ok(paid.every((part) => part >= 0n))
    }),
  )
})

test('in whatever pieces a line goes back, it brings back what it cost', () => {
  const pieces = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(pieces, fc.bigInt(0n, 10n ** 9n), (counts, paid) => {
      const quantity = counts.reduce((total, count) => total + count, 0)
      let refunded = 0
      const parts = counts.map((count) => {
        const part = partOfLine(paid, line(paid, quantity, refunded), count)
        refunded += count
        return part
      })
      assert.equal(sum(parts), paid)
    }),
  )
})
