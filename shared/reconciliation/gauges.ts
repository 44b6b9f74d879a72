import { Gauge } from 'prom-client'
import { oncePerScrape } from '#shared/platform/metrics/once-per-scrape.ts'
import { sharedFigures } from '#shared/platform/metrics/shared-figures.ts'
import { readOutcomeFigures } from './outcome.ts'

const readFigures = oncePerScrape('reconciliation figures', () =>
  sharedFigures('reconciliation', readOutcomeFigures),
)

new Gauge({
  name: 'reconciliation_discrepancies',
  help: 'Differences that the last comparison of the books of each store found, by book',
  labelNames: ['book'],
  async collect() {
    this.reset()
    for (const { book, discrepancies } of (await readFigures()) ?? []) this.set({ book }, discrepancies)
  },
})

new Gauge({
  name: 'reconciliation_oldest_seconds',
  help: 'Age of the oldest of the last comparisons of all stores, by book',
  labelNames: ['book'],
  async collect() {
    this.reset()
    for (const { book, oldestSeconds } of (await readFigures()) ?? [])
      if (oldestSeconds !== null) this.set({ book }, oldestSeconds)
  },
})
