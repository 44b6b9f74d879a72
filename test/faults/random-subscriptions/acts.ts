import type { Chance } from '#migrations/seeds/year-of-orders/chance.ts'
import { assertMayShip } from '#shared/disputes/assert-may-ship.ts'
import { mailNewAddress } from '#shared/order-mails/mail-new-address.ts'
import { cancelOrder } from '#shared/orders/lifecycle/cancel-order.ts'
import { Order } from '#shared/orders/order.ts'
import { updateOrder } from '#shared/orders/update/update-order.ts'
import { payOrder } from '#shared/payments/open/pay-order.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { DAY_MS, HOUR_MS } from '#shared/platform/time/clock.ts'
import { refundRemainder } from '#shared/refunds/request/refund-remainder.ts'
import { requestRefund } from '#shared/refunds/request/request-refund.ts'
import { RIGHTS } from '#shared/staff/rights.ts'
import { transitionStore } from '#shared/stores/lifecycle/transition-store.ts'
import { readStore } from '#shared/stores/store.ts'
import { requestCard } from '#shared/subscriptions/card/request-card.ts'
import { skipDelivery } from '#shared/subscriptions/changes/skip-delivery.ts'
import { updateSubscription } from '#shared/subscriptions/changes/update-subscription.ts'
import { cancelSubscription } from '#shared/subscriptions/lifecycle/cancel-subscription.ts'
import { pauseSubscription } from '#shared/subscriptions/lifecycle/pause-subscription.ts'
import { resumeSubscription } from '#shared/subscriptions/lifecycle/resume-subscription.ts'
import { confirmIntent } from '#test/sandbox/gateway/payment-intents.ts'
import { changeBehaviour } from '#test/sandbox/gateway/payment-methods.ts'
import { confirmSetup } from '#test/sandbox/gateway/setup-intents.ts'
import { ADDRESS } from '#test/support/builders/orders.ts'
import { requester } from '#test/support/builders/refund-requester.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import {
  deliverEvents,
  passTime,
  runJobs,
  runSchedules,
  type Shop,
  type Subscriber,
  subscribe,
} from './shop.ts'

const STAFF = 'staff:1'
const MAX_SUBSCRIBERS = 12

/** A step of a customer, of staff, of the gateway or of time, for one subscription. */
type Act = (shop: Shop, subscriber: Subscriber, chance: Chance) => Promise<unknown>

const within = <T>({ store }: Shop, work: (tx: StoreTx) => Promise<T>): Promise<T> => inStore(store.id, work)

const ownerOf = ({ customerId }: Subscriber) => ({ customerId, actor: `customer:${customerId}` as const })

const latestOrder = async (tx: StoreTx, { id }: Subscriber): Promise<Order | undefined> =>
  Order.in(tx).where('subscription_id', id).orderBy('charge_no', 'desc').first()

/** Plays an act on the latest order of the subscription. */
const onOrder =
  (work: (tx: StoreTx, order: Order, chance: Chance, shop: Shop) => Promise<unknown>): Act =>
  (shop, subscriber, chance) =>
    within(shop, async (tx) => {
      const order = await latestOrder(tx, subscriber)
      return order && work(tx, order, chance, shop)
    })

const setStatus = (to: 'refunded' | 'shipped' | 'canceled') =>
  onOrder((tx, { id }) =>
    updateOrder(
      tx,
      id,
      { status: to },
      {
        staff: { name: STAFF, rights: RIGHTS },
        ifMatch: undefined,
        refunds: { refundRemainder },
        shipping: { assertMayShip },
        mails: { mailNewAddress },
      },
    ),
  )

const percentOf = (minor: bigint, percent: number): bigint => (minor * BigInt(percent)) / 100n || 1n

interface WeightedAct {
  weight: number
  play: Act
  /** The act is for a charge that failed. */
  isOfFailedCharge?: true
}

