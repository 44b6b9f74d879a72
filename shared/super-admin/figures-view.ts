import { type Static, Type } from 'typebox'
import { toTimestampOrNull } from '#shared/platform/http/response-values.ts'
import { CurrencyCode, Nullable, Shape, Timestamp } from '#shared/platform/http/schema.ts'
import type { Figures, FiguresPeriod } from './read-figures.ts'

const Day = Type.String({ format: 'date' })
const Count = Type.Integer({ minimum: 0 })

export const PlatformFiguresView = Shape({
  date_from: Day,
  date_to: Day,
  stores: Shape({ active: Count, suspended: Count, deleted: Count }),
  sales: Type.Array(Shape({ currency: CurrencyCode, orders: Count, revenue: Type.Number() })),
  tallied_at: Nullable(Timestamp),
})

/** Returns the platform's figures for a period. */
export const viewFigures = (
  { from, to }: FiguresPeriod,
  { stores, sales, talliedAt }: Figures,
): Static<typeof PlatformFiguresView> => ({
  date_from: from,
  date_to: to,
  stores,
  sales,
  tallied_at: toTimestampOrNull(talliedAt),
})
