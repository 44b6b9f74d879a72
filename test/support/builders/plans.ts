import { inStore } from '#shared/platform/db/store-scope.ts'
import { createRecurringPlan, type NewRecurringPlan } from '#shared/recurring-plans/create-recurring-plan.ts'
import { nextNumber } from '#test/support/builders/store.ts'

/** A plan by which the given products are sold. Default: every month at 8.00, without an end and without a trial. */
export async function buildPlan(
  store: { id: string },
  given: Partial<NewRecurringPlan> = {},
): Promise<{ id: string; name: string }> {
  const name = `Plan ${nextNumber()}`
  const draft: NewRecurringPlan = {
    nameI18n: { en: name },
    priceMinor: 800n,
    duration: 1,
    durationUnit: 'month',
    ...given,
  }
  const { plan } = await inStore(store.id, (tx) => createRecurringPlan(tx, draft))
  return { id: plan.id, name }
}
