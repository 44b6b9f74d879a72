import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { WebhookEndpoint } from './endpoint.ts'
import { lockEndpoint } from './find-endpoint.ts'

/** Deletes an endpoint. Its deliveries stay on record; those under way are given up at their next attempt. */
export async function deleteEndpoint(tx: StoreTx, id: string): Promise<void> {
  await lockEndpoint(tx, id)
  await WebhookEndpoint.in(tx).findById(id).patch({ isActive: false, deletedAt: now() })
}
