/** The order that a list is asked for: `-created_at` is by that field, the last first. */
export const sortOrder = (sort: string) =>
  ({ by: sort.replace('-', ''), direction: sort.startsWith('-') ? 'desc' : 'asc' }) as const
