import { defineErrors } from '#shared/platform/errors.ts'

export const TaxErrors = defineErrors({
  classInUse: {
    code: 'tax_class.in_use',
    status: 409,
    message:
      'Tax rates, shipping methods or products, including deleted ones, have this tax class. Give them another one first.',
  },
})
