export const ENTRY_KINDS = ['issue', 'reserve', 'capture', 'release', 'refund', 'adjust'] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]

/** How often an entry's amount goes into each of a voucher's amounts. What remains is amount − reserved − spent. */
export interface Effect {
  amount: 0 | 1
  reserved: -1 | 0 | 1
  spent: -1 | 0 | 1
}

/** What each kind of ledger entry does. An adjustment's amount may be negative; every other is positive. */
export const EFFECTS: Readonly<Record<EntryKind, Effect>> = {
  issue: { amount: 1, reserved: 0, spent: 0 },
  reserve: { amount: 0, reserved: 1, spent: 0 },
  capture: { amount: 0, reserved: -1, spent: 1 },
  release: { amount: 0, reserved: -1, spent: 0 },
  refund: { amount: 0, reserved: 0, spent: -1 },
  adjust: { amount: 1, reserved: 0, spent: 0 },
}

/**
 * What an order has of a voucher: reserved while it waits for its payment, then captured for good, or released until it
 * is reserved anew.
 */
export type RedemptionState = 'reserved' | 'captured' | 'released'
