import { setTimeout as pause } from 'node:timers/promises'
import { db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { DAY_MS, inMs, now } from '#shared/platform/time/clock.ts'
import { enqueueDueCharges } from '#shared/subscriptions/enqueue-due.ts'
import type { Gateway } from '#test/sandbox/gateway/gateway.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildSubscription } from '#test/support/builders/subscriptions.ts'
import { copySubscriptions, countDue, fillDueSubscriptions } from './due-subscriptions.ts'
import { median } from './median.ts'

const DUE = 1_000
const STORES = 2
const SCANS = 21
const POLL_MS = 200

/** Charges of saved cards that are all due together: a row of the table. Needs a running worker process. */
export async function measureCharges(gateway: Gateway): Promise<string[]> {
  const dueAt = now()
  const stores: { id: string }[] = []
  for (let n = 0; n < STORES; n++) {
    const store = await buildStore()
    await fillDueSubscriptions({ gateway, store, count: DUE / STORES, dueAt })
    stores.push(store)
  }
  const begun = performance.now()
  await enqueueDueCharges()
  const left = async () => (await Promise.all(stores.map((store) => countDue(store, dueAt)))).some(Boolean)
  while (await left()) await pause(POLL_MS)
  const perSecond = (DUE * 1_000) / (performance.now() - begun)
  return [`Subscriptions charged, ${count(DUE)} due together`, '', `${perSecond.toFixed(1)}/s`, '', '']
}

/**
 * How long it takes to find 1,000 due subscriptions among this many, beside the same without others: a row of the
 * table. No worker may run, because it would charge them.
 */
export async function measureScan(subscriptions: number): Promise<string[]> {
  const store = await buildStore()
  const { id } = await buildSubscription(store)
  await copySubscriptions(store, id, { count: DUE, dueAt: inMs(-DAY_MS) })
  const few = await scanMs()
  await copySubscriptions(store, id, { count: subscriptions - DUE, dueAt: inMs(DAY_MS) })
  await db().raw('vacuum analyze subscriptions')
  const many = await scanMs()
  await inStore(store.id, ({ knex }) =>
    knex('subscriptions').where('due_at', '<=', now()).update({ due_at: null }),
  )
  return [
    `Due subscriptions found, ${count(DUE)} of ${count(subscriptions)}`,
    `${few.toFixed(1)} ms (of ${count(DUE)})`,
    `${many.toFixed(1)} ms`,
    `${(many / few).toFixed(2)} ×`,
    '≤ 1.3 ×',
  ]
}

async function scanMs(): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < SCANS; n++) {
    const begun = performance.now()
    await db().raw('select count(*) from subscriptions_due(?, 5000)', [now()])
    times.push(performance.now() - begun)
  }
  return median(times)
}

const count = (number: number): string => number.toLocaleString('en')
