import { inStore } from '#shared/platform/db/store-scope.ts'
import { checkBaseUrl } from '#shared/remote-catalog/connection/check-base-url.ts'
import { replaceConnection } from '#shared/remote-catalog/connection/replace-connection.ts'
import type { Store } from '#shared/stores/store.ts'
import { startTill } from '#test/sandbox/till.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { median } from './median.ts'

const CALLS_A_ROUND = 40
const API_KEY = 'till-key-of-the-bench'
// High enough that neither the till's limit nor the service's affects the measurement.
const LIMIT = { requestsPerSecond: 100, burst: 100 }

interface Subject {
  store: Store
  serviceUrl: string
  rounds: number
}

/** A page of the external catalog through web and worker, and directly from the till: a row of the table. */
export async function measureRemoteCatalog({ store, serviceUrl, rounds }: Subject): Promise<string[]> {
  const till = await startTill({ perSecond: 100_000, burst: 100_000 })
  const baseUrl = await checkBaseUrl(till.url)
  await inStore(store.id, (tx) => replaceConnection(tx, null, { baseUrl, apiKey: API_KEY, ...LIMIT }))
  const { token } = await buildStaff(store, { role: 'catalog' })
  const direct = () => time(`${till.url}/items?page=1&page_size=50`, { 'X-Api-Key': API_KEY })
  const ours = () =>
    time(`${serviceUrl}/api/v1/admin/remote/catalog?page=1`, { Authorization: `Bearer ${token}` })

  const measured: { direct: number; ours: number }[] = []
  for (let round = 0; round <= rounds; round++)
    for (let n = 0; n < CALLS_A_ROUND; n++) {
      const pair = { direct: await direct(), ours: await ours() }
      if (round > 0) measured.push(pair)
    }
  await till.stop()

  const ms = (value: number) => `${value.toFixed(1)} ms`
  const middle = (side: 'direct' | 'ours') => median(measured.map((pair) => pair[side]))
  const more = median(measured.map((pair) => pair.ours - pair.direct))
  return [
    'Linked catalog, 50 items, one at a time',
    `${ms(middle('direct'))} (the till itself)`,
    ms(middle('ours')),
    `+ ${ms(more)}`,
    '≤ + 30 ms',
  ]
}

async function time(url: string, headers: Record<string, string>): Promise<number> {
  const started = performance.now()
  const response = await fetch(url, { headers })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${url} answers ${response.status}: ${text}`)
  return performance.now() - started
}
