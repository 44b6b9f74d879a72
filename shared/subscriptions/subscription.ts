import type { PostalAddress } from '#shared/geo/address.ts'
import type { SavedCard } from '#shared/payments/saved-cards/saved-card.ts'
import { type PartialModelObject, StoreModel } from '#shared/platform/db/model.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import type { Texts } from '#shared/platform/text.ts'
import type { SubscriptionTerms } from '#shared/recurring-plans/terms.ts'
import { remindAtOf } from './remind-at.ts'
import type { SubscriptionStatus } from './states.ts'

/** A customer's order that repeats. Amounts in minor units of `currency`. */
export class Subscription extends StoreModel {
  static override tableName = 'subscriptions'
  static override jsonAttributes = ['nameI18n', 'terms', 'shippingAddress', 'billingAddress', 'card']

  declare customerId: string
  declare status: SubscriptionStatus
  /** The plan of `terms`, which may have been changed or deleted since. */
  declare recurringPlanId: string
  declare productId: string
  declare variantId: string
  declare nameI18n: Texts
  declare sku: string
  declare quantity: number
  /** The price of a unit in each charge after the trial, with or without tax as in the store's catalog. */
  declare unitPriceMinor: bigint
  /** The announced price of the charges at `nextPriceFrom` or later; null: it stays. */
  declare nextPriceMinor: bigint | null
  declare nextPriceFrom: Date | null
  /** Copied from the plan, whose changes do not change them. */
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
  /** Null for a method without cards, and until the first payment. */
  declare card: SavedCard | null
  declare startedAt: Date
  /** The time that the dates of `terms` count from: the start, or the change to another plan. */
  declare scheduleFrom: Date
  /** The position of the next charge in the schedule (`chargeDate`). A skipped date has none. */
  declare position: number
  /** The number of the next charge. */
  declare chargeNo: number
  /** Charges still to come, those of the trial included; null: without end. */
  declare chargesLeft: number | null
  /** Null when no charge follows. */
  declare nextChargeAt: Date | null
  /** The time at which the worker looks at it next; null: not before something changes it. */
  declare dueAt: Date | null
  /** It is canceled instead of charged at the next date. */
  declare cancelsAtPeriodEnd: boolean
  /** The time from which the customer is reminded of the next charge; null: not at all, or it is done. */
  declare remindAt: Date | null
  /** The date of the charge that the customer was last reminded of. */
  declare remindedFor: Date | null
  declare endedAt: Date | null
  declare createdAt: Date
  declare updatedAt: Date

  /** Changes the row, which the caller has locked. */
  async change(tx: StoreTx, changes: PartialModelObject<Subscription>): Promise<void> {
    const updatedAt = nextUpdatedAt(this)
    Object.assign(this, changes, { updatedAt })
    this.remindAt = remindAtOf(this)
    await Subscription.in(tx)
      .findById(this.id)
      .patch({ ...changes, remindAt: this.remindAt, updatedAt })
  }
}

/** A subscription of the store, or of the given customer. Unknown, or another customer's: 404. */
export async function findSubscription(
  tx: StoreTx,
  id: string,
  { customerId }: { customerId?: string | undefined } = {},
): Promise<Subscription> {
  return assertFound(await Subscription.in(tx).findById(id), customerId)
}

/** Locks a subscription until the end of the transaction. It is locked before its orders. Unknown: 404. */
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
