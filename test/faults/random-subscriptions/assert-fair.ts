import assert from 'node:assert/strict'
import { Order } from '#shared/orders/order.ts'
import { OrderItem } from '#shared/orders/order-item.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { DAY_MS } from '#shared/platform/time/clock.ts'
import { isTrialCharge } from '#shared/recurring-plans/schedule.ts'
import { isStoreActive } from '#shared/stores/store.ts'
import { Subscription } from '#shared/subscriptions/subscription.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { DISCOUNTED_FROM, DISCOUNTED_MINOR, type Shop, UNIT_MINOR } from './shop.ts'

/** The rows of a shop at one moment. */
export interface Books {
  isOpen: boolean
  subscriptions: Map<string, Subscription>
  orders: Order[]
}

export const readBooks = ({ store }: Shop): Promise<Books> =>
  inStore(store.id, async (tx) => ({
    isOpen: await isStoreActive(tx),
    subscriptions: new Map((await Subscription.in(tx)).map((one) => [one.id, one])),
    orders: await Order.in(tx).orderBy('id'),
  }))

const STOPPED: readonly string[] = ['paused', 'canceled', 'completed', 'expired']

/** Asserts what holds after every step: nobody pays too much, twice, too early, or after a stop. */
export async function assertFair(shop: Shop, before: Books, after: Books, step: string): Promise<void> {
  for (const order of after.orders) assertAmounts(order, step)
  assertPaidOnce(after.orders, step)
  for (const [id, { status }] of before.subscriptions)
    if (status === 'canceled' || status === 'completed')
      assert.equal(after.subscriptions.get(id)?.status, status, `${step}: an end is final`)
  const known = new Set(before.orders.map(({ id }) => id))
  for (const order of after.orders)
    if (!known.has(order.id) && order.chargeNo !== 1) await assertDue(shop, order, { before, after, step })
}

function assertAmounts({ id, totalMinor, amountCapturedMinor, amountRefundedMinor }: Order, step: string) {
  const isFair =
    amountRefundedMinor >= 0n &&
    amountRefundedMinor <= amountCapturedMinor &&
    amountCapturedMinor <= totalMinor
  assert.ok(isFair, `${step}: 0 ≤ refunded ≤ captured ≤ total of order ${id}`)
}

function assertPaidOnce(orders: readonly Order[], step: string): void {
  const paid = orders.filter((one) => one.amountCapturedMinor > one.amountRefundedMinor)
  const charges = paid.map(({ subscriptionId, chargeNo }) => `${subscriptionId} ${chargeNo}`)
  assert.equal(new Set(charges).size, charges.length, `${step}: a charge is paid once`)
}

interface Comparison {
  before: Books
  after: Books
  step: string
}

/** Asserts that a new charge is one of an open store and a running subscription, at its price and not too early. */
async function assertDue(shop: Shop, order: Order, { before, after, step }: Comparison): Promise<void> {
  const subscription = before.subscriptions.get(order.subscriptionId ?? '')
  assert.ok(subscription, `${step}: a later charge belongs to a known subscription`)
  assert.ok(before.isOpen || after.isOpen, `${step}: a suspended store charges nobody`)
  assert.ok(!STOPPED.includes(subscription.status), `${step}: charged while ${subscription.status}`)
  const [line] = await inStore(shop.store.id, (tx) => OrderItem.in(tx).where('order_id', order.id))
  assert.equal(line?.quantity, subscription.quantity, step)
  const lowest = lowestPrice(shop, subscription)
  assert.ok((line?.unitPriceMinor ?? 0n) >= lowest, `${step}: ${line?.unitPriceMinor} is below ${lowest}`)
  assert.ok((line?.unitPriceMinor ?? 0n) <= UNIT_MINOR, `${step}: no price is above the variant's`)

  const earlier = after.orders.filter(
    (one) => one.subscriptionId === subscription.id && one.id !== order.id && one.status !== 'canceled',
  )
  for (const { createdAt } of earlier)
    assert.ok(
      order.createdAt.getTime() - createdAt.getTime() >= DAY_MS,
      `${step}: a day is between two charges of ${subscription.id}`,
    )
}

/** The lowest price at which a unit of the subscription is sold. */
function lowestPrice(
  { planIds }: Shop,
  { terms, position, quantity, recurringPlanId }: Subscription,
): bigint {
  if (isTrialCharge(terms, position)) return 100n
  if (recurringPlanId === planIds[1]) return 700n
  if (recurringPlanId === planIds[2]) return 900n
  return quantity >= DISCOUNTED_FROM ? DISCOUNTED_MINOR : UNIT_MINOR
}

/** Asserts that the gateway holds for each later charge what its order has captured and not refunded. */
export function assertGatewayAgrees({ orders }: Books): void {
  const { payment_intents, refunds } = gateway.ledger()
  for (const { id, chargeNo, amountCapturedMinor, amountRefundedMinor } of orders) {
    // The first order was paid outside the gateway.
    if (chargeNo === 1) continue
    const own = payment_intents.filter(({ metadata }) => metadata.order_id === id)
    const returned = refunds.filter(
      ({ status, payment_intent }) => status === 'succeeded' && own.some((one) => one.id === payment_intent),
    )
    const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)
    const held = sum(own.map((one) => one.amount_received)) - sum(returned.map(({ amount }) => amount))
    assert.equal(BigInt(held), amountCapturedMinor - amountRefundedMinor, `order ${id} and the gateway`)
  }
}
