import { defineErrors } from '#shared/platform/errors.ts'

export const RecurringPlanErrors = defineErrors({
  limitReached: {
    code: 'recurring_plan.limit_reached',
    status: 409,
    message: ({ limit }: { limit: number }) =>
      `A product has at most ${limit} recurring plans. Remove it from another plan first.`,
  },
})
