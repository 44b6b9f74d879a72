import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Order } from '#shared/orders/order.ts'
import { pricesToWithdraw } from '#shared/refunds/calculate/prices-to-withdraw.ts'

/**
 * An order of goods for 25 and the vouchers `a` and `b` for 50 each. 10 of `a` is unspent, and all of `b`. Earlier
 * refunds have paid `refundedMinor`; a refund of `inProgressMinor` is in progress.
 */
const orderWith = ({
  refundedMinor,
  inProgressMinor,
}: {
  refundedMinor: bigint
  inProgressMinor: bigint
}) => ({
  order: Object.assign(new Order(), { amountCapturedMinor: 125n, amountRefundedMinor: refundedMinor }),
  lines: [],
  replaced: new Map(),
  refundedPrices: new Map(),
  shippingRefundedMinor: 0n,
  inProgress: [],
  inProgressMinor,
  unitsInProgress: new Map(),
  vouchers: [
    { id: 'a', orderItemId: 'a', withdrawnMinor: 0n, unwithdrawnMinor: 50n, unspentMinor: 10n },
    { id: 'b', orderItemId: 'b', withdrawnMinor: 0n, unwithdrawnMinor: 50n, unspentMinor: 50n },
  ],
})

interface Case {
  /** Paid by earlier refunds. Default: nothing. */
  refunded?: bigint
  refund: bigint
  named?: Record<string, bigint>
  withdrawn: Record<string, bigint>
}

const CASES: Record<string, Case> = {
  'an amount within the price of goods withdraws nothing': { refund: 25n, withdrawn: {} },
  'an amount above the price of goods withdraws the rest': { refund: 45n, withdrawn: { a: 10n, b: 10n } },
  'a rest above the unspent value also takes spent value': { refund: 105n, withdrawn: { a: 30n, b: 50n } },
  'a named price is withdrawn while goods are unrefunded': {
    refund: 10n,
    named: { a: 10n },
    withdrawn: { a: 10n },
  },
  'a named price is withdrawn when goods are refunded with it': {
    refund: 35n,
    named: { a: 10n },
    withdrawn: { a: 10n },
  },
  'a rest besides a named price comes from the unspent value of the other voucher': {
    refunded: 25n,
    refund: 20n,
    named: { a: 10n },
    withdrawn: { a: 10n, b: 10n },
  },
  'a rest besides a named price comes from the unspent value of the same voucher': {
    refunded: 25n,
    refund: 20n,
    named: { b: 10n },
    withdrawn: { a: 10n, b: 10n },
  },
  'a named price above the unspent value is withdrawn whole, and the rest from the other voucher': {
    refunded: 25n,
    refund: 70n,
    named: { a: 50n },
    withdrawn: { a: 50n, b: 20n },
  },
}

for (const [name, { refunded = 0n, refund, named = {}, withdrawn }] of Object.entries(CASES))
  test(name, () => {
    const refundable = orderWith({ refundedMinor: refunded, inProgressMinor: refund })
    const prices = Object.entries(named).map(([orderItemId, priceMinor]) => ({ orderItemId, priceMinor }))

    const shares = pricesToWithdraw(refundable, prices)

    const byVoucher = shares.map(({ voucher, priceMinor }) => [voucher.id, priceMinor])
    assert.deepEqual(Object.fromEntries(byVoucher), withdrawn)
  })
