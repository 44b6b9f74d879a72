import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { readStore } from '#shared/stores/store.ts'
import { Charge } from './charge.ts'
import type { Subscription } from './subscription.ts'
import { type SubscriptionView, viewSubscription } from './view.ts'

/**
 * Returns the views of subscriptions in the same sequence. One query loads all charges. Without `language`, each view
 * is in the language of its subscription.
 */
export async function loadSubscriptionViews(
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

/** Returns the view of one subscription. */
export async function loadSubscriptionView(
  tx: StoreTx,
  subscription: Subscription,
  language?: string,
): Promise<SubscriptionView> {
  const [view] = await loadSubscriptionViews(tx, [subscription], language)
  return view as SubscriptionView
}
