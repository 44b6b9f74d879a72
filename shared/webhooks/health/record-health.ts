import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { emit } from '#shared/platform/events/events.ts'
import { DAY_MS, SECOND_MS } from '#shared/platform/time/clock.ts'
import { mailOwner } from '#shared/staff/ownership/mail-owner.ts'
import { type AttemptResult, isGone } from '#shared/webhooks/attempts/attempt.ts'
import { webhookDisabled } from '#shared/webhooks/events.ts'
import { webhookDisabledMail } from '#shared/webhooks/mails/disabled.ts'
import { viewWebhook } from '#shared/webhooks/view.ts'
import { type DisabledReason, Webhook } from '#shared/webhooks/webhook.ts'

/** A response that takes longer marks its webhook as slow. */
export const SLOW_MS = 2 * SECOND_MS
const MAX_FAILURE_MS = 5 * DAY_MS

type Health = Pick<Webhook, 'failingSince' | 'isSlow'>

/**
 * Records a webhook's health; it writes only changes. A webhook that responds 410, or has failed for five days without
 * a success, is disabled. Then it emits `webhook.disabled` and mails the owner.
 */
export async function recordHealth(tx: StoreTx, webhook: Webhook, result: AttemptResult): Promise<Health> {
  const isSlow = result.durationMs > SLOW_MS
  const failingSince = result.error === null ? null : (webhook.failingSince ?? result.at)
  if (isSlow !== webhook.isSlow || failingSince?.getTime() !== webhook.failingSince?.getTime())
    await Webhook.in(tx).findById(webhook.id).patch({ isSlow, failingSince })
  const reason = reasonToDisable(result, failingSince)
  if (reason) await disableWebhook(tx, webhook.id, reason, result.at)
  return { isSlow, failingSince }
}

/** Marks a webhook as slow even before it responds, so that its waiting deliveries move to the slow queue. */
export async function markSlow(tx: StoreTx, webhookId: string): Promise<void> {
  await Webhook.in(tx).where({ id: webhookId, is_slow: false }).patch({ isSlow: true })
}

function reasonToDisable(result: AttemptResult, failingSince: Date | null): DisabledReason | null {
  if (isGone(result)) return 'gone'
  return failingSince && result.at.getTime() - failingSince.getTime() >= MAX_FAILURE_MS ? 'failing' : null
}

async function disableWebhook(tx: StoreTx, id: string, reason: DisabledReason, at: Date): Promise<void> {
  const [webhook] = await Webhook.in(tx)
    .where({ id, is_active: true })
    .patch({ isActive: false, disabledReason: reason, updatedAt: at })
    .returning('*')
  if (!webhook) return
  await emit(tx, webhookDisabled, viewWebhook(webhook))
  await mailOwner(tx, webhookDisabledMail, { url: webhook.url, reason })
}
