import type { Knex } from 'knex'

/** The plan of a statement, as text. Its placeholders are those of PostgreSQL or of Knex. */
export async function planOf(
  knex: Knex,
  sql: string,
  { bindings = [], isGeneric = false }: { bindings?: readonly Knex.RawBinding[]; isGeneric?: boolean } = {},
): Promise<string> {
  const text = isGeneric ? sql : sql.replaceAll(/\$\d+/g, '?')
  const { rows } = await knex.raw<{ rows: Record<string, string>[] }>(
    `explain ${isGeneric ? '(generic_plan) ' : ''}${text}`,
    bindings,
  )
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}
