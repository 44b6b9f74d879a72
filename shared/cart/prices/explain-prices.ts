import { CartErrors } from '#shared/cart/errors.ts'
import { MAX_EXPLAINED_PRICES } from '#shared/cart/limits.ts'
import { firstPrice, setsFirstPrice } from '#shared/cart/recurring-line.ts'
import {
  findPriceCandidates,
  PRICE_KINDS,
  type PriceCandidate,
} from '#shared/catalog/prices/price-candidates.ts'
import { now } from '#shared/platform/time/clock.ts'
import { takeTurn } from '#shared/platform/time/take-turn.ts'
import { type PriceOf, priceConverter } from '#shared/tax/price-converter.ts'
import type { PricedGoods } from './price-goods.ts'

/** The reasons why a price does not apply, the most important first. */
export const PRICE_REASONS = [
  'not_sold',
  'not_started',
  'ended',
  'too_few',
  'recurring_plan',
  'not_lowest',
] as const
export type PriceReason = (typeof PRICE_REASONS)[number]

/** The kinds of prices of a line. The price of a recurring plan precedes those of the variant. */
export const LINE_PRICE_KINDS = [...PRICE_KINDS, 'recurring_plan'] as const

/** A possible price of a line. `reason` says why it does not apply; null for the applied price. */
export interface ExplainedPrice extends Omit<PriceCandidate, 'kind'> {
  kind: (typeof LINE_PRICE_KINDS)[number]
  reason: PriceReason | null
}

// To explain these takes a millisecond.
const PRICES_PER_TURN = 500

/**
 * Returns all possible prices of each line at the place of the given taxes, by line id. One price of each line applies,
 * unless its variant is no longer sold. For a long cart, it lets other requests run in between. Throws
 * `cart.too_many_prices`.
 */
export async function explainPrices(
  storeId: string,
  { lines, tax }: Pick<PricedGoods, 'lines' | 'tax'>,
  customerId: string | null,
): Promise<Map<string, ExplainedPrice[]>> {
  const at = now()
  const candidates = await findPriceCandidates(
    storeId,
    lines.map(({ variantId }) => variantId),
    { customerId, max: MAX_EXPLAINED_PRICES },
  )
  if (!candidates || countPrices(lines, candidates) > MAX_EXPLAINED_PRICES) throw CartErrors.tooManyPrices()
  const priceOf = priceConverter(tax)
  const explained = new Map<string, ExplainedPrice[]>()
  let pricesInTurn = 0
  for (const line of lines) {
    const atPlace = convertPrices(candidates.get(line.variantId) ?? [], line, priceOf)
    explained.set(line.id, explainLine(line, atPlace, at))
    pricesInTurn += atPlace.length
    if (pricesInTurn < PRICES_PER_TURN) continue
    pricesInTurn = 0
    await takeTurn(storeId)
  }
  return explained
}

type Line = PricedGoods['lines'][number]

/** Counts the prices of all lines. A variant has several lines if it is also bought by plans. */
const countPrices = (lines: readonly Line[], candidates: ReadonlyMap<string, PriceCandidate[]>): number =>
  lines.reduce((sum, { variantId }) => sum + (candidates.get(variantId)?.length ?? 0), 0)

/** Converts the prices of a line's variant to the taxes of a place. */
const convertPrices = (
  candidates: PriceCandidate[],
  { taxClassId }: Line,
  priceOf: PriceOf,
): PriceCandidate[] =>
  candidates.map((candidate) => ({ ...candidate, priceMinor: priceOf(candidate.priceMinor, taxClassId) }))

/** Explains the prices of a line: those of its variant, and that of its plan if the plan has one. */
function explainLine(
  { quantity, sellable, recurring }: Line,
  candidates: PriceCandidate[],
  at: Date,
): ExplainedPrice[] {
  const circumstances = { quantity, at, isSold: sellable.isSellable }
  return recurring && setsFirstPrice(recurring)
    ? explainPlan(candidates, firstPrice(recurring), circumstances)
    : explainVariant(candidates, circumstances)
}

interface Circumstances {
  quantity: number
  at: Date
  isSold: boolean
}

/** Explains the prices of a variant. The lowest applicable price applies; of equal prices the first. */
function explainVariant(candidates: PriceCandidate[], circumstances: Circumstances): ExplainedPrice[] {
  const explained: ExplainedPrice[] = candidates.map((candidate) => ({
    ...candidate,
    reason: findReason(candidate, circumstances),
  }))
  let applied: ExplainedPrice | undefined
  for (const one of explained)
    if (one.reason === null && (!applied || one.priceMinor < applied.priceMinor)) applied = one
  return explained.map((one) =>
    one.reason === null && one !== applied ? { ...one, reason: 'not_lowest' } : one,
  )
}

/** Explains the prices of a line with a plan. The price of the plan applies, even if one of the variant is lower. */
function explainPlan(
  candidates: PriceCandidate[],
  priceMinor: bigint,
  circumstances: Circumstances,
): ExplainedPrice[] {
  const plan = { kind: 'recurring_plan' as const, priceMinor, minQuantity: 1, startsAt: null, endsAt: null }
  const ofVariant = candidates.map((candidate) => ({
    ...candidate,
    reason: findReason(candidate, circumstances) ?? ('recurring_plan' as const),
  }))
  return [...ofVariant, { ...plan, reason: findReason(plan, circumstances) }]
}

function findReason(
  { minQuantity, startsAt, endsAt }: Omit<PriceCandidate, 'kind'>,
  { quantity, at, isSold }: Circumstances,
): PriceReason | null {
  if (!isSold) return 'not_sold'
  if (startsAt && startsAt > at) return 'not_started'
  if (endsAt && endsAt <= at) return 'ended'
  return quantity < minQuantity ? 'too_few' : null
}
