import { type Static, Type } from 'typebox'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Shape } from '#shared/platform/http/schema.ts'
import { pickText } from '#shared/platform/text.ts'
import { readStore } from '#shared/stores/store.ts'
import { Charge } from '#shared/subscriptions/charge.ts'
import { lockSubscription, Subscription } from '#shared/subscriptions/subscription.ts'

/** A charge that an order pays, with the plan's name in the language of the subscription. */
export const ChargeOfOrderView = Shape({ charge_no: Type.Integer(), plan_name: Type.String() })

/** Returns the ids of a subscription's orders; undefined without `subscriptionId`. */
export async function findOrderIdsOfSubscription(
  tx: StoreTx,
  subscriptionId: string | undefined,
): Promise<string[] | undefined> {
  if (!subscriptionId) return undefined
  const charges = await Charge.in(tx)
    .where('subscription_id', subscriptionId)
    .whereNotNull('order_id')
    .select('order_id')
  return charges.flatMap(({ orderId }) => orderId ?? [])
}

/**
 * Returns the charges that an order pays: the first charge of each subscription that it started, or one later charge.
 */
export async function listChargesOfOrder(
  tx: StoreTx,
  orderId: string,
): Promise<Static<typeof ChargeOfOrderView>[]> {
  const charges = await Charge.in(tx).where('order_id', orderId).orderBy('id')
  const subscriptions = await Subscription.in(tx).whereIn(
    'id',
    charges.map(({ subscriptionId }) => subscriptionId),
  )
  const { defaultLanguage } = await readStore(tx)
  const names = new Map(
    subscriptions.map(({ id, terms, language }) => [id, pickText(terms.nameI18n, language, defaultLanguage)]),
  )
  return charges.map(({ subscriptionId, chargeNo }) => ({
    charge_no: chargeNo,
    plan_name: names.get(subscriptionId) ?? '',
  }))
}

/** Locks all subscriptions that an order charges. Lock them before the order, as `settleOpenCharge` does. */
export async function lockSubscriptionsOfOrder(tx: StoreTx, orderId: string): Promise<Subscription[]> {
  const charges = await Charge.in(tx).where('order_id', orderId).orderBy('subscription_id')
  const locked: Subscription[] = []
  for (const { subscriptionId } of charges) locked.push(await lockSubscription(tx, subscriptionId))
  return locked
}
