import type { History, Step } from './draw-history.ts'
import { CHECKOUT, CONFIRMED, DELIVERED } from './plain-steps.ts'

const checkout = { ...CHECKOUT, lines: [{ variant: 0, quantity: 1 }] } as const satisfies Step

/** Histories that have broken an invariant. */
export const KNOWN_HISTORIES: History[] = [
  // The failure of a refund was lost, and then the whole payment was refunded.
  {
    terms: { currency: 'EUR', pricesIncludeTax: false },
    stock: [2, 2],
    steps: [
      checkout,
      { ...CONFIRMED, difference: -10 },
      DELIVERED,
      { kind: 'refundInDashboard', order: 0, share: 1 },
      DELIVERED,
      { kind: 'endRefund', order: 0, outcome: 'failed' },
      { kind: 'deliver', how: 'never' },
      { kind: 'refundInDashboard', order: 0, share: 100 },
      DELIVERED,
    ],
  },
  // The refund of a bought voucher failed after the bank had paid the whole order back.
  {
    terms: { currency: 'EUR', pricesIncludeTax: false },
    stock: [2, 2],
    steps: [
      { ...checkout, buysVoucher: true },
      { ...CONFIRMED, card: 'pendingRefund' },
      DELIVERED,
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
      DELIVERED,
      { kind: 'endRefund', order: 0, outcome: 'failed' },
      DELIVERED,
    ],
  },
]
