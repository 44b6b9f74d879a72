import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { DAY_MS, inMs } from '#shared/platform/time/clock.ts'
import type { RightsHolder } from '#shared/staff/rights.ts'
import { assertMayReceive } from './readable-events.ts'
import { makeSecret, sealSecret } from './secret.ts'
import { lockWebhook, Webhook } from './webhook.ts'

/**
 * Replaces a webhook's secret, and returns the new one only here. For a day, messages have both signatures. Throws
 * `auth.forbidden` if `by` may not read all events that the secret signs, because its holder can forge them.
 */
export async function rotateSecret(
  tx: StoreTx,
  id: string,
  by: RightsHolder,
): Promise<{ webhook: Webhook; secret: string }> {
  const before = await lockWebhook(tx, id)
  assertMayReceive(by, before.events)
  const secret = makeSecret()
  const webhook = await Webhook.in(tx).patchAndFetchById(id, {
    secretSealed: sealSecret(secret, id),
    previousSecretSealed: before.secretSealed,
    previousSecretUntil: inMs(DAY_MS),
    updatedAt: nextUpdatedAt(before),
  })
  return { webhook, secret }
}
