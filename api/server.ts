import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { compileChecks, compileCompleteChecks } from '#api/platform/input/input.ts'
import { createHttpServer } from '#api/platform/pipeline/http-server.ts'
import { announceStop } from '#api/platform/pipeline/stopping.ts'
import { config } from '#shared/platform/config/config.ts'
import { startDatabaseProbe, stopDatabaseProbe } from '#shared/platform/db/database-probe.ts'
import { assertRowSecurityApplies, closeDb } from '#shared/platform/db/db.ts'
import { limitPools } from '#shared/platform/db/store-connection-limit.ts'
import { limitTransactions } from '#shared/platform/db/time-limits.ts'
import { closeQueues, queues } from '#shared/platform/jobs/sender.ts'
import { log } from '#shared/platform/log.ts'
import { startMetrics, stopMetrics } from '#shared/platform/metrics/metrics-server.ts'
import { stopListening } from '#shared/platform/notify/listen.ts'
import { stopOnSignal } from '#shared/platform/stop-on-signal.ts'
import { createApp } from './app.ts'
import { endpoints } from './endpoints.ts'
import '#shared/audit/gauges.ts'
import '#shared/reconciliation/gauges.ts'
import '#shared/webhooks/deliveries/gauges.ts'

/** Starts the web process. Resolves when it listens. */
export async function startServer({ port = config().PORT, host = config().HOST } = {}): Promise<Server> {
  await assertRowSecurityApplies()
  limitDatabaseUse()
  await queues()
  compileChecks(endpoints)
  const server = createHttpServer(createApp().callback())
  // Not earlier: the compilation takes more than a second in one turn, for which the probe would blame the database.
  startDatabaseProbe()
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  void compileCompleteChecks(endpoints)
  return server
}

/** Limits the database use of one request, and of all requests of one store. */
function limitDatabaseUse(): void {
  const { STATEMENT_TIMEOUT_MS, READ_TIMEOUT_MS, DATABASE_POOL, DATABASE_POOL_WAIT_MS } = config()
  limitTransactions({
    statement: STATEMENT_TIMEOUT_MS,
    read: READ_TIMEOUT_MS,
    lock: STATEMENT_TIMEOUT_MS / 2,
    idleInTransaction: 3 * STATEMENT_TIMEOUT_MS,
  })
  limitPools(DATABASE_POOL, DATABASE_POOL_WAIT_MS)
}

/**
 * Stops serving without breaking a request. First it tells the load balancer that this process is not ready, and
 * clients that their connections close. After `STOP_DELAY_MS` it accepts no connections, and finishes the requests in
 * progress.
 */
export async function stopServer(server: Server): Promise<void> {
  announceStop()
  await pause(config().STOP_DELAY_MS)
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeIdleConnections()
  await closed
  stopDatabaseProbe()
  await stopListening()
  await closeQueues()
  await closeDb()
}

if (import.meta.main) {
  const server = await startServer()
  const metrics = await startMetrics()
  log.info({ port: (server.address() as AddressInfo).port }, 'web ready')
  stopOnSignal(async () => {
    await stopServer(server)
    stopMetrics(metrics)
  })
}
