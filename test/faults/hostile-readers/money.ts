import { applyCoupon, type CouponCandidate } from '#shared/coupons/apply-coupon.ts'
import { eraseFields } from '#shared/platform/privacy/erase-fields.ts'
import { comparePayment, type GatewayPayment } from '#shared/reconciliation/compare-payment.ts'
import type { PaymentBooks } from '#shared/reconciliation/read-gateway-books.ts'
import { findRoundingChanges } from '#shared/refunds/calculate/round-together.ts'
import { list, reader } from './reader.ts'

const COUPON = {
  id: '',
  currency: 'EUR',
  type: 'fixed',
  value: 12_345n,
  isActive: true,
  startsAt: null,
  endsAt: null,
  ...{
    loggedInOnly: false,
    minTotalMinor: 0n,
    usesTotal: null,
    usesPerCustomer: null,
    usesCount: 0,
    usesByBuyer: 0,
  },
}

export const MONEY = [
  reader({
    name: 'a coupon over the lines of a cart',
    most: 1_000,
    make: (size) =>
      list(size, (n) => ({ productId: `product-${n}`, isSellable: true, lineTotalMinor: BigInt(n + 1) })),
    read: (lines) => applyCoupon({ ...COUPON, matchingIds: null } as unknown as CouponCandidate, lines, null),
  }),
  reader({
    name: 'the roundings of the refunds of a payment',
    most: 4_000,
    make: (size) => list(size, (n) => ({ id: `${n}`, roundedUpPpm: n % 2 ? 999_999 : 1 })),
    read: findRoundingChanges,
  }),
  reader({
    name: 'the refunds of a payment and at its gateway',
    most: 4_000,
    make: (size) =>
      list(size, (n) => ({ reference: `re_${n}`, gatewayReference: `re_${n}`, status: 'succeeded' })),
    read: (refunds) => {
      const amounts = refunds.map((refund) => ({ ...refund, amountMinor: 1n, gatewayAmountMinor: 1n }))
      const books = { payment: { capturedMinor: 1n }, refunds: amounts, disputes: [] }
      comparePayment(
        books as unknown as PaymentBooks,
        { status: { status: 'open' }, refunds: amounts, disputes: [] } as unknown as GatewayPayment,
      )
    },
  }),
  reader({
    name: 'the erasure of personal fields',
    most: 20_000,
    make: (size) => ({ items: list(size, (n) => ({ email: `${n}@example.com`, note: 'x' })) }),
    read: (value) => eraseFields(value, 'erased'),
  }),
]
