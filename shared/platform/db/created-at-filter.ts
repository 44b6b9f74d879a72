/** When the rows that a list is asked for were made: `created_from` counts itself in, `created_to` does not. */
export interface CreatedAtFilter {
  created_from?: string
  created_to?: string
}

interface Query {
  where(column: string, operator: string, value: string): unknown
}

/** Narrows a query to them. */
export function filterByCreatedAt(
  query: Query,
  { created_from, created_to }: CreatedAtFilter,
  column = 'created_at',
): void {
  if (created_from) query.where(column, '>=', created_from)
  if (created_to) query.where(column, '<', created_to)
}
