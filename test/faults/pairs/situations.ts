import type { Step } from '#test/faults/histories/draw-history.ts'

const checkout = {
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

const delivered = { kind: 'deliver', how: 'once' } as const satisfies Step
const confirm = { kind: 'confirm', order: 0, card: 'visa', difference: 0 } as const satisfies Step
const progress = {
  kind: 'progressReturn',
  order: 0,
  disposition: 'restocked',
  restock: false,
  feePercent: 0,
} as const satisfies Step

const paid: Step[] = [checkout, confirm, delivered]

const returned = (action: 'refund' | 'replacement'): Step[] => [
  ...paid,
  { kind: 'status', order: 0, to: 'shipped', override: true, restock: false },
  { kind: 'requestReturn', order: 0, units: 1, action },
  progress,
  progress,
]

const withVoucher = (steps: readonly Step[]): Step[] =>
  steps.map((step) => (step.kind === 'checkout' ? { ...step, buysVoucher: true } : step))

/** What has happened to an order before two acts meet. */
export const SITUATIONS = {
  /** It is paid by card. */
  paid,
  /** It is paid by card whose refunds stay pending for a while. */
  paidSlowly: [checkout, { ...confirm, card: 'pendingRefund' }, delivered],
  /** The goods of a return have arrived. */
  returned: returned('refund'),
  toReplace: returned('replacement'),
  /** It bought a voucher too. */
  withVoucher: withVoucher(paid),
  /** It bought a voucher too, and a unit was sent again. */
  replacedWithVoucher: [...withVoucher(returned('replacement')), progress],
  /**
   * It is unpaid: too little was captured and sent back, and the bank took it back as well. Another payment is open.
   */
  takenBack: [
    checkout,
    { ...confirm, difference: -10 },
    delivered,
    { kind: 'resolve', order: 0, decision: 'return' },
    delivered,
    { kind: 'dispute', order: 0, share: 100 },
    { kind: 'decide', order: 0, status: 'lost' },
    delivered,
    { kind: 'pay', order: 0 },
  ],
} as const satisfies Record<string, readonly Step[]>

export type Situation = keyof typeof SITUATIONS
