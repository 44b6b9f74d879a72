import { type Static, Type } from 'typebox'
import { findNextCharge, type RecurringLine } from '#shared/cart/recurring-line.ts'
import { toTimestamp } from '#shared/platform/http/response-values.ts'
import { Money, Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import { pickText } from '#shared/platform/text.ts'
import { Cycle, Duration, DurationUnit, Trial, viewTrial } from '#shared/recurring-plans/view.ts'
import type { Store } from '#shared/stores/store.ts'

/** The plan of a line at the prices of the cart. The checkout of the cart is the first charge. */
export const RecurringLineView = Shape({
  plan_id: Uuid,
  name: Type.String(),
  duration: Duration,
  duration_unit: DurationUnit,
  cycle: Cycle,
  trial: {
    ...Nullable(Trial),
    description: 'Null without a trial, and if an earlier order of the customer has used it',
  },
  price: { ...Money, description: 'What one unit costs in a regular period, at current prices' },
  next_unit_price: {
    ...Nullable(Money),
    description:
      'What one unit costs at the second charge, at current prices. Null: there is one charge only',
  },
  next_line_total: {
    ...Nullable(Money),
    description:
      'The price of the line at the second charge, without shipping costs; with tax where prices include it',
  },
  next_charge_at: {
    ...Nullable(Timestamp),
    description: 'The time of the second charge when the first one is paid now',
  },
})

export function viewRecurringLine(
  line: RecurringLine,
  quantity: number,
  { store, language }: { store: Store; language: string },
): Static<typeof RecurringLineView> {
  const { nameI18n, duration, durationUnit, cycle } = line.terms
  const major = (minor: bigint) => toMajor(minor, store.currency)
  const next = findNextCharge(line, store.timeZone)
  return {
    plan_id: line.planId,
    name: pickText(nameI18n, language, store.defaultLanguage),
    duration,
    duration_unit: durationUnit,
    cycle,
    trial: viewTrialAtPlace(line, store.currency),
    price: major(line.regularPriceMinor),
    next_unit_price: next && major(next.unitPriceMinor),
    next_line_total: next && major(next.unitPriceMinor * BigInt(quantity)),
    next_charge_at: next && toTimestamp(next.at),
  }
}

function viewTrialAtPlace(
  { terms: { trial }, trialPriceMinor }: RecurringLine,
  currency: string,
): Static<typeof Trial> | null {
  if (!trial || trialPriceMinor === null) return null
  return viewTrial({ ...trial, priceMinor: trialPriceMinor }, currency)
}
