import { defineErrors } from '#shared/platform/errors.ts'
import { PAYABLE_AFTER_DAYS } from './states.ts'

export const AffiliateErrors = defineErrors({
  exists: {
    code: 'affiliate.exists',
    status: 409,
    message: 'This customer is an affiliate already, or has applied. Read it instead.',
  },
  emailUnverified: {
    code: 'affiliate.email_unverified',
    status: 403,
    message:
      'Confirm the e-mail address of the account first, by the mailed link. POST /auth/email/verification sends it ' +
      'again.',
  },
  codeTaken: {
    code: 'affiliate.code_taken',
    status: 409,
    message: ({ code }: { code: string }) =>
      `A campaign or another affiliate of this store has the code "${code}", ignoring case. Choose another.`,
  },
  invalidTransition: {
    code: 'affiliate.invalid_transition',
    status: 409,
    message: ({ from, to }: { from: string; to: string }) =>
      `An affiliate that is ${from} cannot become ${to}. Read it to see its status.`,
  },
  nothingPayable: {
    code: 'affiliate.nothing_payable',
    status: 409,
    message:
      `Nothing is payable to this affiliate. Commissions are payable ${PAYABLE_AFTER_DAYS} days after the order was ` +
      'completed, and not while its payment is disputed.',
  },
  exceedsPayable: {
    code: 'affiliate.exceeds_payable',
    status: 422,
    message: ({ payable }: { payable: string }) =>
      `Only ${payable} is payable to this affiliate. Pay that or less.`,
  },
  hasBalance: {
    code: 'affiliate.has_balance',
    status: 409,
    message: ({ balance }: { balance: string }) =>
      `The store owes this affiliate ${balance}. Pay it out first, or suspend the affiliate instead.`,
  },
})
