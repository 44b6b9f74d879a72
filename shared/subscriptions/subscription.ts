import type { PostalAddress } from '#shared/geo/address.ts'
import type { SavedCard } from '#shared/payments/saved-cards/saved-card.ts'
import { type PartialModelObject, StoreModel } from '#shared/platform/db/model.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import type { Texts } from '#shared/platform/text.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { SubscriptionTerms } from '#shared/recurring-plans/terms.ts'
import { remindAtOf } from './remind-at.ts'
import type { SubscriptionStatus } from './states.ts'
import { indexSubscriptions } from './subscription-words.ts'

/** The fields whose words find a subscription. */
const SEARCHED = ['firstname', 'lastname', 'sku', 'nameI18n', 'terms'] as const

/** A customer's repeating order. Amounts are in minor units of `currency`. */
export class Subscription extends StoreModel {
  static override tableName = 'subscriptions'
  static override jsonAttributes = ['nameI18n', 'terms', 'shippingAddress', 'billingAddress', 'card']

  declare customerId: string
  declare status: SubscriptionStatus
  /** The plan that `terms` were copied from. It may have changed or be deleted. */
  declare recurringPlanId: string
  declare productId: string
  declare variantId: string
  declare nameI18n: Texts
  declare sku: string
  declare quantity: number
  /** The price of a unit in each regular charge. It includes tax if the store's catalog prices do. */
  declare unitPriceMinor: bigint
  /** The least quantity that the price holds for; null: a price of the plan, which holds for any quantity. */
  declare priceQuantity: number | null
  /** The announced price of charges at `nextPriceFrom` or later; null if the price stays. */
  declare nextPriceMinor: bigint | null
  declare nextPriceQuantity: number | null
  declare nextPriceFrom: Date | null
  /** Copied from the plan. Later changes of the plan do not apply. */
  declare terms: SubscriptionTerms
  declare currency: string
  declare language: string
  declare firstname: string
  declare lastname: string
  declare telephone: string
  declare shippingAddress: PostalAddress
  declare billingAddress: PostalAddress
  declare shippingMethodId: string | null
  declare paymentMethod: string
  /** Null before the first payment, and for a payment method without cards. */
  declare card: SavedCard | null
  /** The time at which the customer gave the card. */
  declare cardGivenAt: Date | null
  declare startedAt: Date
  /** The time from which the dates of `terms` count: the start, or the last switch to another plan. */
  declare scheduleFrom: Date
  /** The position of the next charge in the schedule (`chargeDate`). A skipped date has none. */
  declare position: number
  /** The number of the next charge. */
  declare chargeNo: number
  /** The number of charges to come, including those of the trial; null without an end. */
  declare chargesLeft: number | null
  /** Null if no charge follows. */
  declare nextChargeAt: Date | null
  /** The time at which the worker handles it next; null if nothing is due until it changes. */
  declare dueAt: Date | null
  /** Whether it ends at the next date instead of being charged. */
  declare cancelsAtPeriodEnd: boolean
  /** Whether staff began the last pause. */
  declare pausedByStaff: boolean
  /** The time from which a reminder of the next charge is due; null if none is needed or it was sent. */
  declare remindAt: Date | null
  /** The date of the charge of the last reminder. */
  declare remindedFor: Date | null
  declare endedAt: Date | null
  declare createdAt: Date
  declare updatedAt: Date

  /** Changes the row and returns it as it is now. The caller has locked the subscription. */
  async change(
    this: Subscription,
    tx: StoreTx,
    changes: PartialModelObject<Subscription>,
  ): Promise<Subscription> {
    const derived = { remindAt: remindAtOf(this.with(changes)), updatedAt: nextUpdatedAt(this) }
    await Subscription.in(tx)
      .findById(this.id)
      .patch({ ...changes, ...derived })
    const changed = this.with({ ...changes, ...derived })
    if (SEARCHED.some((field) => field in changes)) await indexSubscriptions(tx, [changed])
    return changed
  }
}

/** Whether the worker has a step of a subscription to perform now. */
export const isDue = ({ dueAt }: Pick<Subscription, 'dueAt'>): boolean => dueAt !== null && dueAt <= now()

/** Returns a subscription. With `customerId`, throws `resource.not_found` for another customer's. */
export async function findSubscription(
  tx: StoreTx,
  id: string,
  { customerId }: { customerId?: string | undefined } = {},
): Promise<Subscription> {
  return assertFound(await Subscription.in(tx).findById(id), customerId)
}

/**
 * Locks a subscription until the end of the transaction. Lock it before its orders. Throws `resource.not_found` if it
 * does not exist.
 */
export async function lockSubscription(
  tx: StoreTx,
  id: string,
  { customerId }: { customerId?: string | undefined } = {},
): Promise<Subscription> {
  return assertFound(await Subscription.in(tx).findById(id).forNoKeyUpdate(), customerId)
}

function assertFound(found: Subscription | undefined, customerId: string | undefined): Subscription {
  if (!found || (customerId !== undefined && found.customerId !== customerId)) throw CommonErrors.notFound()
  return found
}
