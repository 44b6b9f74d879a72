import { blankComments, lineOf, literalAround, methodsOfChain } from './source-text.ts'
import type { SourceFile } from './sources.ts'

/** One use of a table in a source file. */
export interface TableUse {
  file: string
  line: number
  /** Null where the text does not name the table: `insert into ${table}`. */
  table: string | null
  verb: 'writes' | 'reads'
}

const WRITES = new Set([
  ...['insert', 'insertAndFetch', 'insertGraph', 'upsertGraph', 'relate', 'unrelate', 'into'],
  ...['patch', 'patchAndFetch', 'patchAndFetchById', 'update', 'updateAndFetch', 'updateAndFetchById'],
  ...['delete', 'deleteById', 'del', 'truncate', 'increment', 'decrement'],
])

/** Every use of a table: by a model, by the query builder and in SQL. Of models, only writes count. */
export function findTableUses(files: readonly SourceFile[], tables: ReadonlySet<string>): TableUse[] {
  const codes = files.map(({ path, text }) => ({ path, text: blankComments(text) }))
  const models = tablesOfModels(codes)
  return codes.flatMap((code) => [
    ...usesByModel(code, models, codes),
    ...usesByBuilder(code, codes),
    ...writesInSql(code),
    ...readsInSql(code, tables),
  ])
}

/** The table of each model by the name of its class. */
function tablesOfModels(codes: readonly SourceFile[]): Map<string, string> {
  const models = new Map<string, string>()
  const parents = new Map<string, string>()
  for (const { text } of codes)
    for (const [, name = '', parent = '', body = ''] of text.matchAll(
      /class (\w+) extends (\w+)[^{]*\{([\s\S]*?)\n\}/g,
    )) {
      parents.set(name, parent)
      const table = /static override tableName = '(\w+)'/.exec(body)?.[1]
      if (table) models.set(name, table)
    }
  for (const [name, parent] of parents) {
    const table = models.get(parent)
    if (table && !models.has(name)) models.set(name, table)
  }
  return models
}

/** `Order.in(tx).patch(…)`; `model.in(tx).patch(…)` names no table. */
function usesByModel(
  { path, text }: SourceFile,
  models: ReadonlyMap<string, string>,
  codes: readonly SourceFile[],
): TableUse[] {
  return [...text.matchAll(/\b(\w+)\.(?:in|query)(?=\()/g)].flatMap(({ 0: all, 1: model = '', index }) => {
    const start = index + all.length
    if (!models.has(model) && !/^\(tx\b/.test(text.slice(start))) return []
    if (!chainsFrom(text, index, start, codes).some(isWrite)) return []
    return [
      { file: path, line: lineOf(text, index), table: models.get(model) ?? null, verb: 'writes' as const },
    ]
  })
}

/** `knex('orders').where(…).update(…)`, and `knex(table)` if it writes. */
function usesByBuilder({ path, text }: SourceFile, codes: readonly SourceFile[]): TableUse[] {
  const calls = text.matchAll(/\b(?:knex|db\(\)|trx)(?:<[^()]*>)?\((?:'([\w.]+)(?: as \w+)?')?/g)
  const uses = [...calls].flatMap(({ 0: all, 1: table, index }) => {
    const start = text.indexOf('(', index + (all.startsWith('db()') ? 4 : 0))
    const writes = chainsFrom(text, index, start, codes).some(isWrite)
    if (!table && !writes) return []
    return [{ at: index, table: table ?? null, verb: writes ? ('writes' as const) : ('reads' as const) }]
  })
  const joins = text.matchAll(/\.(?:from|into|table|\w*[jJ]oin)\(\s*'(\w+)(?: as \w+)?'/g)
  const joined = [...joins].map(({ 0: all, 1: table = '', index }) => ({
    at: index,
    table,
    verb: all.startsWith('.into') ? ('writes' as const) : ('reads' as const),
  }))
  return [...uses, ...joined].map(({ at, ...use }) => ({ file: path, line: lineOf(text, at), ...use }))
}

const isWrite = (method: string): boolean => WRITES.has(method)

const NAMED_VALUE =
  /(?:const|let) (\w+)(?::[^=;]*)? = (?:(?:async )?\([^;]*?\)(?::[^=;]*)? =>\s*)?(?:await )?[\w.\s]*$/
const RETURNED = /function (\w+)(?![\s\S]*\bfunction\b)[\s\S]*\breturn [\w.\s]*$/

/** The methods called on an expression; where a name is given to it, those called on the name as well. */
function chainsFrom(text: string, index: number, start: number, codes: readonly SourceFile[]): string[] {
  const methods = methodsOfChain(text, start)
  const before = text.slice(Math.max(0, index - 400), index)
  const name = (NAMED_VALUE.exec(before) ?? RETURNED.exec(before))?.[1]
  if (!name) return methods
  const isExported = new RegExp(`export (?:const|function) ${name}\\b`).test(text)
  const users = isExported ? codes.filter((code) => new RegExp(`\\b${name}\\b`).test(code.text)) : [{ text }]
  for (const user of users)
    for (const { 0: all, index: at } of user.text.matchAll(new RegExp(`(?<![.\\w])${name}(?=\\s*[.(])`, 'g')))
      methods.push(...methodsOfChain(user.text, at + all.length))
  return methods
}

const SQL_WRITE =
  /\b(?:insert\s+into|delete\s+from|merge\s+into|truncate(?:\s+table)?|update(?=\s+(?:only\s+)?\S+(?:\s+(?:as\s+)?\w+)?\s+set\b))\s+(?:only\s+)?(\$\{|\?\?|[\w.]+)/gi

function writesInSql({ path, text }: SourceFile): TableUse[] {
  return [...text.matchAll(SQL_WRITE)]
    .filter(([, table]) => table !== 'set')
    .map(({ 1: table = '', index }) => ({
      file: path,
      line: lineOf(text, index),
      table: /^\w/.test(table) ? table : null,
      verb: 'writes' as const,
    }))
}

const SQL_READ = /\b(?:from|join|using)\s+(?:only\s+|lateral\s+)?(\w+)\b(?!\()/g

// An English sentence can say "from carts" too.
const IS_SQL = /\bselect\b|\bstore_id\b|\w\.\w+ = |\bon true\b/

function readsInSql({ path, text }: SourceFile, tables: ReadonlySet<string>): TableUse[] {
  const isLocal = (name: string) =>
    new RegExp(`\\b${name}(?:\\s*\\([\\w\\s,]*\\))?\\s+as\\s+(?:not\\s+)?(?:materialized\\s+)?\\(`).test(text)
  return [...text.matchAll(SQL_READ)]
    .filter(
      ({ 1: table = '', index }) =>
        tables.has(table) &&
        !/delete\s+$/i.test(text.slice(0, index)) &&
        !isLocal(table) &&
        IS_SQL.test(literalAround(text, index)),
    )
    .map(({ 1: table = '', index }) => ({
      file: path,
      line: lineOf(text, index),
      table,
      verb: 'reads' as const,
    }))
}
