import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Order } from '#shared/orders/order.ts'
import { OrderItem } from '#shared/orders/order-item.ts'
import { cardStepMinor, roundForCard } from '#shared/payment-methods/card-rules.ts'
import { Payment } from '#shared/payments/payment.ts'
import { CodedError } from '#shared/platform/errors.ts'
import { smaller, sum } from '#shared/platform/money.ts'
import { ValidationError } from '#shared/platform/validation.ts'
import { calculateRefund } from '#shared/refunds/calculate/calculate-refund.ts'
import { calculateRemainder } from '#shared/refunds/calculate/calculate-remainder.ts'
import type { RefundRequest } from '#shared/refunds/calculate/refund-request.ts'
import { type RefundSource, splitBySource } from '#shared/refunds/calculate/refund-source.ts'
import { roundForGateway } from '#shared/refunds/calculate/round-for-gateway.ts'

/** A paid order in memory, with what each source has left. */
function paidOrder(given: {
  currency: string
  lines: { totalMinor: bigint; quantity: number }[]
  shippingMinor?: bigint
  balanceMinor?: bigint
}) {
  const { currency, shippingMinor = 0n, balanceMinor = 0n } = given
  const exactMinor = sum(given.lines.map(({ totalMinor }) => totalMinor)) + shippingMinor
  const voucherMinor = smaller(balanceMinor, exactMinor)
  const chargeMinor = roundForCard(exactMinor - voucherMinor, currency)
  const totalMinor = chargeMinor + voucherMinor
  const order = Object.assign(new Order(), {
    currency,
    pricesIncludeTax: false,
    shippingMinor,
    shippingTaxMinor: 0n,
    voucherMinor,
    totalMinor,
    roundingMinor: totalMinor - exactMinor,
    amountCapturedMinor: totalMinor,
    amountRefundedMinor: 0n,
  })
  const lines = given.lines.map((line, index) =>
    Object.assign(new OrderItem(), {
      id: `line-${index}`,
      quantity: line.quantity,
      refundedQuantity: 0,
      name: 'Mug',
      totalMinor: line.totalMinor,
    }),
  )
  return {
    order,
    lines,
    replaced: new Map(),
    vouchers: [],
    inProgress: [],
    inProgressMinor: 0n,
    unitsInProgress: new Map(),
    refundedPrices: new Map<string, bigint>(),
    shippingRefundedMinor: 0n,
    gatewayMinor: chargeMinor,
    voucherMinor,
    roundingMinor: 0n,
  }
}

type Paid = ReturnType<typeof paidOrder>

function sourceOf(
  { order, gatewayMinor, voucherMinor, roundingMinor }: Paid,
  asCredit: boolean,
): RefundSource {
  const { refundableMinor } = order
  const known = { payment: new Payment(), steppedMinor: gatewayMinor, roundingMinor }
  if (asCredit)
    return {
      ...known,
      gatewayMinor: 0n,
      offlineMinor: refundableMinor,
      voucherMinor: 0n,
      maxMinor: refundableMinor,
    }
  const largestMinor = smaller(gatewayMinor + voucherMinor, refundableMinor)
  return { ...known, gatewayMinor, offlineMinor: 0n, voucherMinor, maxMinor: largestMinor }
}

/** Applies a refund as `requestRefund` calculates it. Returns its parts; null when it is refused. */
function refund(paid: Paid, parts: RefundRequest | 'remainder', asCredit = false) {
  const draft = parts === 'remainder' ? calculateRemainder(paid) : calculateRefund(paid, parts)
  const source = sourceOf(paid, asCredit)
  const rounded = roundForGateway(paid.order, source, draft)
  if (rounded.amountMinor === 0n || rounded.amountMinor > source.maxMinor) return null
  const { gatewayAmountMinor, voucherAmountMinor } = splitBySource(
    source,
    rounded.amountMinor,
    paid.order.currency,
  )
  paid.order.amountRefundedMinor += rounded.amountMinor
  paid.gatewayMinor -= gatewayAmountMinor
  paid.voucherMinor -= voucherAmountMinor
  paid.roundingMinor += rounded.roundingMinor
  paid.shippingRefundedMinor += draft.shippingAmountMinor
  for (const { orderItemId, quantity, amountMinor } of draft.items) {
    const line = paid.lines.find(({ id }) => id === orderItemId)
    if (line) line.refundedQuantity += quantity
    paid.refundedPrices.set(orderItemId, (paid.refundedPrices.get(orderItemId) ?? 0n) + amountMinor)
  }
  return { ...rounded, gatewayAmountMinor, voucherAmountMinor }
}

