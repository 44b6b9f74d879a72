import type { Transitions } from '#shared/platform/states.ts'

export const VOUCHER_ENTRY_KINDS = ['issue', 'reserve', 'capture', 'release', 'refund', 'adjust'] as const
export type VoucherEntryKind = (typeof VOUCHER_ENTRY_KINDS)[number]

/**
 * How a ledger entry changes its voucher: each of these amounts grows by the amount of the entry times the factor. The
 * balance is amount − reserved − spent.
 */
export interface EntryEffect {
  amount: 0 | 1
  reserved: -1 | 0 | 1
  spent: -1 | 0 | 1
}

/** The effect of each kind of ledger entry. Only the amount of an adjustment may be negative. */
export const EFFECT_OF_ENTRY: Readonly<Record<VoucherEntryKind, EntryEffect>> = {
  issue: { amount: 1, reserved: 0, spent: 0 },
  reserve: { amount: 0, reserved: 1, spent: 0 },
  capture: { amount: 0, reserved: -1, spent: 1 },
  release: { amount: 0, reserved: -1, spent: 0 },
  refund: { amount: 0, reserved: 0, spent: -1 },
  adjust: { amount: 1, reserved: 0, spent: 0 },
}

/**
 * The statuses of the voucher's part of an order. `reserved`: the order awaits payment. `captured`: it was paid.
 * `released`: it was not paid, and can reserve the part again.
 */
export const REDEMPTION_STATUSES = ['reserved', 'captured', 'released'] as const
export type RedemptionStatus = (typeof REDEMPTION_STATUSES)[number]

export const REDEMPTION_TRANSITIONS: Transitions<RedemptionStatus> = {
  reserved: ['captured', 'released'],
  captured: [],
  released: ['reserved'],
}
