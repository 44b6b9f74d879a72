import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { lockEndpoint, WebhookEndpoint } from './endpoint.ts'

/** Deletes an endpoint and keeps its deliveries. Pending ones fail at their next attempt. */
export async function deleteEndpoint(tx: StoreTx, id: string): Promise<void> {
  await lockEndpoint(tx, id)
  await WebhookEndpoint.in(tx).findById(id).patch({ isActive: false, deletedAt: now() })
}
