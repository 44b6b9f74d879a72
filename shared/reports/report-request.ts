import { type Static, type TObject, Type } from 'typebox'
import { DateRangeQuery, PageQuery } from '#shared/platform/http/query-parameters.ts'
import { MAX_INT4, Shape } from '#shared/platform/http/schema.ts'
import { MAX_DAYS } from './range.ts'
import { GROUPS } from './read-report.ts'
import { layoutNames, PERIOD, type Report } from './report.ts'

/** Returns the parameters that every report has, apart from the page. */
const rangeFields = ({ layouts }: Report) => ({
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
})

/** Returns the parameters that only some reports have. */
const choiceFields = (report: Report) => ({
  by: Type.Optional(
    Type.Enum(layoutNames(report), {
      default: layoutNames(report)[0],
      description: 'The dimension of the rows',
    }),
  ),
  status: Type.Optional(Type.Enum([...(report.statuses ?? [])], { description: statusText(report) })),
  threshold: Type.Integer({ minimum: 0, maximum: MAX_INT4, default: 5, description: 'Units' }),
  currency: Type.Optional(
    Type.String({
      pattern: '^[A-Z]{3}$',
      description: "ISO 4217; default: the store's. Other currencies are left out",
    }),
  ),
})

const WITH_STATUS: Record<string, string> = { returns: 'returns', affiliates: 'affiliates' }
const statusText = ({ name }: Report) => `Only ${WITH_STATUS[name] ?? 'orders'} that have this status now`

type CommonFields = ReturnType<typeof rangeFields> & typeof PageQuery
type ChoiceFields = ReturnType<typeof choiceFields>

/** The parameters of a request for a report. The dates are in the store's time zone. */
export type ReportRequest = Static<TObject<CommonFields>> & Partial<Static<TObject<ChoiceFields>>>

/** Returns the schema of the parameters of a report. Its type has only those that every report has. */
export function reportQuery(report: Report): TObject<CommonFields> {
  const fields: CommonFields = { ...rangeFields(report), ...choicesOf(report), ...PageQuery }
  return Shape(fields)
}

function choicesOf(report: Report): Partial<ChoiceFields> {
  const { by, status, threshold, currency } = choiceFields(report)
  return {
    ...(layoutNames(report).length > 1 ? { by } : {}),
    ...(report.statuses ? { status } : {}),
    ...(report.inStoreCurrency ? { threshold } : { currency }),
  }
}
