import { type TProperties, Type } from 'typebox'
import type { List } from '#shared/platform/db/list.ts'
import { CreatedQuery, PageQuery } from '#shared/platform/http/query-parameters.ts'
import { Line, Shape } from '#shared/platform/http/schema.ts'

/**
 * Returns the query of a list: the parameters of every list, then its own filters, and those that the operation adds.
 */
export const listQuery = <F extends TProperties, P extends TProperties = Record<never, never>>(
  list: List<F>,
  more = {} as P,
) =>
  Shape({
    ...PageQuery,
    sort: sortOf(list),
    q: Type.Optional({ ...Line(200), description: list.searches }),
    ...list.filters,
    ...more,
    ...CreatedQuery,
  })

/** Returns the schema of the sort. It has no default, because a default would hide that a search names no sort. */
const sortOf = ({ sortNames, order, relevance }: List) =>
  Type.Optional(
    Type.Enum(
      sortNames,
      relevance
        ? { description: `Default: with \`q\`, ${relevance}; else \`${order}\`` }
        : { default: order },
    ),
  )
