import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { readStore } from '#shared/stores/store.ts'
import { Charge } from './charge.ts'
import type { Subscription } from './subscription.ts'
import { type SubscriptionView, viewSubscription } from './view.ts'

/**
 * The views of subscriptions in the given order, with one query for all charges. Without a language, each is in its
 * own.
 */
export async function viewSubscriptions(
  tx: StoreTx,
  subscriptions: Subscription[],
  language?: string,
): Promise<SubscriptionView[]> {
  const store = await readStore(tx)
  const charges = await Charge.in(tx)
    .whereIn(
      'subscription_id',
      subscriptions.map(({ id }) => id),
    )
    .whereNull('settled_at')
  const open = new Map(charges.map((charge) => [charge.subscriptionId, charge]))
  return subscriptions.map((subscription) =>
    viewSubscription(subscription, open.get(subscription.id), {
      language: language ?? subscription.language,
      store,
    }),
  )
}

/** The view of one subscription. */
export async function loadSubscriptionView(
  tx: StoreTx,
  subscription: Subscription,
  language?: string,
): Promise<SubscriptionView> {
  const [view] = await viewSubscriptions(tx, [subscription], language)
  return view as SubscriptionView
}
