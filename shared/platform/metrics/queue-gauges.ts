import { Gauge } from 'prom-client'
import { type QueueDepth, readQueueDepths } from '#shared/platform/jobs/read-queue-depths.ts'
import { oncePerScrape } from './once-per-scrape.ts'
import { sharedFigures } from './shared-figures.ts'

const readFigures = oncePerScrape('queue figures', () => sharedFigures('queues', readQueueDepths))

const STATES = ['ready', 'deferred', 'active', 'failed', 'dead_letter'] as const

new Gauge({
  name: 'queue_jobs',
  help:
    'Jobs of each queue over all processes: due now (ready), due later (deferred), running (active), out of retries ' +
    '(failed), and kept for an operator (dead_letter)',
  labelNames: ['queue', 'state'],
  async collect() {
    this.reset()
    for (const depth of (await readFigures()) ?? [])
      for (const state of STATES) this.set({ queue: depth.queue, state }, depth[state])
  },
})

new Gauge({
  name: 'queue_oldest_ready_seconds',
  help: 'Time that the oldest job of each queue has been due; 0 when none is',
  labelNames: ['queue'],
  async collect() {
    this.reset()
    for (const { queue, oldest_seconds } of (await readFigures()) ?? ([] as QueueDepth[]))
      this.set({ queue }, oldest_seconds)
  },
})
