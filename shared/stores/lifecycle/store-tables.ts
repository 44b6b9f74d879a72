import { db } from '#shared/platform/db/db.ts'

/** A table with a `store_id` column. */
export interface StoreTable {
  name: string
  /** The columns of rows that refer to other rows of the table. */
  ownReferences: string[]
}

/** A foreign key. */
interface Reference {
  from: string
  to: string
  /** The column beside the `store_id`. */
  column: string
}

// The platform keeps its own records about purged stores.
const TABLES = `
  select c.relname as name from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'store_id' and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname not like 'platform\\_%'
  order by 1`
const REFERENCES = `
  select k.conrelid::regclass::text as from, k.confrelid::regclass::text as to, a.attname as column
  from pg_constraint k
  join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[cardinality(k.conkey)]
  where k.contype = 'f' and k.connamespace = 'public'::regnamespace`

/** Lists every table with rows of stores, from the database's catalog, sorted so that referencing tables come first. */
export async function listTablesInDeletionOrder(): Promise<StoreTable[]> {
  const { rows: tables } = await db().raw<{ rows: { name: string }[] }>(TABLES)
  const { rows: references } = await db().raw<{ rows: Reference[] }>(REFERENCES)
  const names = tables.map(({ name }) => name)
  return sortByReferences(names, references).map((name) => ({
    name,
    ownReferences: references
      .filter(({ from, to }) => from === name && to === name)
      .map(({ column }) => column),
  }))
}

/** Sorts tables so that each precedes the tables it refers to. Throws for circular references. */
export function sortByReferences(
  names: readonly string[],
  references: readonly Pick<Reference, 'from' | 'to'>[],
): string[] {
  const remaining = new Set(names)
  const sorted: string[] = []
  while (remaining.size) {
    const unreferenced = [...remaining].filter(
      (name) => !references.some(({ from, to }) => to === name && from !== name && remaining.has(from)),
    )
    if (!unreferenced.length)
      throw new Error(`These tables refer to each other: ${[...remaining].join(', ')}`)
    for (const name of unreferenced) remaining.delete(name)
    sorted.push(...unreferenced)
  }
  return sorted
}
