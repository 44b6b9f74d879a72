import { Gauge } from 'prom-client'
import { oncePerScrape } from '#shared/platform/metrics/once-per-scrape.ts'
import { sharedFigures } from '#shared/platform/metrics/shared-figures.ts'
import { countHeldDeliveries } from './count-held-deliveries.ts'

// The count probes an index for each store, so it runs less often than those of the queues.
const readFigures = oncePerScrape('held webhook deliveries', () =>
  sharedFigures('webhooks', async () => ({ held: await countHeldDeliveries() }), { freshSeconds: 60 }),
)

new Gauge({
  name: 'webhook_deliveries_held',
  help:
    'Deliveries that have no job yet, because their webhook has many jobs already; at most 1,000 of each store are ' +
    'counted',
  async collect() {
    this.reset()
    const figures = await readFigures()
    if (figures) this.set(figures.held)
  },
})
