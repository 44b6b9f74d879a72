import { uniqueIds } from '#shared/platform/db/id.ts'
import { lockName } from '#shared/platform/db/lock-name.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { RecurringPlanErrors } from './errors.ts'

/**
 * The use of a plan's trial by an order that starts subscriptions. A customer has the trial of a plan once. An order
 * that is not paid releases it. A released use stays on record.
 */
export class TrialUse extends StoreModel {
  static override tableName = 'trial_uses'

  declare recurringPlanId: string
  declare customerId: string
  declare orderId: string
  declare createdAt: Date
  /** Null while the use counts. */
  declare releasedAt: Date | null
}

/**
 * SQL condition: the customer has used the trial of a plan. The parameters are the alias of the plan and SQL of an id.
 */
export const hasUsedTrialSql = (plan: string, customerId: string): string => `exists (
  select from trial_uses used where used.store_id = ${plan}.store_id and used.customer_id = ${customerId}
    and used.recurring_plan_id = ${plan}.id and used.released_at is null)`

interface OrderOfCustomer {
  id: string
  customerId: string | null
}

/**
 * Records that an order uses the trials of plans. Throws `recurring_plan.trial_used` if another order of the customer
 * has used one of them.
 */
export async function recordTrialUses(
  tx: StoreTx,
  { id: orderId, customerId }: OrderOfCustomer,
  planIds: readonly string[],
): Promise<void> {
  const unique = uniqueIds(planIds)
  if (unique.length === 0) return
  if (!customerId) throw new Error('Only a customer has subscriptions')
  await assertUnused(tx, customerId, unique)
  const use = { customerId, orderId, createdAt: now(), releasedAt: null }
  await TrialUse.in(tx).insert(unique.map((recurringPlanId) => ({ ...use, recurringPlanId })))
}

/** Releases the trials of an order. The caller has locked the order. A repeat changes nothing. */
export async function releaseTrialUses(tx: StoreTx, orderId: string): Promise<void> {
  await TrialUse.in(tx).where('order_id', orderId).whereNull('released_at').patch({ releasedAt: now() })
}

/**
 * Records the released trials of an order as used again. The caller has locked the order. Throws
 * `recurring_plan.trial_used` if another order of the customer has used one of them since.
 */
export async function restoreTrialUses(tx: StoreTx, orderId: string): Promise<void> {
  const released = await TrialUse.in(tx).where('order_id', orderId).whereNotNull('released_at')
  const [first] = released
  if (!first) return
  await assertUnused(
    tx,
    first.customerId,
    released.map(({ recurringPlanId }) => recurringPlanId),
  )
  await TrialUse.in(tx).where('order_id', orderId).patch({ releasedAt: null })
}

/** Throws unless none of the trials is used. Locks the customer's trials, so that two orders cannot both see no use. */
async function assertUnused(tx: StoreTx, customerId: string, planIds: readonly string[]): Promise<void> {
  await lockName(tx.knex, `trials of customer ${tx.storeId} ${customerId}`)
  const used = await TrialUse.in(tx)
    .where({ customer_id: customerId, released_at: null })
    .whereIn('recurring_plan_id', planIds)
    .resultSize()
  if (used > 0) throw RecurringPlanErrors.trialUsed()
}
