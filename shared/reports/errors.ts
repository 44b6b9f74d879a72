import { defineErrors } from '#shared/platform/errors.ts'

export const ReportErrors = defineErrors({
  preparing: {
    code: 'report.preparing',
    status: 503,
    message:
      'The sums of many days of this range are being prepared. Try again after the seconds in Retry-After, or ask ' +
      'for fewer days.',
  },
})
