import { defineErrors } from '#shared/platform/errors.ts'

export const RecurringPlanErrors = defineErrors({
  limitReached: {
    code: 'recurring_plan.limit_reached',
    status: 409,
    message: ({ limit }: { limit: number }) =>
      `A product has at most ${limit} recurring plans. Remove it from another plan first.`,
  },
  tooManyTrialUnits: {
    code: 'recurring_plan.too_many_trial_units',
    status: 422,
    message: ({ max }: { max: number }) =>
      `An order takes at most ${max} ${max === 1 ? 'unit' : 'units'} at the price of this plan's trial. Lower the ` +
      'quantity. The subscription takes more units later.',
  },
  trialUsed: {
    code: 'recurring_plan.trial_used',
    status: 409,
    message:
      'Another order of the customer has used the trial of this plan, which each customer has once. Order at the ' +
      'regular price, which the cart shows.',
  },
})
