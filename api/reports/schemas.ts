import { type TSchema, Type } from 'typebox'
import { DateRangeQuery, MAX_INT4, PageQuery, Shape } from '#shared/platform/http/schema.ts'
import { MAX_DAYS } from '#shared/reports/range.ts'
import { GROUPS } from '#shared/reports/read-report.ts'
import { layoutNames, PERIOD, type Report } from '#shared/reports/report.ts'

/** Returns the parameters of a report. */
export function reportQuery(report: Report): TSchema {
  const { layouts, statuses, inStoreCurrency } = report
  const names = layoutNames(report)
  return Shape({
    ...DateRangeQuery({
      from: `Default: 29 days before \`date_to\`. At most ${MAX_DAYS} days`,
      to: "Inclusive; default: today, in the store's time zone",
    }),
    group: Type.Enum([...GROUPS], {
      default: 'day',
      description: `The length of a period${PERIOD in layouts ? '' : '; the rows of this report are no periods'}`,
    }),
    compare: Type.Optional(
      Type.Enum(['previous'], { description: 'Also read as many days right before the range' }),
    ),
    ...(names.length > 1
      ? {
          by: Type.Optional(
            Type.Enum(names, { default: names[0], description: 'The dimension of the rows' }),
          ),
        }
      : {}),
    ...(statuses
      ? { status: Type.Optional(Type.Enum([...statuses], { description: statusText(report) })) }
      : {}),
    ...(inStoreCurrency
      ? { threshold: Type.Integer({ minimum: 0, maximum: MAX_INT4, default: 5, description: 'Units' }) }
      : {
          currency: Type.Optional(
            Type.String({
              pattern: '^[A-Z]{3}$',
              description: "ISO 4217; default: the store's. Other currencies are left out",
            }),
          ),
        }),
    ...PageQuery,
  })
}

const WITH_STATUS: Record<string, string> = { returns: 'returns', affiliates: 'affiliates' }
const statusText = ({ name }: Report) => `Only ${WITH_STATUS[name] ?? 'orders'} that have this status now`
