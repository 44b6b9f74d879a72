import { raw } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { DAY_MS, inMs, now } from '#shared/platform/time/clock.ts'
import { PublishableKey } from './publishable-key.ts'

// SQL: the time at which a key ended or will end; null if it has no end. An index has it.
const ENDS_AT = 'least(revoked_at, expires_at)'

/** An ended key is kept for this time. */
const RETENTION_MS = 30 * DAY_MS
const MAX_ENDED_KEYS = 100

/**
 * Deletes the store's ended keys except the last 100. Without it, each rotation would add a row until the nightly
 * purge.
 */
export async function deleteSurplusPublishableKeys(tx: StoreTx): Promise<void> {
  const surplus = PublishableKey.in(tx)
    .where(raw(ENDS_AT), '<=', now())
    .orderByRaw(`${ENDS_AT} desc, id desc`)
    .offset(MAX_ENDED_KEYS)
    .select('id')
  await PublishableKey.in(tx).whereIn('id', surplus).delete()
}

/** Deletes the store's keys that ended over 30 days ago. */
export async function purgeEndedPublishableKeys(tx: StoreTx): Promise<void> {
  await PublishableKey.in(tx).where(raw(ENDS_AT), '<', inMs(-RETENTION_MS)).delete()
}