export const ACTS: Record<string, WeightedAct> = {
  subscribe: {
    weight: 2,
    async play(shop, _, chance) {
      if (shop.subscribers.length >= MAX_SUBSCRIBERS) return
      await subscribe(shop, { planId: chance.pick(shop.planIds), quantity: 1 + chance.below(4) })
    },
  },
  quantity: {
    weight: 4,
    play: (shop, { id, customerId }, chance) =>
      within(shop, (tx) => updateSubscription(tx, id, { quantity: 1 + chance.below(5) }, { customerId })),
  },
  plan: {
    weight: 4,
    play: (shop, { id, customerId }, chance) =>
      within(shop, (tx) =>
        updateSubscription(
          tx,
          id,
          { recurringPlanId: chance.pick(shop.planIds), quantity: 1 + chance.below(5) },
          { customerId },
        ),
      ),
  },
  address: {
    weight: 1,
    play: (shop, { id, customerId }, chance) =>
      within(shop, (tx) =>
        updateSubscription(
          tx,
          id,
          { shippingAddress: ADDRESS, shippingMethodId: chance.pick(shop.shippingIds) },
          { customerId },
        ),
      ),
  },
  skip: {
    weight: 3,
    play: (shop, { id, customerId }) => within(shop, (tx) => skipDelivery(tx, id, { customerId })),
  },
  pause: {
    weight: 2,
    play: (shop, subscriber) =>
      within(shop, (tx) => pauseSubscription(tx, subscriber.id, ownerOf(subscriber))),
  },
  resume: {
    weight: 6,
    play: (shop, subscriber) =>
      within(shop, (tx) => resumeSubscription(tx, subscriber.id, ownerOf(subscriber))),
  },
  cancel: {
    weight: 1,
    play: (shop, subscriber, chance) => {
      const at = chance.pick(['now', 'period_end', 'period_end'] as const)
      return within(shop, (tx) => cancelSubscription(tx, subscriber.id, { ...ownerOf(subscriber), at }))
    },
  },
  card: {
    weight: 3,
    isOfFailedCharge: true,
    async play(shop, subscriber, chance) {
      await within(shop, (tx) => requestCard(tx, subscriber.id, { ...subscriber, network: '203.0.113.0' }))
      await runJobs()
      const setup = gateway.ledger().setup_intents.at(-1)
      if (setup?.status !== 'requires_payment_method') return
      const payment_method = chance.pick(['pm_card_visa', 'pm_card_mastercard', 'pm_card_chargeDeclined'])
      const saved = gateway.change((context) => confirmSetup(context, setup.id, { payment_method }))
      if (saved.payment_method) subscriber.cards.push(saved.payment_method)
    },
  },
  bank: {
    weight: 4,
    async play(_, { cards }, chance) {
      const charges = chance.pick(['decline', 'decline', 'succeed', 'authenticate'] as const)
      gateway.change((context) => changeBehaviour(context, cards.at(-1) ?? '', { charges }))
    },
  },
  payByLink: {
    weight: 4,
    isOfFailedCharge: true,
    async play(shop, subscriber, chance) {
      const buyer = { customerId: subscriber.customerId, accessToken: null }
      const orderId = await within(shop, async (tx) => {
        const order = await latestOrder(tx, subscriber)
        if (order) await payOrder(tx, await readStore(tx), order.id, { buyer, network: '203.0.113.0' })
        return order?.id
      })
      await runJobs()
      const intents = gateway.ledger().payment_intents
      const open = intents.findLast(
        ({ metadata, status }) => metadata.order_id === orderId && status === 'requires_payment_method',
      )
      const payment_method = chance.pick(['pm_card_visa', 'pm_card_chargeDeclined'])
      if (open) gateway.change((context) => confirmIntent(context, open.id, { payment_method }))
    },
  },
  cancelOrder: {
    weight: 1,
    isOfFailedCharge: true,
    play: onOrder((tx, { id, customerId }) => cancelOrder(tx, id, { customerId, accessToken: null })),
  },
  cancelOrderByStaff: { weight: 1, isOfFailedCharge: true, play: setStatus('canceled') },
  ship: { weight: 2, play: setStatus('shipped') },
  refund: {
    weight: 3,
    play: onOrder((tx, { id, totalMinor }, chance) =>
      requestRefund(
        tx,
        id,
        { amountMinor: percentOf(totalMinor, chance.pick([1, 33, 60, 100])) },
        requester(STAFF),
      ),
    ),
  },
  refundAll: { weight: 2, play: setStatus('refunded') },
  openOrSuspendStore: {
    weight: 2,
    play: (shop, _, chance) =>
      within(shop, (tx) => transitionStore(tx, chance.pick(['active', 'active', 'suspended'] as const))),
  },
  fault: {
    weight: 2,
    async play(_, __, chance) {
      const mode = chance.pick(['error_before', 'error_after'] as const)
      gateway.faults.set({
        on: chance.pick(['POST /v1/payment_intents', 'POST /v1/refunds']),
        mode,
        times: 1,
      })
    },
  },
  time: {
    weight: 14,
    async play(shop, _, chance) {
      passTime(shop, chance.pick([HOUR_MS, DAY_MS, 2 * DAY_MS, 7 * DAY_MS, 20 * DAY_MS]))
    },
  },
  schedules: { weight: 18, play: runSchedules },
  deliver: {
    weight: 12,
    play: (shop, _, chance) => deliverEvents(shop, { isReversed: chance.isTrue(0.2) }),
  },
}
