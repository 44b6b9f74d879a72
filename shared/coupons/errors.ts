import { defineErrors } from '#shared/platform/errors.ts'

/** Decisions, section 6. */
export const CouponErrors = defineErrors({
  notFound: {
    code: 'coupon.not_found',
    status: 404,
    message: 'This store has no such coupon. Check the code.',
  },
  expired: {
    code: 'coupon.expired',
    status: 422,
    message: ({ startsAt, endsAt }) => {
      if (startsAt) return `This coupon is not valid yet: it can be used from ${startsAt}.`
      return `This coupon is not valid any more${endsAt ? `: it ended at ${endsAt}` : ''}.`
    },
  },
  loginRequired: {
    code: 'coupon.login_required',
    status: 401,
    message: 'This coupon is for signed-in customers. Sign in or register, then use it.',
  },
  usageExceeded: {
    code: 'coupon.usage_exceeded',
    status: 409,
    message: 'This coupon has been used as often as it may be. Take it off to go on without it.',
  },
  minTotalNotMet: {
    code: 'coupon.min_total_not_met',
    status: 422,
    message: ({ minimum = 'more', subtotal = 'less' }) =>
      `This coupon asks for goods of ${minimum}; the cart comes to ${subtotal}. Put more into it.`,
  },
  notApplicable: {
    code: 'coupon.not_applicable',
    status: 422,
    message: 'This coupon is for none of the goods in the cart. Put some that it is for into it.',
  },
  codeTaken: {
    code: 'coupon.code_taken',
    status: 409,
    message: ({ code = '<code>' }) =>
      `Another coupon of this store has the code "${code}", in whatever case. Choose another.`,
  },
  inUse: {
    code: 'coupon.in_use',
    status: 409,
    message: 'Orders have used this coupon, so it is kept. Deactivate it instead, by DELETE without purge.',
  },
})

/** What a coupon may be refused with that someone presents. */
export const COUPON_REFUSALS = [
  CouponErrors.notFound,
  CouponErrors.expired,
  CouponErrors.loginRequired,
  CouponErrors.usageExceeded,
  CouponErrors.minTotalNotMet,
  CouponErrors.notApplicable,
]
