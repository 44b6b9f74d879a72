import { Counter, Histogram } from 'prom-client'

// It has no label `status`: a histogram has sixteen lines for each combination of labels, and a scrape that writes the
// lines of all statuses would block the event loop for 50 ms.
const requestSeconds = new Histogram({
  name: 'http_request_seconds',
  help: 'Time to answer a request, by operation',
  labelNames: ['method', 'route'],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
})

export const requests = new Counter({
  name: 'http_requests_total',
  help: 'Answered requests, by operation and status',
  labelNames: ['method', 'route', 'status'],
})

const closed = new Counter({
  name: 'http_connections_closed_total',
  help: 'Connections that this process closed because of a limit: of all of them, or of pipelined requests',
  labelNames: ['limit'],
})

/** Counts a connection that is closed because it or the process is past a limit. */
export const countClosed = (limit: 'all' | 'pipelined'): void => closed.inc({ limit })

/** Counts a request and its time in milliseconds. `route` is the path of its operation, with placeholders. */
export function measureRequest(request: { method: string; route: string; status: number; ms: number }): void {
  const { method, route, status, ms } = request
  requestSeconds.observe({ method, route }, ms / 1_000)
  requests.inc({ method, route, status: String(status) })
}
