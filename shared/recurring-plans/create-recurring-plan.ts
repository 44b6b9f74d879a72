import { bumpCatalogVersion } from '#shared/platform/cache/catalog-version.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { setProducts } from './plan-products.ts'
import {
  findRecurringPlan,
  RecurringPlan,
  type RecurringPlanWithProducts,
  type TrialInput,
  trialColumns,
} from './recurring-plan.ts'
import type { RecurringTerms } from './terms.ts'

/** The input of staff. */
export interface RecurringPlanInput extends Omit<RecurringTerms, 'trial'> {
  trial: TrialInput | null
  isActive: boolean
  /** The position of the plan in the lists of products. */
  sortOrder: number
  productIds: string[]
}

type RequiredField = 'nameI18n' | 'duration' | 'durationUnit'
export type NewRecurringPlan = Pick<RecurringPlanInput, RequiredField> & Partial<RecurringPlanInput>

const DEFAULTS = {
  priceMinor: null,
  cycle: 0,
  trial: null,
  isActive: true,
  sortOrder: 0,
  productIds: [],
}

/**
 * Creates a plan. By default it has the variant's price, no end and no trial. Throws `recurring_plan.limit_reached` if
 * a product has 20 plans already.
 */
export async function createRecurringPlan(
  tx: StoreTx,
  given: NewRecurringPlan,
): Promise<RecurringPlanWithProducts> {
  const { trial, productIds, ...fields } = { ...DEFAULTS, ...given }
  const at = now()
  const { id } = await RecurringPlan.in(tx).insert({
    ...fields,
    ...trialColumns(trial),
    createdAt: at,
    updatedAt: at,
  })
  await setProducts(tx, id, productIds)
  bumpCatalogVersion(tx)
  return findRecurringPlan(tx, id)
}
