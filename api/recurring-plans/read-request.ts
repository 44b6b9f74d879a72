import type { Static } from 'typebox'
import { omitUndefined, toCamelCase, toMinorIfPresent } from '#api/platform/input/request-fields.ts'
import { toMinor } from '#shared/platform/money.ts'
import type { NewRecurringPlan, RecurringPlanInput } from '#shared/recurring-plans/create-recurring-plan.ts'
import type { TrialInput } from '#shared/recurring-plans/recurring-plan.ts'
import type { CreateRecurringPlanRequest, TrialRequest, UpdateRecurringPlanRequest } from './schemas.ts'

/** Converts a request body to the domain's input. */
export const toNewPlan = (
  body: Static<typeof CreateRecurringPlanRequest>,
  currency: string,
): NewRecurringPlan => ({
  ...toPlanChanges(body, currency),
  nameI18n: body.name_i18n,
  duration: body.duration,
  durationUnit: body.duration_unit,
})

/** Converts the changes of a request body. Absent fields stay absent. */
export const toPlanChanges = (
  { price, trial, ...fields }: Static<typeof UpdateRecurringPlanRequest>,
  currency: string,
): Partial<RecurringPlanInput> =>
  omitUndefined({
    ...toCamelCase(fields),
    priceMinor: toMinorIfPresent(price, currency, ['price']),
    trial: trial && toTrial(trial, currency),
  })

const toTrial = ({ price, ...fields }: Static<typeof TrialRequest>, currency: string): TrialInput => ({
  ...toCamelCase(fields),
  priceMinor: toMinor(price, currency, ['trial', 'price']),
})
