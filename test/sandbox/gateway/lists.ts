import type { Table } from './books.ts'
import { invalidParameter, missing } from './errors.ts'
import type { Context } from './events.ts'
import { group, list, type Params, text } from './params.ts'

type Row = { id: string; created: number }
export type Page = {
  object: 'list'
  data: Row[]
  has_more: boolean
  url: string
}

/** A page of a table, newest first, with Stripe's cursors. `equal` names the filters by a field's value. */
export function listPage(
  { books }: Context,
  table: Exclude<Table, 'answers' | 'card_states'>,
  params: Params,
  equal: string[],
): Page {
  const limit = Number(text(params, 'limit') ?? 10)
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) {
    throw invalidParameter('limit', 'Invalid limit: must be between 1 and 100')
  }
  const rows = (books.all(table) as Row[])
    .reverse()
    .filter((row) => !('deleted' in row) && matches(row, params, equal))
  const after = text(params, 'starting_after')
  const before = text(params, 'ending_before')
  const start = after ? positionOf(rows, after, 'starting_after') + 1 : 0
  const end = before ? positionOf(rows, before, 'ending_before') : rows.length
  const page = before ? rows.slice(Math.max(0, end - limit), end) : rows.slice(start, start + limit)
  const has_more = before ? end > limit : rows.length > start + limit
  return { object: 'list', data: page, has_more, url: `/v1/${table}` }
}

function matches(row: Row, params: Params, equal: string[]) {
  const values = row as unknown as Record<string, unknown>
  const types = list(params, 'types')
  return (
    (types.length === 0 || types.includes(String(values.type))) &&
    equal.every((name) => text(params, name) === null || values[name] === text(params, name)) &&
    withinTimes(row.created, group(params, 'created'))
  )
}

const withinTimes = (created: number, bounds: Params) =>
  created >= Number(bounds.gte ?? 0) &&
  created > Number(bounds.gt ?? -1) &&
  created <= Number(bounds.lte ?? Infinity) &&
  created < Number(bounds.lt ?? Infinity)

function positionOf(rows: Row[], id: string, param: string) {
  const position = rows.findIndex((row) => row.id === id)
  if (position === -1) throw missing('object', id, param, 400)
  return position
}
