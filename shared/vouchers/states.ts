export const VOUCHER_ENTRY_KINDS = ['issue', 'reserve', 'capture', 'release', 'refund', 'adjust'] as const
export type VoucherEntryKind = (typeof VOUCHER_ENTRY_KINDS)[number]

/** The factor of an entry's amount in each amount of its voucher. The balance is amount − reserved − spent. */
export interface Effect {
  amount: 0 | 1
  reserved: -1 | 0 | 1
  spent: -1 | 0 | 1
}

/** The effect of each kind of ledger entry. Only the amount of an adjustment may be negative. */
export const EFFECTS: Readonly<Record<VoucherEntryKind, Effect>> = {
  issue: { amount: 1, reserved: 0, spent: 0 },
  reserve: { amount: 0, reserved: 1, spent: 0 },
  capture: { amount: 0, reserved: -1, spent: 1 },
  release: { amount: 0, reserved: -1, spent: 0 },
  refund: { amount: 0, reserved: 0, spent: -1 },
  adjust: { amount: 1, reserved: 0, spent: 0 },
}

/**
 * The state of an order's part of a voucher: reserved while the order awaits payment, then captured, or released until
 * it is reserved again.
 */
export type RedemptionState = 'reserved' | 'captured' | 'released'
