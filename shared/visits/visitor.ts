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

/** The hash of a storefront's own id of a visitor. It is the same on every day, and another in every store. */
export const hashVisitorId = (storeId: string, visitorId: string): Buffer =>
  sha256(`visitor ${storeId} ${visitorId}`).subarray(0, HASH_BYTES)

/**
 * The hash that a visitor has on a day (YYYY-MM-DD): of the storefront's own id, else of address and agent under the
 * salt of the day. Nothing else of the visitor is stored; without the salt, which is deleted, an address cannot be
 * found.
 */
export async function hashVisitor(
  storeId: string,
  { visitorId, ip, userAgent }: Visitor,
  day: string,
): Promise<Buffer> {
  if (visitorId !== undefined) return hashVisitorId(storeId, visitorId)
  return hmac(await saltOf(day), `${storeId} ${ip} ${userAgent}`).subarray(0, HASH_BYTES)
}