const unit = (index: number, quantity = 1) => ({ items: [{ orderItemId: `line-${index}`, quantity }] })

test('three units of 1.115 KWD are refunded in steps that add up to the 3.350 paid', () => {
  const paid = paidOrder({ currency: 'KWD', lines: [{ totalMinor: 3_345n, quantity: 3 }] })

  const amounts = [1, 2, 3].map(() => refund(paid, unit(0))?.amountMinor)

  assert.deepEqual(amounts, [1_120n, 1_110n, 1_120n])
  assert.equal(paid.order.refundableMinor, 0n)
})

test('a total that was rounded down is refunded to the last step', () => {
  const paid = paidOrder({
    currency: 'KWD',
    lines: [{ totalMinor: 1_004n, quantity: 1 }],
    shippingMinor: 500n,
  })

  const goods = refund(paid, unit(0))
  const shipping = refund(paid, { shippingAmountMinor: 500n })

  assert.partialDeepStrictEqual(goods, { amountMinor: 1_000n, roundingMinor: -4n })
  assert.partialDeepStrictEqual(shipping, { amountMinor: 500n, roundingMinor: 0n })
  assert.equal(paid.order.refundableMinor, 0n)
})

test('the refund of the last unit takes the rounding of the total, also beside a voucher', () => {
  for (const balanceMinor of [333n, 338n]) {
    const paid = paidOrder({ currency: 'KWD', lines: [{ totalMinor: 2_000n, quantity: 2 }], balanceMinor })
    const voucherMinor = paid.voucherMinor

    const parts = [refund(paid, unit(0)), refund(paid, unit(0))]

    assert.equal(sum(parts.map((part) => part?.amountMinor ?? 0n)), paid.order.totalMinor)
    assert.equal(sum(parts.map((part) => part?.voucherAmountMinor ?? 0n)), voucherMinor)
  }
})

/** The fault of a refund that is refused with 422. */
function faultOf(paid: Paid, parts: RefundRequest) {
  try {
    refund(paid, parts)
  } catch (error) {
    if (error instanceof ValidationError) return error.faults[0]
    throw error
  }
  return undefined
}

test('a given amount between two steps is refused, naming the nearest', () => {
  const paid = paidOrder({ currency: 'KWD', lines: [{ totalMinor: 2_000n, quantity: 1 }] })
  const steps = 'The payment gateway refunds in steps of 0.01 KWD.'

  const faults = [1_337n, 4n, 1_999n].map((amountMinor) => faultOf(paid, { amountMinor }))

  assert.partialDeepStrictEqual(faults, [
    { loc: ['amount'], msg: `${steps} Refund 1.33 KWD or 1.34 KWD`, input: 1.337 },
    { loc: ['amount'], msg: `${steps} Refund 0.01 KWD` },
    { loc: ['amount'], msg: `${steps} Refund 1.99 KWD or 2 KWD` },
  ])
  assert.partialDeepStrictEqual(refund(paid, { amountMinor: 1_340n }), { gatewayAmountMinor: 1_340n })
})

test('an amount above the card payment refunds all of the card, and the exact rest to the voucher', () => {
  const lines = [{ totalMinor: 2_000n, quantity: 1 }]
  const paid = paidOrder({ currency: 'KWD', lines, balanceMinor: 1_000n })

  const parts = refund(paid, { amountMinor: 1_337n })

  assert.partialDeepStrictEqual(parts, { gatewayAmountMinor: 1_000n, voucherAmountMinor: 337n })
})

test('prices that round to nothing are refused', () => {
  const paid = paidOrder({ currency: 'KWD', lines: [{ totalMinor: 400n, quantity: 100 }] })

  const fault = faultOf(paid, unit(0))

  assert.equal(fault?.msg, 'The payment gateway refunds at least 0.01 KWD. Refund a larger amount')
  assert.partialDeepStrictEqual(refund(paid, unit(0, 2)), { amountMinor: 10n })
})

