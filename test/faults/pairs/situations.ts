import type { Step } from '#test/faults/histories/draw-history.ts'
import { CHECKOUT, CONFIRMED, DELIVERED } from '#test/faults/histories/plain-steps.ts'

const progress = {
  kind: 'progressReturn',
  order: 0,
  disposition: 'restocked',
  restock: false,
  feePercent: 0,
} as const satisfies Step

const paid: Step[] = [CHECKOUT, CONFIRMED, DELIVERED]

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
  paidSlowly: [CHECKOUT, { ...CONFIRMED, card: 'pendingRefund' }, DELIVERED],
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
    CHECKOUT,
    { ...CONFIRMED, difference: -10 },
    DELIVERED,
    { kind: 'resolve', order: 0, decision: 'return' },
    DELIVERED,
    { kind: 'dispute', order: 0, share: 100 },
    { kind: 'decide', order: 0, status: 'lost' },
    DELIVERED,
    { kind: 'pay', order: 0 },
  ],
} as const satisfies Record<string, readonly Step[]>

export type Situation = keyof typeof SITUATIONS
