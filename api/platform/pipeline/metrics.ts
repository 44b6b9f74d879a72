import { collectDefaultMetrics, Gauge, Histogram, register } from 'prom-client'
import { log } from '#shared/platform/log.ts'
import { readOutcomeFigures } from '#shared/reconciliation/outcome.ts'

collectDefaultMetrics()

export const requestSeconds = new Histogram({
  name: 'http_request_seconds',
  help: 'Time to answer a request, by operation and status',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
})

const checkedSeconds = new Gauge({
  name: 'reconciliation_oldest_seconds',
  help: 'Age of the oldest of the last comparisons of all stores, by book',
  labelNames: ['book'],
})

new Gauge({
  name: 'reconciliation_discrepancies',
  help: 'Differences that the last comparison of the books of each store found, by book',
  labelNames: ['book'],
  async collect() {
    try {
      for (const { book, discrepancies, oldestSeconds } of await readOutcomeFigures()) {
        this.set({ book }, discrepancies)
        if (oldestSeconds !== null) checkedSeconds.set({ book }, oldestSeconds)
      }
    } catch (error) {
      // The other figures matter most while the database is away.
      log.warn({ err: error }, 'reconciliation figures unknown')
    }
  },
})

export { register }
