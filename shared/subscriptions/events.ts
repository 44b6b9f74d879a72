import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { defineEvent, type EventKind, emit } from '#shared/platform/events/events.ts'
import { loadSubscriptionView } from './load-subscription-views.ts'
import type { Subscription } from './subscription.ts'
import { SubscriptionView } from './view.ts'

const define = (type: string, summary: string) =>
  defineEvent(`subscription.${type}`, 'sales', summary, SubscriptionView)

export const SubscriptionEvents = {
  created: define('created', 'A customer subscribed: the first order is placed'),
  charged: define('charged', 'A charge of a subscription was paid'),
  paymentFailed: define(
    'payment_failed',
    'A charge of a subscription failed, and is tried again or given up',
  ),
  updated: define('updated', 'A subscription changed: its quantity, address, first card, plan or dates'),
  cardChanged: define('card_changed', 'The card of a subscription was replaced by another one'),
  paused: define('paused', 'A subscription was paused'),
  resumed: define('resumed', 'A paused subscription was resumed'),
  suspended: define('suspended', 'The last attempt to charge a subscription failed'),
  cancellationScheduled: define(
    'cancellation_scheduled',
    'A subscription was canceled for the end of its period',
  ),
  canceled: define('canceled', 'A subscription was canceled'),
  completed: define('completed', 'The last charge of a subscription was paid'),
}

/** Emits an event with the present state of the subscription. Returns the id of the event. */
export const emitSubscriptionEvent = async (
  tx: StoreTx,
  kind: EventKind<typeof SubscriptionView>,
  subscription: Subscription,
): Promise<string> => emit(tx, kind, await loadSubscriptionView(tx, subscription))
