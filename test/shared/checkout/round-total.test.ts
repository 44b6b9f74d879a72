import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { priceCart, type Totals } from '#shared/cart/price-cart.ts'
import { roundTotal } from '#shared/checkout/round-total.ts'
import { cardStepMinor, maxChargeMinor, minChargeMinor } from '#shared/payment-methods/card-rules.ts'
import { CodedError } from '#shared/platform/errors.ts'
import { currencyDigits, proportion, smaller, toMajor } from '#shared/platform/money.ts'
import { assertChargeable } from '#test/sandbox/gateway/amount-rules.ts'
import { toStripeUnits } from '#workers/gateways/stripe/stripe-units.ts'

const amount = fc.oneof(fc.bigInt(0n, 2_000n), fc.bigInt(0n, 10n ** 8n))
const line = fc.record({ lineTotalMinor: amount, taxClassId: fc.constantFrom('standard', null) })

/** Totals of a drawn cart with discounts, shipping and tax, and the part that a voucher pays. */
const cart = fc
  .record({
    lines: fc.array(line, { maxLength: 6 }),
    discountsMinor: fc.array(amount, { maxLength: 6 }),
    shippingMinor: amount,
    rate: fc.bigInt(0n, 30n),
    balanceMinor: fc.oneof(fc.constant(0n), amount),
  })
  .map(({ lines, discountsMinor, shippingMinor, rate, balanceMinor }) => {
    const { totals } = priceCart(lines, {
      discountsMinor,
      shipping: { priceMinor: shippingMinor, taxClassId: 'standard' },
      taxOn: (on, taxClassId) => (taxClassId ? proportion(on, rate, 100n) : 0n),
    })
    return { ...totals, voucherMinor: smaller(balanceMinor, totals.totalMinor) }
  })

type Facts = Totals & { voucherMinor: bigint; roundingMinor: bigint }

function assertAddsUp(facts: Facts, currency: string) {
  const { subtotalMinor, discountMinor, shippingMinor, taxMinor, roundingMinor, totalMinor } = facts
  assert.equal(subtotalMinor - discountMinor + shippingMinor + taxMinor + roundingMinor, totalMinor)
  const major = (minor: bigint) => toMajor(minor, currency)
  const added =
    major(subtotalMinor) -
    major(discountMinor) +
    major(shippingMinor) +
    major(taxMinor) +
    major(roundingMinor)
  assert.equal(Number(added.toFixed(currencyDigits(currency))), major(totalMinor))
  assert.ok(facts.voucherMinor <= totalMinor)
}

for (const currency of ['KWD', 'BHD', 'JPY', 'ISK', 'HUF', 'EUR'])
  test(`random carts in ${currency} add up, and the gateway accepts what the card pays`, () => {
    fc.assert(
      fc.property(cart, (totals) => {
        const dueMinor = totals.totalMinor - totals.voucherMinor
        try {
          const facts = roundTotal({ ...totals, paymentMethod: 'card', currency })
          assertAddsUp(facts, currency)
          const chargeMinor = facts.totalMinor - facts.voucherMinor
          if (chargeMinor > 0n) assertChargeable(toStripeUnits(chargeMinor, currency), currency.toLowerCase())
          else assert.equal(dueMinor, 0n)
        } catch (error) {
          if (!(error instanceof CodedError)) throw error
          assert.equal(error.code, 'checkout.payment_method_disabled')
          const step = cardStepMinor(currency)
          assert.ok(dueMinor < minChargeMinor(currency) || dueMinor > maxChargeMinor(currency) - step)
        }
      }),
    )
  })

for (const paymentMethod of ['bank_transfer', 'cash_on_delivery', 'sandbox', 'voucher'])
  test(`random carts by ${paymentMethod} keep their exact total`, () => {
    fc.assert(
      fc.property(cart, (totals) => {
        const { roundingMinor, totalMinor } = roundTotal({ ...totals, paymentMethod, currency: 'KWD' })
        assert.deepEqual({ roundingMinor, totalMinor }, { roundingMinor: 0n, totalMinor: totals.totalMinor })
      }),
    )
  })