const MINOR = fc.oneof(fc.bigInt(1n, 60n), fc.bigInt(1n, 50_000n))
const ORDER = fc.record({
  lines: fc.array(fc.record({ totalMinor: MINOR, quantity: fc.integer({ min: 1, max: 5 }) }), {
    minLength: 1,
    maxLength: 4,
  }),
  shippingMinor: fc.oneof(fc.constant(0n), MINOR),
  balanceMinor: fc.oneof(fc.constant(0n), MINOR),
})
const STEP = fc.record({
  kind: fc.constantFrom('units', 'shipping', 'amount', 'credit'),
  index: fc.nat(3),
  quantity: fc.integer({ min: 1, max: 3 }),
  share: fc.bigInt(1n, 100n),
})

/** The request of a drawn step, within what the order has left. */
function toParts(
  paid: Paid,
  { kind, index, quantity, share }: typeof STEP extends fc.Arbitrary<infer S> ? S : never,
) {
  if (kind === 'amount') return { amountMinor: (paid.order.refundableMinor * share) / 100n || 1n }
  const shippingLeft = paid.order.shippingMinor - paid.shippingRefundedMinor
  if (kind === 'shipping') return { shippingAmountMinor: (shippingLeft * share) / 100n }
  return unit(index % paid.lines.length, quantity)
}

for (const currency of ['KWD', 'BHD', 'JPY', 'EUR'])
  test(`drawn refunds in ${currency} keep to the steps and add up to the paid amount`, () => {
    fc.assert(
      fc.property(ORDER, fc.array(STEP, { maxLength: 12 }), (drawn, steps) => {
        const paid = paidOrder({ currency, ...drawn })
        const before = { gatewayMinor: paid.gatewayMinor, voucherMinor: paid.voucherMinor }
        const made: NonNullable<ReturnType<typeof refund>>[] = []
        let credited = 0n
        for (const step of [...steps, null]) {
          if (paid.order.refundableMinor === 0n) break
          try {
            const isCredit = step?.kind === 'credit'
            const part = refund(paid, step ? toParts(paid, step) : 'remainder', isCredit)
            if (part) made.push(part)
            if (part && isCredit) credited += part.amountMinor
          } catch (error) {
            if (!(error instanceof CodedError) || !step) throw error
          }
        }

        assert.equal(sum(made.map(({ amountMinor }) => amountMinor)), paid.order.totalMinor)
        assert.equal(
          sum(made.map((part) => part.gatewayAmountMinor)),
          before.gatewayMinor - paid.gatewayMinor,
        )
        assert.equal(before.gatewayMinor + before.voucherMinor, paid.order.totalMinor)
        assert.equal(paid.gatewayMinor + paid.voucherMinor, credited)
        assert.ok(paid.voucherMinor >= 0n && paid.gatewayMinor >= 0n)
        assert.ok(made.every((part) => part.gatewayAmountMinor % cardStepMinor(currency) === 0n))
      }),
      { numRuns: 500 },
    )
  })

/** Prices of a unit that never round to nothing. */
const PRICED = fc.array(
  fc.record({ priceMinor: fc.bigInt(50n, 9_999n), quantity: fc.integer({ min: 1, max: 4 }) }),
  {
    minLength: 1,
    maxLength: 5,
  },
)

for (const currency of ['KWD', 'JPY', 'EUR'])
  test(`the units of an order in ${currency}, refunded one by one in any order, add up to the paid amount`, () => {
    fc.assert(
      fc.property(
        PRICED,
        fc.oneof(fc.constant(0n), MINOR),
        fc.infiniteStream(fc.nat()),
        (drawn, balanceMinor, order) => {
          const lines = drawn.map(({ priceMinor, quantity }) => ({
            totalMinor: priceMinor * BigInt(quantity),
            quantity,
          }))
          const paid = paidOrder({ currency, lines, balanceMinor })
          const units = drawn.flatMap(({ quantity }, index) => Array.from({ length: quantity }, () => index))
          const drawnOrder = units.map((index) => ({ index, rank: order.next().value ?? 0 }))
          drawnOrder.sort((a, b) => a.rank - b.rank)

          for (const { index } of drawnOrder) refund(paid, unit(index))

          const { order: left, gatewayMinor, voucherMinor } = paid
          assert.deepEqual(
            { refundableMinor: left.refundableMinor, gatewayMinor, voucherMinor },
            { refundableMinor: 0n, gatewayMinor: 0n, voucherMinor: 0n },
          )
        },
      ),
      { numRuns: 300 },
    )
  })
