import { type Static, Type } from 'typebox'
import { toColumnNames } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { toTimestampOrNull } from '#shared/platform/http/response-values.ts'
import { Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { inMs, MINUTE_MS, now } from '#shared/platform/time/clock.ts'
import { lockOwner } from './roster.ts'

/** The owner's consent that support sessions may change the store until it expires. A store has at most one. */
export interface SupportConsent {
  /** The staff member who granted it, the owner at that time. */
  grantedBy: string
  grantedAt: Date
  expiresAt: Date
}

const consentOf = ({ knex, storeId }: StoreTx) => knex('support_consents').where('store_id', storeId)

/** Returns the consent in force; undefined if there is none. */
export const findConsent = (tx: StoreTx): PromiseLike<SupportConsent | undefined> =>
  consentOf(tx)
    .where('expires_at', '>', now())
    .first({ grantedBy: 'granted_by', grantedAt: 'granted_at', expiresAt: 'expires_at' })

/** Grants the consent for some minutes from now. It replaces an earlier one. Throws `user.owner_only`. */
export async function grantConsent(tx: StoreTx, ownerId: string, minutes: number): Promise<SupportConsent> {
  await lockOwner(tx, ownerId)
  const consent = { grantedBy: ownerId, grantedAt: now(), expiresAt: inMs(minutes * MINUTE_MS) }
  await tx
    .knex('support_consents')
    .insert({ store_id: tx.storeId, ...toColumnNames(consent) })
    .onConflict('store_id')
    .merge()
  return consent
}

/** Ends the consent on the owner's request: support sessions can change nothing then. Throws `user.owner_only`. */
export async function revokeConsent(tx: StoreTx, ownerId: string): Promise<void> {
  await lockOwner(tx, ownerId)
  await endConsent(tx)
}

/** Ends the consent. The caller has locked the roster. */
export async function endConsent(tx: StoreTx): Promise<void> {
  await consentOf(tx).delete()
}

export const SupportConsentView = Shape({
  allows_changes: Type.Boolean({ description: 'Support sessions may change the store now' }),
  granted_by: Nullable(Uuid),
  granted_at: Nullable(Timestamp),
  expires_at: Nullable(Timestamp),
})

/** Returns the consent in force as staff see it. */
export const viewConsent = (consent: SupportConsent | undefined): Static<typeof SupportConsentView> => ({
  allows_changes: consent !== undefined,
  granted_by: consent?.grantedBy ?? null,
  granted_at: toTimestampOrNull(consent?.grantedAt ?? null),
  expires_at: toTimestampOrNull(consent?.expiresAt ?? null),
})
