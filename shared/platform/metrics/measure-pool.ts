import { Counter, Gauge, Histogram } from 'prom-client'
import { db } from '#shared/platform/db/db.ts'
import { poolOf } from '#shared/platform/db/knex-internals.ts'

new Gauge({
  name: 'database_pool_connections',
  help: "Connections of this process's database pool, in use (used) or idle (free)",
  labelNames: ['state'],
  collect() {
    const pool = poolOf(db())
    this.set({ state: 'used' }, pool.numUsed())
    this.set({ state: 'free' }, pool.numFree())
  },
})

new Gauge({
  name: 'database_pool_waiting',
  help: 'Work of this process that waits for a database connection',
  collect() {
    this.set(poolOf(db()).numPendingAcquires())
  },
})

const waits = new Histogram({
  name: 'database_pool_wait_seconds',
  help: 'Time that work of this process waited for a database connection',
  buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
})

const timeouts = new Counter({
  name: 'database_pool_timeouts_total',
  help: 'Work of this process that got no database connection in DATABASE_POOL_WAIT_MS',
})

/** Starts to measure the waits for a connection of the process's pool. */
export function measurePool(): void {
  const pool = poolOf(db())
  const started = new Map<number, number>()
  const end = (id: number): void => {
    const at = started.get(id)
    started.delete(id)
    if (at !== undefined) waits.observe((performance.now() - at) / 1_000)
  }
  pool.on('acquireRequest', (id) => started.set(id, performance.now()))
  pool.on('acquireSuccess', end)
  pool.on('acquireFail', (id) => {
    end(id)
    timeouts.inc()
  })
}
