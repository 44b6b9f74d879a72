import { toPropertyNames } from '#shared/platform/db/model.ts'
import { toMinor } from '#shared/platform/money.ts'

type CamelCase<Name> = Name extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<CamelCase<Rest>>}`
  : Name

type InCamelCase<T> = { [Name in keyof T as CamelCase<Name>]: T[Name] }

/**
 * Renames a request's fields from snake_case to the domain's camelCase. Values, nested objects too, stay as they are.
 */
export const toCamelCase = <T extends object>(fields: T): InCamelCase<T> =>
  toPropertyNames(fields) as InCamelCase<T>

/** The amount of a field in minor units; undefined and null stay as they are. */
export const toMinorIfPresent = <T extends number | null | undefined>(
  amount: T,
  currency: string,
  loc: (string | number)[],
) => (typeof amount === 'number' ? toMinor(amount, currency, loc) : amount) as T extends number ? bigint : T

/** The time of a field; undefined where the request leaves the field out. */
export const toDateIfPresent = (text: string | null | undefined): Date | null | undefined =>
  text === undefined ? undefined : toDate(text)

/** The time of a field; null where there is none. */
export const toDate = (text: string | null | undefined): Date | null => (text ? new Date(text) : null)

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** An id in lower case, as the database writes it. Clients may send capitals. */
export const lowercaseId = <T extends string | null | undefined>(id: T) => (id?.toLowerCase() ?? id) as T

/** The fields without those that are undefined. */
export const omitUndefined = <T extends object>(fields: T): Present<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>
