import type { Store } from '#shared/stores/store.ts'
import { sendHostileBodies } from '#test/faults/hostile-bodies.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'

const BODIES = 400

interface Subject {
  store: Store
  serviceUrl: string
  metricsUrl: string
}

/** What bodies that are expensive to parse and check cost a web process: a row of the table. */
export async function measureHostileBodies({ store, serviceUrl, metricsUrl }: Subject): Promise<string[]> {
  const { token } = await buildStaff(store, { role: 'catalog' })
  const target = { url: `${serviceUrl}/api/v1`, metricsUrl, token }
  const { loopDelayMs, slowest, growthMib } = await sendHostileBodies(target, BODIES)
  return [
    `${BODIES} hostile bodies of 16 KB and 1 MB, 16 at a time`,
    '–',
    `longest event-loop delay ${loopDelayMs} ms (alone: ${slowest.loopDelayMs} ms by ${slowest.kind}), growth ${growthMib} MiB`,
    '–',
    '≤ 50 ms, < 50 MiB',
  ]
}
