import { hmac, sha256 } from '#shared/platform/secrets/crypto.ts'
import { saltOf } from './daily-salt.ts'

/** A caller who follows a link. */
export interface Visitor {
  /** The storefront's own random text for the visitor, if it sends one. */
  visitorId?: string | undefined
  ip: string
  userAgent: string
}

const HASH_BYTES = 16

/** Returns the hash of a storefront's own id of a visitor. It is the same on every day, but differs between stores. */
export const hashVisitorId = (storeId: string, visitorId: string): Buffer =>
  sha256(`visitor ${storeId} ${visitorId}`).subarray(0, HASH_BYTES)

/**
 * Returns the hash of a visitor on a day (YYYY-MM-DD): of the storefront's own id, or else of address and agent with
 * the salt of the day. Nothing else of the visitor is stored. The salt is deleted later, so that nobody can find the
 * address.
 */
export async function hashVisitor(
  storeId: string,
  { visitorId, ip, userAgent }: Visitor,
  day: string,
): Promise<Buffer> {
  if (visitorId !== undefined) return hashVisitorId(storeId, visitorId)
  return hmac(await saltOf(day), `${storeId} ${ip} ${userAgent}`).subarray(0, HASH_BYTES)
}
