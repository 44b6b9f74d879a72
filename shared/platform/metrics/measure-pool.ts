import type { Knex } from 'knex'
import { Counter, Gauge, Histogram } from 'prom-client'
import { waitingWork, watchWaits } from '#shared/platform/db/connection-waits.ts'
import { openPools, watchPools } from '#shared/platform/db/db.ts'
import { type ConnectionPool, poolOf } from '#shared/platform/db/knex-internals.ts'

/** What work waits for: one of the connections that its store may use, or a free connection of the pool. */
const LABELS = ['for'] as const

const sum = (figure: (pool: ConnectionPool) => number): number =>
  openPools().reduce((total, knex) => total + figure(poolOf(knex)), 0)

new Gauge({
  name: 'database_pool_connections',
  help: "Connections of this process's database pools, in use (used) or idle (free)",
  labelNames: ['state'],
  collect() {
    this.set(
      { state: 'used' },
      sum((pool) => pool.numUsed()),
    )
    this.set(
      { state: 'free' },
      sum((pool) => pool.numFree()),
    )
  },
})

new Gauge({
  name: 'database_pool_waiting',
  help: 'Work of this process that waits for a database connection: of its store (share), or of the pool',
  labelNames: LABELS,
  collect() {
    this.set({ for: 'share' }, waitingWork())
    this.set(
      { for: 'pool' },
      sum((pool) => pool.numPendingAcquires()),
    )
  },
})

const waits = new Histogram({
  name: 'database_pool_wait_seconds',
  help: 'Time that work of this process waited for a database connection',
  labelNames: LABELS,
  buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
})

const timeouts = new Counter({
  name: 'database_pool_timeouts_total',
  help: 'Work of this process that got no database connection in DATABASE_POOL_WAIT_MS',
  labelNames: LABELS,
})

/** Starts to measure the waits for a connection of the process's pools. */
export function measurePool(): void {
  for (const what of ['share', 'pool']) timeouts.inc({ for: what }, 0)
  watchPools(measureWaits)
  watchWaits({
    ended: (ms) => waits.observe({ for: 'share' }, ms / 1_000),
    timedOut: () => timeouts.inc({ for: 'share' }),
  })
}

function measureWaits(knex: Knex): void {
  const pool = poolOf(knex)
  const started = new Map<number, number>()
  const end = (id: number): void => {
    const at = started.get(id)
    started.delete(id)
    if (at !== undefined) waits.observe({ for: 'pool' }, (performance.now() - at) / 1_000)
  }
  pool.on('acquireRequest', (id) => started.set(id, performance.now()))
  pool.on('acquireSuccess', end)
  pool.on('acquireFail', (id) => {
    end(id)
    timeouts.inc({ for: 'pool' })
  })
}
