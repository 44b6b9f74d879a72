import { assertBelowLimit } from '#shared/platform/db/assert-below-limit.ts'
import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { CheckedUrl } from '#shared/platform/net/public-url.ts'
import { now } from '#shared/platform/time/clock.ts'
import { WebhookErrors } from './errors.ts'
import { checkPatterns } from './patterns.ts'
import { makeSecret, sealSecret } from './secret.ts'
import { existingWebhooks, Webhook } from './webhook.ts'

// Each event is stored once for every subscribed webhook.
const MAX_WEBHOOKS = 20

export interface NewWebhook {
  url: CheckedUrl
  events: string[]
  description?: string | null
  isActive?: boolean
}

/** Registers a webhook. Its secret is returned only here and stored sealed. Throws `webhooks.limit_reached`. */
export async function createWebhook(
  tx: StoreTx,
  actorId: string | null,
  input: NewWebhook,
): Promise<{ webhook: Webhook; secret: string }> {
  const events = checkPatterns(input.events)
  await assertBelowLimit(tx, existingWebhooks(tx), MAX_WEBHOOKS, WebhookErrors.limitReached)
  const id = newId()
  const secret = makeSecret()
  const at = now()
  const webhook = await Webhook.in(tx)
    .insert({
      id,
      url: input.url,
      events,
      description: input.description ?? null,
      isActive: input.isActive ?? true,
      secretSealed: sealSecret(secret, id),
      createdBy: actorId,
      createdAt: at,
      updatedAt: at,
    })
    .returning('*')
  return { webhook, secret }
}
