import type { Knex } from 'knex'
import { toPropertyNames } from '#shared/platform/db/model.ts'
import { now } from '#shared/platform/time/clock.ts'
import { newestSealPrefix, UnsealError } from './seal.ts'
import type { Secrets, SecretsStorage } from './secrets.ts'

/** The scope of secrets: a store or the platform. */
export interface SecretsScope {
  /** The condition that limits a table to the rows of the scope. */
  own: Record<string, string>
  transact<T>(work: (knex: Knex) => Promise<T>): Promise<T>
}

export interface ReencryptCounts {
  /** The number of secrets that were re-encrypted. */
  renewed: number
  /** The number of secrets that the newest key had already encrypted. */
  current: number
  /** Secrets that cannot be decrypted: column, row and reason of each. */
  unopened: string[]
}

type Row = Record<string, unknown>

/** A column with secrets in a scope, and what its re-encryption needs. */
interface SecretColumn extends Pick<Secrets, 'of'> {
  table: string
  /** The column of the secret. */
  column: string
  /** The columns of the primary key. */
  key: string[]
  /** The columns that are read: the primary key, those of the context, and the secret. */
  read: string[]
  own: SecretsScope['own']
}

/** A batch locks its rows until it commits. It is small, so that sign-ins hardly wait. */
const BATCH = 100
/** The most bytes of secrets in a batch. A longer secret is a batch of its own. */
const BATCH_BYTES = 1024 * 1024

/**
 * Re-encrypts the secrets of a kind in a scope with the newest key, and checks that the others can be decrypted. Each
 * batch has its own transaction, so the run can be stopped and started again. A secret that changes during the run
 * keeps its new value.
 */
export async function* reencryptKind(
  { of, storage }: Secrets,
  scope: SecretsScope,
): AsyncGenerator<ReencryptCounts> {
  if (!storage || storage.expiresAt) return
  const { table, contextColumns = [] } = storage
  const key = await scope.transact((knex) => primaryKey(knex, table))
  for (const column of storage.columns) {
    const read = [...key, ...contextColumns, column]
    const secretColumn: SecretColumn = { of, table, column, key, read, own: scope.own }
    let last: Row | undefined
    do {
      const batch = await scope.transact((knex) => renewBatch(knex, secretColumn, last))
      yield batch
      last = batch.last
    } while (last)
  }
}

async function primaryKey(knex: Knex, table: string): Promise<string[]> {
  const { rows } = await knex.raw<{ rows: { name: string }[] }>(
    `select a.attname as name from pg_index i
     cross join unnest(i.indkey) with ordinality k (number, place)
     join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
     where i.indisprimary and i.indrelid = ?::regclass order by k.place`,
    [table],
  )
  return rows.map(({ name }) => name)
}

async function renewBatch(
  knex: Knex,
  secretColumn: SecretColumn,
  after: Row | undefined,
): Promise<ReencryptCounts & { last: Row | undefined }> {
  const rows = await nextRows(knex, secretColumn, after)
  const batch: ReencryptCounts = { renewed: 0, current: 0, unopened: [] }
  for (const row of rows) {
    try {
      const outcome = await renewRow(knex, secretColumn, row)
      if (outcome) batch[outcome] += 1
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error
      batch.unopened.push(`${nameOf(secretColumn, row)}: ${error.message}`)
    }
  }
  return { ...batch, last: rows.at(-1) }
}

/**
 * Reads only what re-encryption needs: a row may have other long columns, and together they would exceed the most bytes
 * of a statement.
 */
function nextRows(
  knex: Knex,
  { table, column, key, read, own }: SecretColumn,
  after: Row | undefined,
): Promise<Row[]> {
  const following = knex(table).where(own).whereNotNull(column).orderBy(key).limit(BATCH).select(read)
  const names = key.map(() => '??').join(', ')
  const values = key.map(() => '?').join(', ')
  if (after)
    following.whereRaw(`(${names}) > (${values})`, [...key, ...key.map((name) => after[name] as string)])
  // PostgreSQL knows the length of a text without reading it.
  const sized = knex
    .from(following.as('following'))
    .select(read)
    .select(knex.raw(`row_number() over (order by ${names}) as place`, key))
    .select(knex.raw(`sum(octet_length(??)) over (order by ${names}) as bytes`, [column, ...key]))
  return knex
    .from(sized.as('sized'))
    .where('place', 1)
    .orWhere('bytes', '<=', BATCH_BYTES)
    .orderBy(key)
    .select(read)
}

/** Re-encrypts the secret of a row. Returns null if another transaction has deleted it. */
async function renewRow(
  knex: Knex,
  secretColumn: SecretColumn,
  row: Row,
): Promise<'renewed' | 'current' | null> {
  const { of, table, column, key, read } = secretColumn
  const sealed = row[column] as string
  const secret = of(toPropertyNames(row) as never)
  const plain = secret.open(sealed)
  if (sealed.startsWith(newestSealPrefix())) return 'current'
  const thisRow = () => knex(table).where(Object.fromEntries(key.map((name) => [name, row[name]])))
  const changed = await thisRow()
    .where(column, sealed)
    .update({ [column]: secret.seal(plain) })
  if (changed) return 'renewed'
  // Another transaction changed the secret. Its process may still use an older key.
  const [present] = await thisRow().whereNotNull(column).select(read)
  return present ? renewRow(knex, secretColumn, present) : null
}

const nameOf = ({ table, column, key }: SecretColumn, row: Row): string =>
  `${table}.${column} of ${key.map((name) => `${name} ${row[name]}`).join(', ')}`

/**
 * Returns the number of expiring secrets of a kind in a scope that an older key encrypted, and the time when the last
 * one expires.
 */
export async function countExpiringSecrets(
  { storage }: Secrets,
  scope: SecretsScope,
): Promise<{ expiring: number; until: Date | null }> {
  if (!storage?.expiresAt) return { expiring: 0, until: null }
  const [found] = await scope.transact((knex) => countOlder(knex, storage, scope.own))
  return { expiring: Number(found?.count), until: found?.until ?? null }
}

function countOlder(knex: Knex, { table, columns, expiresAt }: SecretsStorage, own: SecretsScope['own']) {
  const isOlder = columns.map((sql) => `not starts_with(${sql}, :newest)`).join(' or ')
  return knex(table)
    .where(own)
    .whereRaw(`(${isOlder}) and ${expiresAt} > :now`, { newest: newestSealPrefix(), now: now() })
    .select<{ count: bigint; until: Date | null }[]>(knex.raw(`count(*), max(${expiresAt}) as until`))
}
