import { type TProperties, Type } from 'typebox'
import type { List } from '#shared/platform/db/list.ts'
import { CreatedQuery, Line, PageQuery, Shape } from '#shared/platform/http/schema.ts'

/** The query of a list: what every list takes (decisions, section 1), then the filters of its own. */
export const listQuery = <P extends TProperties = Record<never, never>>(
  { sortNames, order, searches }: List,
  filters = {} as P,
) =>
  Shape({
    ...PageQuery,
    sort: Type.Enum(sortNames, { default: order }),
    q: Type.Optional({ ...Line(200), description: searches }),
    ...filters,
    ...CreatedQuery,
  })
