import type { History } from './draw-history.ts'

/** Histories that have broken an invariant. */
export const KNOWN_HISTORIES: History[] = [
  // The failure of a refund was lost, and then the whole payment was refunded.
  {
    terms: { currency: 'EUR', pricesIncludeTax: false },
    stock: [2, 2],
    steps: [
      {
        kind: 'checkout',
        lines: [{ variant: 0, quantity: 1 }],
        method: 'card',
        voucher: 'none',
        coupon: false,
        buysVoucher: false,
      },
      { kind: 'confirm', order: 0, card: 'visa', difference: -10 },
      { kind: 'deliver', how: 'once' },
      { kind: 'refundInDashboard', order: 0, share: 1 },
      { kind: 'deliver', how: 'once' },
      { kind: 'endRefund', order: 0, outcome: 'failed' },
      { kind: 'deliver', how: 'never' },
      { kind: 'refundInDashboard', order: 0, share: 100 },
      { kind: 'deliver', how: 'once' },
    ],
  },
]
