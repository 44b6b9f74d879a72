import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { pickText } from '#shared/platform/text.ts'
import { readStore } from '#shared/stores/store.ts'
import { Charge } from '../charge.ts'
import { lockSubscription, Subscription } from '../subscription.ts'

/** A charge that an order is, with the name of the subscription's plan in its language. */
export interface ChargeOfOrder {
  charge_no: number
  plan_name: string
}

/** The ids of the orders of a subscription's charges. Undefined without a subscription: the filter is not set. */
export async function findOrdersOfSubscription(
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

/** The charges that an order pays: the first charge of each subscription that it started, or one later charge. */
export async function listChargesOfOrder(tx: StoreTx, orderId: string): Promise<ChargeOfOrder[]> {
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

/** Locks all subscriptions that an order charges. `settleOpenCharge` locks the order after them. */
export async function lockSubscriptionsOfOrder(tx: StoreTx, orderId: string): Promise<Subscription[]> {
  const charges = await Charge.in(tx).where('order_id', orderId).orderBy('subscription_id')
  const locked: Subscription[] = []
  for (const { subscriptionId } of charges) locked.push(await lockSubscription(tx, subscriptionId))
  return locked
}
