import type { Transitions } from '#shared/platform/states.ts'

export const AFFILIATE_STATUSES = ['pending', 'approved', 'rejected', 'suspended'] as const
export type AffiliateStatus = (typeof AFFILIATE_STATUSES)[number]

/** Only the links of an approved affiliate win orders. */
export const AFFILIATE_TRANSITIONS: Transitions<AffiliateStatus> = {
  pending: ['approved', 'rejected'],
  approved: ['suspended'],
  rejected: ['approved'],
  suspended: ['approved', 'rejected'],
}

export const PAYOUT_METHODS = ['bank', 'paypal', 'other'] as const

/**
 * The entries of an affiliate's ledger. `earned`, `restored`: above 0; `reversed`, `paid`: below 0. A refund reverses,
 * and a refund that failed later restores.
 */
export const COMMISSION_ENTRY_KINDS = ['earned', 'reversed', 'restored', 'paid'] as const
export type CommissionEntryKind = (typeof COMMISSION_ENTRY_KINDS)[number]

/** The commission of an affiliate without an own percentage, in hundredths of a percent. */
export const DEFAULT_PERCENT = 500

/** Commissions are payable this long after the order was completed. */
export const HOLD_DAYS = 30
