import type { Step } from './draw-history.ts'

/** The steps of an order that is paid by card, with the first as its only order. */
export const CHECKOUT = {
  kind: 'checkout',
  lines: [
    { variant: 0, quantity: 3 },
    { variant: 1, quantity: 1 },
  ],
  method: 'card',
  voucher: 'none',
  coupon: false,
  buysVoucher: false,
} as const satisfies Step
export const CONFIRMED = { kind: 'confirm', order: 0, card: 'visa', difference: 0 } as const satisfies Step
export const DELIVERED = { kind: 'deliver', how: 'once' } as const satisfies Step
