import '#test/support/database.ts'
import { after } from 'node:test'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { checkBaseUrl } from '#shared/remote-catalog/connection/check-base-url.ts'
import {
  type ConnectionSettings,
  replaceConnection,
} from '#shared/remote-catalog/connection/replace-connection.ts'
import type { RemoteConnection } from '#shared/remote-catalog/connection.ts'
import { startTill, type Till } from '#test/sandbox/till.ts'
import { nextNumber } from '#test/support/builders/store.ts'

/** A till in this process, until the tests end. Default: no rate limit that a test reaches. */
export async function buildTill(options: Parameters<typeof startTill>[0] = {}): Promise<Till> {
  const till = await startTill({ size: 300, perSecond: 10_000, burst: 10_000, ...options })
  after(() => till.stop())
  return till
}

/** An API key that no other connection uses. */
export const buildTillKey = (): string => `till-key-${nextNumber()}-${'s'.repeat(16)}`

/** Connects a store to a till, by default at a rate that delays no request. Returns the API key. */
export async function connectTill(
  store: { id: string },
  till: { url: string },
  given: Partial<Omit<ConnectionSettings, 'baseUrl'>> = {},
): Promise<string> {
  const apiKey = given.apiKey ?? buildTillKey()
  const baseUrl = await checkBaseUrl(till.url)
  const settings = { baseUrl, requestsPerSecond: 100, burst: 100, ...given, apiKey }
  await inStore(
    store.id,
    (tx): Promise<RemoteConnection | undefined> => replaceConnection(tx, null, settings),
  )
  return apiKey
}
