import { type LockedOrder, lockOrder } from '#shared/orders/order.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Transitions } from '#shared/platform/states.ts'

export const CARD_SETUP_STATUSES = ['pending', 'requires_action', 'succeeded', 'canceled', 'failed'] as const
export type CardSetupStatus = (typeof CARD_SETUP_STATUSES)[number]

/** `failed`: the gateway refused to open the setup. A `canceled` setup may already have succeeded at the gateway. */
export const CARD_SETUP_TRANSITIONS: Transitions<CardSetupStatus> = {
  pending: ['requires_action', 'succeeded', 'canceled', 'failed'],
  requires_action: ['succeeded', 'canceled'],
  canceled: ['succeeded'],
  succeeded: [],
  failed: [],
}

export const OPEN_SETUP_STATUSES: CardSetupStatus[] = ['pending', 'requires_action']

/** The purpose of the card: a free first order that waits for it, or a subscription that gets another card. */
export type CardSetupTarget = { orderId: string } | { subscriptionId: string }

/** A request to the buyer to save a card without a charge. Its id is its idempotency key at the gateway. */
export class CardSetup extends StoreModel {
  static override tableName = 'card_setups'

  declare customerId: string
  /** Null for a setup of a subscription. */
  declare orderId: string | null
  /** Null for a setup of an order. */
  declare subscriptionId: string | null
  declare provider: string
  declare status: CardSetupStatus
  /** The gateway's id of the setup, e.g. `seti_…`. */
  declare gatewayReference: string | null
  /** The buyer's browser confirms the setup with it. */
  declare clientSecret: string | null
  /** The buyer's network, kept while the gateway can complete the setup (see payer-network.ts). */
  declare payerNetwork: string | null
  /** The gateway's id of the card; null before the setup succeeds. */
  declare cardReference: string | null
  declare failureReason: string | null
  declare expiresAt: Date
  /** The time at which the gateway could no longer complete it. */
  declare closedAtGateway: Date | null
  /** The time at which the gateway's status was last read. */
  declare readAt: Date | null
  declare createdAt: Date
  declare updatedAt: Date
}

/** Returns the order or the subscription of a setup. */
export function targetOf({ id, orderId, subscriptionId }: CardSetup): CardSetupTarget {
  if (orderId) return { orderId }
  if (subscriptionId) return { subscriptionId }
  throw new Error(`The card setup ${id} is of no order and no subscription`)
}

/** Returns a setup by its id. */
export const findSetup = (tx: StoreTx, id: string): PromiseLike<CardSetup | undefined> =>
  CardSetup.in(tx).findById(id)

/** Returns the setup with this reference at the gateway. */
export const findSetupByReference = (
  tx: StoreTx,
  provider: string,
  reference: string,
): PromiseLike<CardSetup | undefined> => CardSetup.in(tx).findOne({ provider, gateway_reference: reference })

/** Returns a query of the setups of an order or a subscription. */
export const setupsOf = (tx: StoreTx, target: CardSetupTarget) =>
  'orderId' in target
    ? CardSetup.in(tx).where('order_id', target.orderId)
    : CardSetup.in(tx).where('subscription_id', target.subscriptionId)

/** Returns the setup that the buyer may still confirm. */
export const findOpenSetup = (tx: StoreTx, target: CardSetupTarget): PromiseLike<CardSetup | undefined> =>
  setupsOf(tx, target).whereIn('status', OPEN_SETUP_STATUSES).first()

/** Returns the setups that the gateway may still complete. */
export const findSetupsOpenAtGateway = (tx: StoreTx, target: CardSetupTarget): PromiseLike<CardSetup[]> =>
  setupsOf(tx, target).whereNotNull('gateway_reference').whereNull('closed_at_gateway').orderBy('id')

/** Locks the order of a setup, then the setup. Undefined if the store does not have this setup. */
export async function lockSetup(
  tx: StoreTx,
  setupId: string,
): Promise<{ setup: CardSetup; order: LockedOrder | null } | undefined> {
  const found = await CardSetup.in(tx).findById(setupId).select('order_id')
  if (!found) return undefined
  const order = found.orderId ? await lockOrder(tx, found.orderId) : null
  const setup = await CardSetup.in(tx).findById(setupId).forNoKeyUpdate().throwIfNotFound()
  return { setup, order }
}
