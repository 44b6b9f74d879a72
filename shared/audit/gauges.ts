import { Gauge } from 'prom-client'
import { oncePerScrape } from '#shared/platform/metrics/once-per-scrape.ts'
import { sharedFigures } from '#shared/platform/metrics/shared-figures.ts'
import { readCheckFigures } from './chain-check.ts'

const readFigures = oncePerScrape('audit figures', () => sharedFigures('audit', readCheckFigures))

new Gauge({
  name: 'audit_broken_logs',
  help: 'Audit logs whose last nightly verification failed',
  async collect() {
    this.reset()
    const figures = await readFigures()
    if (figures) this.set(figures.broken)
  },
})

new Gauge({
  name: 'audit_oldest_check_seconds',
  help: 'Age of the oldest of the last verifications of all audit logs',
  async collect() {
    this.reset()
    const figures = await readFigures()
    if (figures?.oldestSeconds) this.set(figures.oldestSeconds)
  },
})

new Gauge({
  name: 'audit_oldest_whole_check_seconds',
  help: 'Longest time since an audit log was last verified in full',
  async collect() {
    this.reset()
    const figures = await readFigures()
    if (figures?.oldestWholeSeconds) this.set(figures.oldestWholeSeconds)
  },
})
