import { CommonErrors, defineErrors, type OneOf, withAdvice } from '#shared/platform/errors.ts'

export const CouponErrors = defineErrors({
  triedTooOften: withAdvice(
    CommonErrors.rateLimitExceeded,
    'Too many unknown coupon codes came from this network. Try again after the seconds in Retry-After, or continue ' +
      'without a coupon.',
  ),
  notFound: {
    code: 'coupon.not_found',
    status: 404,
    message: 'This store does not have this coupon. Check the code.',
  },
  expired: {
    code: 'coupon.expired',
    status: 422,
    message: ({ startsAt, endsAt }: OneOf<{ startsAt: string }, { endsAt: string }>) => {
      if (startsAt) return `This coupon is not valid yet: it starts at ${startsAt}.`
      return `This coupon has expired${endsAt ? `: it ended at ${endsAt}` : ''}.`
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
    message: 'The usage limit of this coupon is reached. Remove it to continue.',
  },
  minTotalNotMet: {
    code: 'coupon.min_total_not_met',
    status: 422,
    message: ({ minimum, subtotal }: { minimum: string; subtotal: string }) =>
      `This coupon requires goods for ${minimum}; the cart has ${subtotal}. Add more goods.`,
  },
  notApplicable: {
    code: 'coupon.not_applicable',
    status: 422,
    message: 'This coupon matches no goods in the cart. Add goods that it is for.',
  },
  codeTaken: {
    code: 'coupon.code_taken',
    status: 409,
    message: ({ code }: { code: string }) =>
      `Another coupon of this store has the code "${code}", ignoring case. Choose another.`,
  },
  inUse: {
    code: 'coupon.in_use',
    status: 409,
    message: 'Orders have used this coupon, so it cannot be deleted. Deactivate it: DELETE without `purge`.',
  },
})

/** The errors of a coupon that does not apply. */
export const COUPON_REFUSALS = [
  CouponErrors.notFound,
  CouponErrors.expired,
  CouponErrors.loginRequired,
  CouponErrors.usageExceeded,
  CouponErrors.minTotalNotMet,
  CouponErrors.notApplicable,
]
