import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSources, type SourceFile } from '#test/rules/support/sources.ts'
import {
  COLUMNS_BY_OWNER,
  READ_EVERY_TABLE,
  TABLES_BY_OWNER,
  WRITE_EVERY_TABLE,
  WRITE_OWN_TABLES,
} from '#test/rules/support/table-owners.ts'
import { findTableUses, type TableUse } from '#test/rules/support/table-uses.ts'
import { superuser } from '#test/support/database.ts'

const ownerOf = new Map(
  Object.entries(TABLES_BY_OWNER).flatMap(([owner, tables]) =>
    tables.map((table) => [table, owner] as const),
  ),
)
const tables = new Set(ownerOf.keys())
const folders = await Promise.all(['api', 'shared', 'workers', 'migrations/seeds'].map(readSources))
const sources = folders.flat()
const uses = findTableUses(sources, tables)

const isForeign = ({ file, table, verb }: TableUse): boolean =>
  table !== null &&
  tables.has(table) &&
  ![...ownersOf(table), ...(verb === 'reads' ? Object.keys(READ_EVERY_TABLE) : [])].some((owner) =>
    file.startsWith(`shared/${owner}/`),
  )
/** The owner of the table, and the owners of some of its columns. */
const ownersOf = (table: string): (string | undefined)[] => [
  ownerOf.get(table),
  ...Object.keys(COLUMNS_BY_OWNER).filter((owner) => COLUMNS_BY_OWNER[owner]?.[table]),
]

const foreign = uses.filter(isForeign)
/** Each with its line and the owner, so that the message leads to the place. */
const report = (offences: TableUse[]): string[] =>
  offences.map(
    (use) => `${use.file}:${use.line} ${use.verb} ${use.table}, which ${ownerOf.get(use.table ?? '')} owns`,
  )

test('every table of the database has one owner', async () => {
  const { rows } = await superuser.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`,
  )
  const named = Object.values(TABLES_BY_OWNER).flat()
  assert.deepEqual(named.toSorted(), rows.map(({ name }) => name).toSorted())
})

test('every owner is a folder of shared', () => {
  const missing = Object.keys(TABLES_BY_OWNER).filter(
    (owner) => !sources.some(({ path }) => path.startsWith(`shared/${owner}/`)),
  )
  assert.deepEqual(missing, [])
})

test('only the owner of a table inserts, updates and deletes its rows', () => {
  const offences = report(foreign.filter(({ verb }) => verb === 'writes'))
  assert.deepEqual(offences, [], 'move the change to the owner, or emit an event that the owner listens to')
})

test('only the owner of a table reads it in SQL', () => {
  const offences = report(foreign.filter(({ verb }) => verb === 'reads'))
  assert.deepEqual(offences, [], 'move the query to the owner and give it a name')
})

for (const reader of Object.keys(READ_EVERY_TABLE))
  test(`${reader} may read the tables of other domains, and not write them`, () => {
    const code = 'raw(`select 1 from carts c join orders o on true`)\nraw(`update orders set note = null`)'
    const found = findTableUses([{ path: `shared/${reader}/x.ts`, text: code }], tables).filter(isForeign)
    assert.deepEqual(
      found.map(({ verb, table }) => `${verb} ${table}`),
      ['writes orders'],
    )
  })

test('only listed files write a table by a name in a variable', () => {
  const files = new Set(uses.filter(({ table }) => table === null).map(({ file }) => file))
  assert.deepEqual([...files].toSorted(), [...Object.keys(WRITE_EVERY_TABLE), ...WRITE_OWN_TABLES].toSorted())
})

// The rule reads source text. These are the forms of code that it has to see.
const MODEL: SourceFile = {
  path: 'shared/orders/order.ts',
  text: "export class Order extends StoreModel {\n  static override tableName = 'orders'\n}\n",
}
const FORMS: Record<string, { code: string; finds: string[] }> = {
  'a model that inserts': { code: 'await Order.in(tx).insert({ id })', finds: ['writes orders'] },
  'a model that patches after a filter': {
    code: "await Order.in(tx)\n  .where({ id, note: '(' })\n  .patch({ state })\n  .returning('*')",
    finds: ['writes orders'],
  },
  'a model whose query has a name': {
    code: 'const query = Order.in(tx).where({ id })\nif (gone) await query.delete()',
    finds: ['writes orders'],
  },
  'a function that returns the query of a model': {
    code: 'const orderOf = (tx: StoreTx) => Order.in(tx).where({ id })\nawait orderOf(tx).patch({ state })',
    finds: ['writes orders'],
  },
  'a model that reads': { code: 'await Order.in(tx).findById(id).forUpdate()', finds: [] },
  'a model given as a parameter': { code: 'await model.in(tx).insert(row)', finds: ['writes null'] },
  'a query builder that updates': {
    code: "await tx.knex('orders').where({ id }).update({ state })",
    finds: ['writes orders'],
  },
  'a query builder that inserts into a table': {
    code: "await knex.insert(row).into('orders')",
    finds: ['writes orders'],
  },
  'a query builder that reads': {
    code: "await tx.knex<Row>('orders as o').first()",
    finds: ['reads orders'],
  },
  'a query builder that joins': {
    code: "query.leftJoin('orders as o', 'o.id', 'x.id')",
    finds: ['reads orders'],
  },
  'a query builder with a table in a variable': {
    code: 'await knex(table).where({ id }).delete()',
    finds: ['writes null'],
  },
  'SQL that inserts': { code: 'raw(`insert into orders (id) values (?)`)', finds: ['writes orders'] },
  'SQL that updates an alias': { code: 'raw(`update orders o\n set state = $1`)', finds: ['writes orders'] },
  'SQL that deletes': { code: 'raw(`delete from only orders using mine`)', finds: ['writes orders'] },
  'SQL that writes in a common table expression': {
    code: 'raw(`with gone as (delete from orders returning id) select from gone`)',
    finds: ['writes orders'],
  },
  'SQL with a table in a variable': {
    code: `raw(\`insert into \${table} (id) values (?)\`)`,
    finds: ['writes null'],
  },
  'SQL that reads': { code: 'raw(`select 1 from carts c join orders o on true`)', finds: ['reads orders'] },
  'SQL that reads a common table expression of that name': {
    code: 'raw(`with orders as (select 1) select from orders`)',
    finds: [],
  },
  'SQL that locks rows': { code: 'raw(`select 1 from x for update of orders`)', finds: [] },
  'an English sentence': { code: "description: 'Removes the coupon from orders'", finds: [] },
  'a comment': { code: "// update orders set\n/* delete from orders */ const url = 'a//b'", finds: [] },
}

for (const [form, { code, finds }] of Object.entries(FORMS))
  test(`the rule reads ${form}`, () => {
    const found = findTableUses([MODEL, { path: 'shared/x/y.ts', text: code }], new Set(['orders']))
    assert.deepEqual(
      found.map(({ verb, table }) => `${verb} ${table}`),
      finds,
    )
  })
