import { setTimeout as delay } from 'node:timers/promises'
import { Order } from '#shared/orders/order.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { Buyers, buildShop } from './buyers.ts'
import { countDiscrepancies } from './count-discrepancies.ts'
import { openInstallation } from './installation.ts'
import { startService } from './service.ts'

export interface StopReport {
  stops: number
  /** Orders that a client received a response for. */
  acknowledged: number
  /** Acknowledged orders that the database does not have. */
  lost: number
  /** Orders beyond the acknowledged ones: a checkout that was repeated with its key was placed twice. */
  doubled: number
  /** Events that the worker has not published. */
  unpublished: number
  /** Differences between the books of the store. */
  discrepancies: number
  answers: Record<string, number>
  /** For each stop, the time until an order is acknowledged again. */
  backAfterMs: number[]
  processesSurvived: boolean
  seconds: number
}

const BUYERS = 8
const BETWEEN_STOPS = 40
const LONGEST_MS = 60_000

/** Stops the database immediately, as a power cut would, several times while buyers place orders. */
export async function runStops({
  stops,
  onStop = () => {},
}: {
  stops: number
  onStop?: (stopped: number) => void
}): Promise<StopReport> {
  const started = performance.now()
  await using installation = await openInstallation({ durable: true })
  const shop = await buildShop()
  await using service = await startService(installation.env)
  const buyers = new Buyers(service.url, shop, BUYERS)

  const backAfterMs: number[] = []
  for (let n = 1; n <= stops; n++) {
    await buyers.more(BETWEEN_STOPS, LONGEST_MS)
    const stopped = performance.now()
    await installation.postgres.restart('immediate')
    await buyers.more(1, LONGEST_MS)
    backAfterMs.push(Math.round(performance.now() - stopped))
    onStop(n)
  }
  await buyers.more(BETWEEN_STOPS, LONGEST_MS)
  await buyers.leave()

  return {
    stops,
    ...(await auditOrders(shop.id, [...buyers.orders.values()])),
    answers: Object.fromEntries(buyers.answers),
    backAfterMs,
    processesSurvived: service.isAlive,
    seconds: (performance.now() - started) / 1000,
  }
}

async function auditOrders(storeId: string, acknowledged: string[]) {
  const kept = new Set((await inStore(storeId, (tx) => Order.in(tx).select('id'))).map(({ id }) => id))
  return {
    acknowledged: acknowledged.length,
    lost: acknowledged.filter((id) => !kept.has(id)).length,
    doubled: kept.size - new Set(acknowledged).size,
    unpublished: await countUnpublished(storeId),
    discrepancies: await countDiscrepancies([storeId]),
  }
}

/** Waits until the worker has published all events. Returns the number of unpublished ones. */
async function countUnpublished(storeId: string): Promise<number> {
  const deadline = Date.now() + LONGEST_MS
  for (;;) {
    const [{ left }] = await inStore(storeId, (tx) =>
      tx.knex('events').whereNull('sequence').select(tx.knex.raw('count(*)::int as left')),
    )
    if (left === 0 || Date.now() > deadline) return left
    await delay(200)
  }
}
