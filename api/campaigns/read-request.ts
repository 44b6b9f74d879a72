import type { Static } from 'typebox'
import { omitUndefined, toCamelCase, toDateIfPresent } from '#api/platform/input/request-fields.ts'
import { invalidQuery } from '#api/platform/input/request-part.ts'
import type { CampaignInput } from '#shared/campaigns/campaign.ts'
import type { NewCampaign } from '#shared/campaigns/create-campaign.ts'
import type { Days } from '#shared/orders/figures/attributed-sales.ts'
import { DAY_MS, dateIn, now } from '#shared/platform/time/clock.ts'
import type { Store } from '#shared/stores/store.ts'
import type { CreateCampaignRequest, StatsQuery, UpdateCampaignRequest } from './schemas.ts'

/** Converts a request body to the domain's input. */
export const toNewCampaign = (body: Static<typeof CreateCampaignRequest>): NewCampaign => ({
  ...toCampaignChanges(body),
  name: body.name,
  code: body.code,
})

/** Converts the changes of a request body. Absent fields stay absent. */
export const toCampaignChanges = ({
  starts_at,
  ends_at,
  ...fields
}: Static<typeof UpdateCampaignRequest>): Partial<CampaignInput> =>
  omitUndefined({
    ...toCamelCase(fields),
    startsAt: toDateIfPresent(starts_at),
    endsAt: toDateIfPresent(ends_at),
  })

const DEFAULT_DAYS = 30
const MAX_DAYS = 1_100

/**
 * Returns the period of a query, in days of the store. Throws 422 for a period that ends before it starts, or has over
 * 1,100 days.
 */
export function toDays(
  { date_from, date_to }: Static<typeof StatsQuery>,
  { timeZone }: Pick<Store, 'timeZone'>,
): Days {
  const to = date_to ?? dateIn(timeZone, now())
  const from = date_from ?? subtractDays(to, DEFAULT_DAYS - 1)
  if (from > to) throw invalidQuery('date_from', 'date_from must not be after date_to', from)
  if (from < subtractDays(to, MAX_DAYS - 1))
    throw invalidQuery('date_from', `A period has at most ${MAX_DAYS} days`, from)
  return { from, to, timeZone }
}

/** The first day that PostgreSQL and JavaScript write in the same way. */
const FIRST_DAY = '0001-01-01'

function subtractDays(day: string, days: number): string {
  const before = new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, 10)
  return before < FIRST_DAY ? FIRST_DAY : before
}
