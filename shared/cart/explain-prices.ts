import { findPriceCandidates, type PriceCandidate } from '#shared/catalog/prices/price-candidates.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { CartLine } from './cart-line.ts'

/** Why a price does not count; the first that holds. */
export const PRICE_REASONS = ['not_sold', 'not_started', 'ended', 'too_few', 'not_lowest'] as const
export type PriceReason = (typeof PRICE_REASONS)[number]

/** A price that a line may have, and why it has not; null: it has. */
export interface JudgedPrice extends PriceCandidate {
  reason: PriceReason | null
}

/** For each line, by its id, every price that it may have: one of them applies, unless the line is not sold any more. */
export async function explainPrices(
  storeId: string,
  lines: readonly CartLine[],
): Promise<Map<string, JudgedPrice[]>> {
  const at = now()
  const candidates = await findPriceCandidates(
    storeId,
    lines.map(({ variantId }) => variantId),
  )
  return new Map(
    lines.map(({ id, variantId, quantity, sellable }) => [
      id,
      judgePrices(candidates.get(variantId) ?? [], { quantity, at, isSold: sellable.isSellable }),
    ]),
  )
}

interface Circumstances {
  quantity: number
  at: Date
  isSold: boolean
}

/** The lowest of the prices that apply is the one; of equal ones, the first (decisions, section 5). */
function judgePrices(candidates: PriceCandidate[], circumstances: Circumstances): JudgedPrice[] {
  const judged = candidates.map((candidate) => ({
    ...candidate,
    reason: obstacleTo(candidate, circumstances),
  }))
  const chosen = judged
    .filter(({ reason }) => reason === null)
    .reduce<JudgedPrice | null>((best, one) => (best && best.priceMinor <= one.priceMinor ? best : one), null)
  return judged.map((one) => (one.reason === null && one !== chosen ? { ...one, reason: 'not_lowest' } : one))
}

function obstacleTo(
  { minQuantity, startsAt, endsAt }: PriceCandidate,
  { quantity, at, isSold }: Circumstances,
): PriceReason | null {
  if (!isSold) return 'not_sold'
  if (startsAt && startsAt > at) return 'not_started'
  if (endsAt && endsAt <= at) return 'ended'
  return quantity < minQuantity ? 'too_few' : null
}
