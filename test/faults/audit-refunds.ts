import { setTimeout as delay } from 'node:timers/promises'
import { Order } from '#shared/orders/order.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { sum } from '#shared/platform/money.ts'
import { Refund } from '#shared/refunds/refund.ts'
import type { Refund as GatewayRefund } from '#test/sandbox/gateway/types.ts'
import type { CapturedOrder } from '#test/support/builders/captured-order.ts'
import { countDiscrepancies } from './count-discrepancies.ts'

export interface RefundedOrder {
  storeId: string
  order: CapturedOrder
  /** Amounts in minor units by the id of the refund. */
  requested: Map<string, bigint>
}

export interface RefundAudit {
  orders: number
  refunds: number
  /** Refunds that the gateway made more than once, or never. */
  doubled: number
  missing: number
  /** Orders whose sum is not the same at the gateway, on the order and among the requests. */
  wrongTotals: number
  /** Refunds that did not succeed. */
  unsettled: number
  /** Refunds that were not published exactly once. */
  wronglyPublished: number
  /** Events that were never published, or share their number in the store's sequence. */
  lostEvents: number
  /** Differences between the books of a store. */
  discrepancies: number
}

/** Compares the money at the gateway with the orders and the published events. */
export async function auditRefunds(orders: RefundedOrder[], made: GatewayRefund[]): Promise<RefundAudit> {
  const audit: RefundAudit = {
    orders: orders.length,
    refunds: 0,
    doubled: 0,
    missing: 0,
    wrongTotals: 0,
    unsettled: 0,
    wronglyPublished: 0,
    lostEvents: 0,
    discrepancies: await countDiscrepancies(orders.map(({ storeId }) => storeId)),
  }
  const madeByOrder = Map.groupBy(made, ({ payment_intent }) => payment_intent)
  for (const order of orders)
    await auditOrder(audit, order, madeByOrder.get(order.order.reference ?? '') ?? [])
  for (const storeId of new Set(orders.map((order) => order.storeId)))
    audit.lostEvents += await countLost(storeId)
  return audit
}

async function auditOrder(
  audit: RefundAudit,
  { storeId, order, requested }: RefundedOrder,
  made: GatewayRefund[],
) {
  const { stored, refunds, published } = await inStore(storeId, async (tx) => ({
    stored: await Order.in(tx).findById(order.id).throwIfNotFound(),
    refunds: await Refund.in(tx).where('order_id', order.id),
    published: await tx
      .knex('events')
      .where('type', 'order.refunded')
      .whereRaw(`data ->> 'id' = ?`, [order.id])
      .select(tx.knex.raw(`data -> 'refund' ->> 'id' as id`)),
  }))
  const total = sum(requested.values())
  const atGateway = BigInt(made.reduce((units, { amount }) => units + amount, 0))
  if (atGateway !== total || stored.amountRefundedMinor !== total) audit.wrongTotals += 1
  audit.refunds += requested.size
  audit.unsettled += requested.size - refunds.filter(({ status }) => status === 'succeeded').length
  for (const id of requested.keys()) {
    const times = made.filter(({ metadata }) => metadata.refund_id === id).length
    if (times > 1) audit.doubled += 1
    if (times === 0) audit.missing += 1
    if (published.filter((event: { id: string }) => event.id === id).length !== 1) audit.wronglyPublished += 1
  }
}

const PUBLISHED_WITHIN_MS = 30_000

/** Waits until the workers have published a store's events. Counts unpublished events and gaps in the sequence. */
async function countLost(storeId: string): Promise<number> {
  const deadline = Date.now() + PUBLISHED_WITHIN_MS
  for (;;) {
    const { all, published, last } = await inStore(storeId, (tx) =>
      tx
        .knex('events')
        .first(
          tx.knex.raw('count(*)::int as all, count(sequence)::int as published, max(sequence)::int as last'),
        ),
    )
    if (all === published || Date.now() > deadline) return all - published + Math.abs((last ?? 0) - published)
    await delay(200)
  }
}
