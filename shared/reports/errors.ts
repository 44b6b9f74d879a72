import { defineErrors } from '#shared/platform/errors.ts'

export const ReportErrors = defineErrors({
  preparing: {
    code: 'report.preparing',
    status: 503,
    message:
      'The sums of many days of this range are being prepared. Wait for the seconds that Retry-After names and try again, ' +
      'or ask for fewer days.',
  },
})
