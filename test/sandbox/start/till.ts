import { inStore } from '#shared/platform/db/store-scope.ts'
import { checkBaseUrl } from '#shared/remote-catalog/connection/check-base-url.ts'
import { replaceConnection } from '#shared/remote-catalog/connection/replace-connection.ts'
import { findConnection } from '#shared/remote-catalog/connection.ts'

/** The demo store that browses the catalog of the sandbox's till. */
export const CONNECTED_STORE = 'harbor'
const API_KEY = 'till_demo_harbor'

/** Connects the store to the till, again if its address has changed since the last start. */
export async function connectTill(storeId: string, tillUrl: string): Promise<void> {
  const baseUrl = await checkBaseUrl(tillUrl)
  await inStore(storeId, async (tx) => {
    const known = await findConnection(tx)
    if (known?.baseUrl !== baseUrl) await replaceConnection(tx, null, { baseUrl, apiKey: API_KEY })
  })
}
