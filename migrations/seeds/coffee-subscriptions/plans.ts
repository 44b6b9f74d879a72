import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { createRecurringPlan, type NewRecurringPlan } from '#shared/recurring-plans/create-recurring-plan.ts'
import { type RecurringPlan, termsOf } from '#shared/recurring-plans/recurring-plan.ts'
import type { RecurringTerms } from '#shared/recurring-plans/terms.ts'

/**
 * The plans of the coffee, in the order in which the product shows them. No plan has a price of its own, because it
 * would apply to bags of every size.
 */
const PLANS = {
  weekly: {
    nameI18n: { en: 'Every week', de: 'Jede Woche' },
    duration: 1,
    durationUnit: 'week',
  },
  monthly: {
    nameI18n: { en: 'Every month, the first one free', de: 'Jeden Monat, der erste gratis' },
    duration: 1,
    durationUnit: 'month',
    trial: { priceMinor: 0n, duration: 1, durationUnit: 'month', cycle: 1 },
  },
  yearly: {
    nameI18n: { en: 'Every year', de: 'Jedes Jahr' },
    duration: 1,
    durationUnit: 'year',
  },
  three: {
    nameI18n: { en: 'Three deliveries', de: 'Drei Lieferungen' },
    duration: 1,
    durationUnit: 'month',
    cycle: 3,
  },
} as const satisfies Record<string, NewRecurringPlan>

export type PlanName = keyof typeof PLANS

export interface SoldPlan {
  id: string
  terms: RecurringTerms
}

/** Sells a product by all plans. */
export async function createPlans(tx: StoreTx, productId: string): Promise<Record<PlanName, SoldPlan>> {
  const create = async (name: PlanName, sortOrder: number): Promise<SoldPlan> => {
    const { plan } = await createRecurringPlan(tx, { ...PLANS[name], sortOrder, productIds: [productId] })
    return toSold(plan)
  }
  return {
    weekly: await create('weekly', 0),
    monthly: await create('monthly', 1),
    yearly: await create('yearly', 2),
    three: await create('three', 3),
  }
}

const toSold = (plan: RecurringPlan): SoldPlan => ({ id: plan.id, terms: termsOf(plan) })
