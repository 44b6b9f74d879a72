import type { History, Step } from './draw-history.ts'

const checkout = {
  kind: 'checkout',
  lines: [{ variant: 0, quantity: 1 }],
  method: 'card',
  voucher: 'none',
  coupon: false,
  buysVoucher: false,
} as const satisfies Step
const delivered = { kind: 'deliver', how: 'once' } as const satisfies Step

/** Histories that have broken an invariant. */
export const KNOWN_HISTORIES: History[] = [
  // The failure of a refund was lost, and then the whole payment was refunded.
  {
    terms: { currency: 'EUR', pricesIncludeTax: false },
    stock: [2, 2],
    steps: [
      checkout,
      { kind: 'confirm', order: 0, card: 'visa', difference: -10 },
      delivered,
      { kind: 'refundInDashboard', order: 0, share: 1 },
      delivered,
      { kind: 'endRefund', order: 0, outcome: 'failed' },
      { kind: 'deliver', how: 'never' },
      { kind: 'refundInDashboard', order: 0, share: 100 },
      delivered,
    ],
  },
  // The refund of a bought voucher failed after the bank had paid the whole order back.
  {
    terms: { currency: 'EUR', pricesIncludeTax: false },
    stock: [2, 2],
    steps: [
      { ...checkout, buysVoucher: true },
      { kind: 'confirm', order: 0, card: 'pendingRefund', difference: 0 },
      delivered,
      {
        kind: 'refund',
        order: 0,
        parts: 'items',
        share: 1,
        line: 1,
        units: 1,
        restock: false,
        override: false,
        outside: false,
      },
      { kind: 'dispute', order: 0, share: 100 },
      { kind: 'decide', order: 0, status: 'lost' },
      delivered,
      { kind: 'endRefund', order: 0, outcome: 'failed' },
      delivered,
    ],
  },
]
