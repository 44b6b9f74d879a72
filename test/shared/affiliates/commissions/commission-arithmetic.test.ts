import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  commissionOf,
  goodsOf,
  refundedGoodsMinor,
  reversedOf,
  unpaidGoodsMinor,
} from '#shared/affiliates/commissions/commission-arithmetic.ts'

const line = (totalMinor: bigint, taxMinor = 0n, variantId: string | null = 'variant') => ({
  variantId,
  totalMinor,
  taxMinor,
})

test('goods are net of tax, without bought vouchers', () => {
  assert.deepEqual(goodsOf([line(1_190n, 190n), line(595n, 95n), line(5_000n, 0n, null)]), {
    netMinor: 1_500n,
    totalMinor: 1_785n,
  })
})

test('a commission is rounded half away from zero', () => {
  const of = (netMinor: bigint, basisPoints: number) =>
    commissionOf({ netMinor, totalMinor: netMinor }, basisPoints)
  assert.equal(of(1_000n, 500), 50n)
  assert.equal(of(10n, 500), 1n)
  assert.equal(of(9n, 500), 0n)
  assert.equal(of(999n, 0), 0n)
  assert.equal(of(999n, 10_000), 999n)
})

const order = (capturedMinor: bigint, refundedMinor: bigint, shippingTotalMinor = 500n) => ({
  amountCapturedMinor: capturedMinor,
  refundableMinor: capturedMinor - refundedMinor,
  shippingTotalMinor,
})
const GOODS = { netMinor: 2_000n, totalMinor: 2_000n }
const refunded = (goodsMinor: bigint, unnamedMinor = 0n) => ({ goodsMinor, unnamedMinor })

test('units reverse their price, shipping reverses nothing, and a sum reverses its share of the goods', () => {
  assert.equal(refundedGoodsMinor(order(2_500n, 1_000n), GOODS, [refunded(1_000n)]), 1_000n)
  assert.equal(refundedGoodsMinor(order(2_500n, 500n), GOODS, [refunded(0n)]), 0n)
  assert.equal(refundedGoodsMinor(order(2_500n, 1_000n), GOODS, [refunded(0n, 1_000n)]), 800n)
  assert.equal(refundedGoodsMinor(order(2_500n, 2_500n), GOODS, [refunded(0n, 2_500n)]), 2_000n)
})

test('goods bear an unpaid amount in proportion to their part of the order, with shipping and bought vouchers', () => {
  assert.equal(unpaidGoodsMinor({ totalMinor: 2_500n }, GOODS, 1_250n), 1_000n)
  assert.equal(unpaidGoodsMinor({ totalMinor: 12_500n }, GOODS, 6_250n), 1_000n)
  assert.equal(unpaidGoodsMinor({ totalMinor: 0n }, { netMinor: 0n, totalMinor: 0n }, 0n), 0n)
})

const amount = fc.bigInt({ min: 0n, max: 10_000_000n })

test('each further refund reverses more of the commission, up to all of it', () => {
  const goods = fc.record({
    net: amount,
    tax: amount,
    basisPoints: fc.integer({ min: 0, max: 10_000 }),
    parts: fc.array(amount),
  })
  fc.assert(
    fc.property(goods, ({ net, tax, basisPoints, parts }) => {
      const of = { netMinor: net, totalMinor: net + tax }
      const commission = commissionOf(of, basisPoints)
      let [before, sum] = [0n, 0n]
      for (const part of parts) {
        sum = sum + part < of.totalMinor ? sum + part : of.totalMinor
        const reversed = reversedOf(commission, of, sum)
        assert.ok(reversed >= before && reversed <= commission)
        before = reversed
      }
      assert.equal(reversedOf(commission, of, of.totalMinor), of.totalMinor === 0n ? 0n : commission)
    }),
  )
})
