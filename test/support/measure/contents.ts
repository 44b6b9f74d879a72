import { superuser } from '#test/support/database.ts'

/** Responses to idempotent requests are stored for refusals too and are not a change of the store. */
const NOT_COMPARED = ['idempotency_keys']

let statement: Promise<string> | undefined

/** A fingerprint of every table's rows in all stores: the same before and after when nothing was written. */
export async function contents(): Promise<Record<string, string>> {
  statement ??= writeStatement()
  const { rows } = await superuser.query({ name: 'contents', text: await statement })
  return rows[0].prints
}

/** One statement for all tables, planned once: hundreds of tests run it twice. */
async function writeStatement(): Promise<string> {
  const { rows } = await superuser.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename <> all($1)`,
    [NOT_COMPARED],
  )
  const prints = rows.map(
    ({ name }) =>
      `select '${name}' as name, count(*) || ' ' || sum(hashtextextended(t::text, 0)) as print from ${name} t`,
  )
  return `select json_object_agg(name, print) as prints from (${prints.join(' union all ')}) of_tables`
}
