import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { CheckedUrl } from '#shared/platform/net/public-url.ts'
import { now } from '#shared/platform/time/clock.ts'
import { WebhookEndpoint } from './endpoint.ts'
import { WebhookErrors } from './errors.ts'
import { checkPatterns } from './patterns.ts'
import { makeSecret, sealSecret } from './secret.ts'

/** Each event is written once for every endpoint that wants it. */
const MOST_ENDPOINTS = 20

export interface NewEndpoint {
  url: CheckedUrl
  events: string[]
  description?: string | null
  isActive?: boolean
}

/** Registers an endpoint. Its secret is returned here and kept sealed. Throws `webhooks.*`. */
export async function createEndpoint(
  tx: StoreTx,
  given: NewEndpoint,
): Promise<{ endpoint: WebhookEndpoint; secret: string }> {
  const events = checkPatterns(given.events)
  await leaveRoom(tx)
  const id = newId()
  const secret = makeSecret()
  const at = now()
  const endpoint = await WebhookEndpoint.in(tx)
    .insert({
      id,
      url: given.url,
      events,
      description: given.description ?? null,
      isActive: given.isActive ?? true,
      secretSealed: sealSecret(secret, id),
      createdAt: at,
      updatedAt: at,
    })
    .returning('*')
  return { endpoint, secret }
}

async function leaveRoom(tx: StoreTx): Promise<void> {
  // Two registrations at once must not both see the last free place.
  await tx.knex.raw("select pg_advisory_xact_lock(hashtextextended('webhook_endpoints ' || ?, 0))", [
    tx.storeId,
  ])
  const count = await WebhookEndpoint.in(tx).whereNull('deleted_at').resultSize()
  if (count >= MOST_ENDPOINTS) throw WebhookErrors.tooMany({ limit: MOST_ENDPOINTS })
}
