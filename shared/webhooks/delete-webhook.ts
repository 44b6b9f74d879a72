import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { lockWebhook, Webhook } from './webhook.ts'

/** Deletes a webhook and keeps its deliveries. Pending ones fail at their next attempt. */
export async function deleteWebhook(tx: StoreTx, id: string): Promise<void> {
  await lockWebhook(tx, id)
  await Webhook.in(tx).findById(id).patch({ isActive: false, deletedAt: now() })
}
