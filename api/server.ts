import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApp } from '#api/app.ts'
import { announceStop } from '#api/platform/pipeline/health.ts'
import { createHttpServer } from '#api/platform/pipeline/http-server.ts'
import { config } from '#shared/platform/config/config.ts'
import { assertRowSecurityApplies, closeDb } from '#shared/platform/db/db.ts'
import { closeQueues, queues } from '#shared/platform/jobs/enqueue.ts'
import { log } from '#shared/platform/log.ts'
import { stopListening } from '#shared/platform/notify/listen.ts'
import { stopOnSignal } from '#shared/platform/stop.ts'

/** Starts the web process; resolves when it listens. */
export async function startServer({ port = config().PORT, host = config().HOST } = {}): Promise<Server> {
  await assertRowSecurityApplies()
  await queues()
  const server = createHttpServer(createApp().callback())
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  return server
}

/** Stops accepting requests, finishes those in progress, then closes all connections. */
export async function stopServer(server: Server): Promise<void> {
  announceStop()
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeIdleConnections()
  await closed
  await stopListening()
  await closeQueues()
  await closeDb()
}

if (import.meta.main) {
  const server = await startServer()
  log.info({ port: (server.address() as AddressInfo).port }, 'web ready')
  stopOnSignal(() => stopServer(server))
}
