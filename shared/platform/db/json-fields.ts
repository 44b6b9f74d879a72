import type { TObject, TSchema } from 'typebox'
import { Shape } from '#shared/platform/http/schema.ts'

/** The fields of a JSON object that a statement builds. Each has a schema, and the SQL expression of its value. */
export type JsonFields = Record<string, readonly [schema: TSchema, sql: string]>

/** Declares fields once, for the response schema and for the statement that builds the response. */
export const jsonFields = <const F extends JsonFields>(fields: F): F => fields

/** Returns the schema of an object with these fields. */
export const schemaOf = <F extends JsonFields>(fields: F): TObject<{ [Name in keyof F]: F[Name][0] }> =>
  Shape(
    Object.fromEntries(Object.entries(fields).map(([name, [schema]]) => [name, schema])) as {
      [Name in keyof F]: F[Name][0]
    },
  )

/** SQL that builds an object with these fields. */
export const jsonSql = (fields: JsonFields): string =>
  `json_build_object(${Object.entries(fields)
    .map(([name, [, sql]]) => `'${name}', ${sql}`)
    .join(', ')})`
