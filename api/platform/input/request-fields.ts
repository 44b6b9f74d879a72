import { toPropertyNames } from '#shared/platform/db/model.ts'
import { toMinor } from '#shared/platform/money.ts'

type CamelCase<Name> = Name extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<CamelCase<Rest>>}`
  : Name

type InCamelCase<T> = { [Name in keyof T as CamelCase<Name>]: T[Name] }

/** Renames a request's fields from snake_case to the domain's camelCase. Values stay unchanged, also nested objects. */
export const toCamelCase = <T extends object>(fields: T): InCamelCase<T> =>
  toPropertyNames(fields) as InCamelCase<T>

/** Returns the amount of a field in minor units; undefined and null stay as they are. */
export const toMinorIfPresent = <T extends number | null | undefined>(
  amount: T,
  currency: string,
  loc: (string | number)[],
) => (typeof amount === 'number' ? toMinor(amount, currency, loc) : amount) as T extends number ? bigint : T

/** Returns the time of a field; null if it is empty, and undefined if the request omits it. */
export const toDateIfPresent = (text: string | null | undefined): Date | null | undefined =>
  text === undefined ? undefined : toDate(text)

/** Returns the time of a field; null if it is empty or omitted. */
export const toDate = (text: string | null | undefined): Date | null => (text ? new Date(text) : null)

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** Returns an id in lower case, as the database writes it. Clients may send capitals. */
export const lowercaseId = <T extends string | null | undefined>(id: T) => (id?.toLowerCase() ?? id) as T

/** Returns the fields without undefined ones. */
export const omitUndefined = <T extends object>(fields: T): Present<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>
