import { defineErrors } from '#shared/platform/errors.ts'

export const TaxErrors = defineErrors({
  classLimitReached: {
    code: 'tax_class.limit_reached',
    status: 409,
    message: 'A store has at most 200 tax classes. Delete one that is not in use.',
  },
  taxRateLimitReached: {
    code: 'tax_rate.limit_reached',
    status: 409,
    message: 'A store has at most 5000 tax rates. Delete one first.',
  },
  classInUse: {
    code: 'tax_class.in_use',
    status: 409,
    message:
      'Tax rates, shipping methods or products, including deleted ones, have this tax class. Give them another one ' +
      'first.',
  },
})
