import type { Transitions } from '#shared/platform/states.ts'

export const AFFILIATE_STATUSES = ['pending', 'approved', 'rejected', 'suspended'] as const
export type AffiliateStatus = (typeof AFFILIATE_STATUSES)[number]

/** Orders count only for the links of an approved affiliate. */
export const AFFILIATE_TRANSITIONS: Transitions<AffiliateStatus> = {
  pending: ['approved', 'rejected'],
  approved: ['suspended'],
  rejected: ['approved'],
  suspended: ['approved', 'rejected'],
}

export const PAYOUT_METHODS = ['bank', 'paypal', 'other'] as const

/**
 * The entries of an affiliate's ledger. `earned`, `restored`: above 0; `reversed`, `paid`: below 0. `reversed`: an
 * order was refunded. `restored`: that refund failed later.
 */
export const COMMISSION_ENTRY_KINDS = ['earned', 'reversed', 'restored', 'paid'] as const
export type CommissionEntryKind = (typeof COMMISSION_ENTRY_KINDS)[number]

/** The default commission. A basis point is a hundredth of a percent. */
export const DEFAULT_COMMISSION_BASIS_POINTS = 500

/** Commissions are payable this long after the order was completed. */
export const PAYABLE_AFTER_DAYS = 30
