import { db } from '#shared/platform/db/db.ts'

/** A table with rows of stores. */
export interface StoreTable {
  name: string
  isSelfReferring: boolean
}

interface Reference {
  from: string
  to: string
}

// The platform's own records about stores outlive them.
const TABLES = `
  select c.relname as name from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'store_id' and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname not like 'platform\\_%'
  order by 1`
const REFERENCES = `
  select k.conrelid::regclass::text as from, k.confrelid::regclass::text as to from pg_constraint k
  where k.contype = 'f' and k.connamespace = 'public'::regnamespace`

/** Every table with rows of stores, as the database has them: none can be forgotten. What refers to another comes first. */
export async function orderOfRemoval(): Promise<StoreTable[]> {
  const [{ rows: tables }, { rows: references }] = [
    await db().raw<{ rows: { name: string }[] }>(TABLES),
    await db().raw<{ rows: Reference[] }>(REFERENCES),
  ]
  return referrersFirst(
    tables.map(({ name }) => name),
    references,
  ).map((name) => ({
    name,
    isSelfReferring: references.some(({ from, to }) => from === name && to === name),
  }))
}

/** Sorts tables so that each stands before those it refers to. Throws where they refer to one another in a circle. */
export function referrersFirst(names: readonly string[], references: readonly Reference[]): string[] {
  const left = new Set(names)
  const sorted: string[] = []
  while (left.size) {
    const free = [...left].filter(
      (name) => !references.some(({ from, to }) => to === name && from !== name && left.has(from)),
    )
    if (!free.length) throw new Error(`These tables refer to one another: ${[...left].join(', ')}`)
    for (const name of free) left.delete(name)
    sorted.push(...free)
  }
  return sorted
}
