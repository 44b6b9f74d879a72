import objection, {
  type ColumnNameMappers,
  type PartialModelObject,
  type Pojo,
  type QueryBuilder,
  type QueryBuilderType,
  type QueryContext,
  raw,
} from 'objection'
import { newId } from './id.ts'
import type { StoreTx } from './store-scope.ts'

const { Model, snakeCaseMappers } = objection

// Only this file imports Objection. Other files import its parts from here.
export { type PartialModelObject, type Pojo, type QueryBuilder, type QueryBuilderType, raw }

/** Renames the keys of an object: columns (snake_case) to properties (camelCase), and properties to columns. */
export const { parse: toPropertyNames, format: toColumnNames } = snakeCaseMappers()

/**
 * Returns the name mappers of a model with columns that are not named after their properties. `columns` lists these:
 * `{ property: 'column' }`. A `where` takes the name of the column.
 */
export function columnMappers(columns: Readonly<Record<string, string>>): ColumnNameMappers {
  const properties = Object.fromEntries(
    Object.entries(columns).map(([property, column]) => [column, property]),
  )
  return {
    parse: (row) => toPropertyNames(renameKeys(row, properties)),
    format: (values) => toColumnNames(renameKeys(values, columns)),
  }
}

const renameKeys = (pojo: Pojo, names: Readonly<Record<string, string>>): Pojo =>
  Object.fromEntries(Object.entries(pojo).map(([name, value]) => [names[name] ?? name, value]))

/** Returns the column of a property. */
export const toColumnName = (property: string): string =>
  Object.keys(toColumnNames({ [property]: null }))[0] ?? property

/**
 * A row of a store's table. `Order.in(tx)` is the only access: models are bound to no connection, and a rule refuses
 * `Order.query(knex)`, which would read the rows of all stores. `in` limits each read, update and delete to the
 * transaction's store, and each insert sets the store. `throwIfNotFound` is for rows whose absence is a bug: its error
 * becomes a 500.
 */
export class StoreModel extends Model {
  declare storeId: string
  declare id: string

  static override columnNameMappers = snakeCaseMappers()
  // Otherwise `first` and `findOne` read all matching rows and return the first of them.
  static override useLimitInFirst = true

  static in<M extends StoreModel>(this: new () => M, tx: StoreTx): QueryBuilderType<M> {
    const model = this as unknown as typeof StoreModel
    const builder = model.query(tx.knex).context({ storeId: tx.storeId })
    builder.onBuild((query) => {
      if (!query.isInsert()) query.where(`${model.tableName}.store_id`, tx.storeId)
    })
    return builder as unknown as QueryBuilderType<M>
  }

  /** Creates a model from a row that PostgreSQL returned as JSON. Columns `…_at`, `…_since` and `…_until` are times. */
  static ofJson<M extends StoreModel>(this: new () => M, json: string): M {
    const row = JSON.parse(json, (name, value) =>
      /_(at|since|until)$/.test(name) && typeof value === 'string' ? new Date(value) : value,
    )
    return (this as unknown as typeof StoreModel).fromDatabaseJson(row) as M
  }

  /** Returns a copy of the row with other values, without saving them. Undefined values are left out, as in a patch. */
  with(changes: PartialModelObject<this>): this {
    const given = Object.entries(changes).filter(([, value]) => value !== undefined)
    return Object.assign(Object.create(Object.getPrototypeOf(this)), this, Object.fromEntries(given))
  }

  override $beforeInsert(context: QueryContext): void {
    if (!context.storeId)
      throw new Error(`${this.constructor.name} is inserted through ${this.constructor.name}.in(tx)`)
    this.storeId = context.storeId
    this.id ??= newId()
  }
}
