import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { collectDefaultMetrics, register } from 'prom-client'
import { config } from '#shared/platform/config/config.ts'
import { log } from '#shared/platform/log.ts'
import { measurePool } from './measure-pool.ts'
import './queue-gauges.ts'

collectDefaultMetrics()

/**
 * Serves /metrics on a separate port, which the public listener does not reach. Without METRICS_PORT nothing listens.
 */
export async function startMetrics(): Promise<Server | undefined> {
  const { METRICS_PORT: port, METRICS_HOST: host } = config()
  if (port === undefined) return undefined
  measurePool()
  const server = createServer({ requestTimeout: 10_000 }, serve)
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  log.info({ port: (server.address() as AddressInfo).port }, 'metrics ready')
  return server
}

export function stopMetrics(server: Server | undefined): void {
  server?.close()
  server?.closeAllConnections()
}

async function serve({ method, url }: IncomingMessage, response: ServerResponse): Promise<void> {
  if (method !== 'GET' || url !== '/metrics') {
    response.writeHead(404).end()
    return
  }
  try {
    const text = await register.metrics()
    response.writeHead(200, { 'Content-Type': register.contentType }).end(text)
  } catch (error) {
    log.error({ err: error }, 'metrics failed')
    response.writeHead(500).end()
  }
}
