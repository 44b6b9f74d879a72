import { defineErrors } from '#shared/platform/errors.ts'

export const RecurringPlanErrors = defineErrors({
  limitReached: {
    code: 'recurring_plan.limit_reached',
    status: 409,
    message: ({ limit }: { limit: number }) =>
      `A product has at most ${limit} recurring plans. Remove it from another plan first.`,
  },
  trialUsed: {
    code: 'recurring_plan.trial_used',
    status: 409,
    message:
      'Another order of the customer has used the trial of this plan, which each customer has once. Order at the ' +
      'regular price, which the cart shows.',
  },
})
