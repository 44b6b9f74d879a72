import { inStore } from '#shared/platform/db/store-scope.ts'
import { publishEvents } from '#shared/platform/events/events.ts'
import { awaitRefund } from '#shared/refunds/await-refund.ts'
import { sendRefund } from '#shared/refunds/jobs.ts'
import { requestRefund } from '#shared/refunds/request/request-refund.ts'
import { startGateway } from '#test/sandbox/gateway/gateway.ts'
import { buildCapturedOrder, type CapturedOrder } from '#test/support/builders/captured-order.ts'
import { requester } from '#test/support/builders/refund-requester.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { auditRefunds, type RefundAudit, type RefundedOrder } from './audit-refunds.ts'
import { openInstallation } from './installation.ts'
import { Killer, type Point } from './killer.ts'
import { superviseQuickly } from './supervise-quickly.ts'
import { WorkerPool } from './worker-pool.ts'

export interface KillRun {
  /** Workers to kill. */
  kills: number
  /** The control: a gateway that does each call as often as it comes. */
  ignoreIdempotencyKeys?: boolean
  onKill?: (killed: number) => void
}

export interface KillReport extends RefundAudit {
  kills: Record<Point, number>
  seconds: number
}

const STORES = 5
const ORDERS_PER_STORE = 4
const WORKERS = 3
const LONGEST_MS = 300_000

/**
 * Refunds parts of paid orders, over and over, through real worker processes and a real gateway over HTTP, and kills
 * the workers around the gateway's call. Then counts the money on both sides.
 */
export async function runKills({
  kills,
  ignoreIdempotencyKeys = false,
  onKill,
}: KillRun): Promise<KillReport> {
  const started = performance.now()
  await using gateway = disposable(
    await startGateway({ secretKey: 'sk_test_sandbox_gateway', ignoreIdempotencyKeys }),
    (open) => open.stop(),
  )
  await using installation = await openInstallation({ durable: false }, { STRIPE_API_URL: gateway.value.url })
  await using _supervisor = await superviseQuickly([sendRefund, publishEvents])
  const orders = await buildOrders(gateway.value)
  await using workers = new WorkerPool(WORKERS, installation.env)
  const killer = new Killer(gateway.value, workers, {
    path: '/v1/refunds',
    wasMade: ({ refunds }, key) => refunds.some(({ metadata }) => metadata.refund_id === key),
    target: kills,
    onKill,
  })

  const refunding = orders.map((order) => refundInParts(order, () => killer.isDone))
  await Promise.race([Promise.all(refunding), workers.broken])
  const audit = await auditRefunds(orders, gateway.value.ledger().refunds)
  return { ...audit, kills: killer.kills, seconds: (performance.now() - started) / 1000 }
}

async function buildOrders(gateway: Awaited<ReturnType<typeof startGateway>>): Promise<RefundedOrder[]> {
  const orders: RefundedOrder[] = []
  for (let s = 0; s < STORES; s++) {
    const store = await buildStore()
    for (let n = 0; n < ORDERS_PER_STORE; n++) {
      const order: CapturedOrder = await buildCapturedOrder(store, {
        gateway,
        lines: [{ priceMinor: 1_000_000n, quantity: 1 }],
      })
      orders.push({ storeId: store.id, order, requested: new Map() })
    }
  }
  return orders
}

/** Refunds a little of an order after the other until the run ends; each is waited for, however long it takes. */
async function refundInParts({ storeId, order, requested }: RefundedOrder, isDone: () => boolean) {
  for (let n = 1; !isDone(); n++) {
    const amountMinor = BigInt(n)
    const refund = await inStore(storeId, (tx) =>
      requestRefund(tx, order.id, { amountMinor }, requester('system')),
    )
    requested.set(refund.id, amountMinor)
    const settled = await awaitRefund(storeId, refund.id, LONGEST_MS)
    if (settled.isInProgress) throw new Error(`The refund ${refund.id} was not settled in time`)
  }
}

const disposable = <T>(value: T, close: (value: T) => Promise<unknown>) => ({
  value,
  [Symbol.asyncDispose]: async () => void (await close(value)),
})
