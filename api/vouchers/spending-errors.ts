import { VoucherErrors } from '#shared/vouchers/errors.ts'

/** Why a voucher cannot pay, or not any more. */
export const SPENDING_ERRORS = [
  VoucherErrors.inactive,
  VoucherErrors.expired,
  VoucherErrors.empty,
  VoucherErrors.insufficientBalance,
] as const
