import { inStore } from '#shared/platform/db/store-scope.ts'
import { fillWindow } from '#shared/webhooks/deliveries/fill-window.ts'
import { findLowWindows } from '#shared/webhooks/deliveries/find-low-windows.ts'

/**
 * Fills the windows of the store's webhooks that are at most half full while deliveries are held. Each is filled in a
 * separate transaction, so that no webhook stays locked while the next ones are filled.
 */
export async function fillLowWindows(storeId: string): Promise<void> {
  for (const webhookId of await findLowWindows(storeId))
    await inStore(storeId, (tx) => fillWindow(tx, webhookId))
}
