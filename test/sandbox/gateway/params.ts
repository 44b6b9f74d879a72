import { invalidParameter, missingParameter, unknownParameter } from './errors.ts'
import type { Metadata } from './types.ts'

/** A decoded form with brackets: `metadata[order]=7` is `{ metadata: { order: '7' } }`. */
export type Params = { [name: string]: string | Params }

/** Reads Stripe's form encoding, from a body or a query. Lists are encoded as `a[]=x` or `a[0]=x`. */
export function parseForm(text: string): Params {
  const root = emptyParams()
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.replaceAll(']', '').split('[')
    let at = root
    for (const part of path.slice(0, -1)) at = descend(at, part)
    const last = path.at(-1) ?? ''
    at[last === '' ? String(Object.keys(at).length) : last] = value
  }
  return root
}

// Without a prototype, so that no parameter name reaches one.
const emptyParams = (): Params => Object.create(null)

function descend(at: Params, part: string): Params {
  const found = at[part]
  if (typeof found === 'object') return found
  const made = emptyParams()
  at[part] = made
  return made
}

/** @throws Stripe's error for an unknown parameter, which reveals a caller's typo */
export function refuseUnknown(params: Params, known: readonly string[]) {
  for (const name of Object.keys(params)) {
    if (name !== 'expand' && !known.includes(name)) throw unknownParameter(name)
  }
}

export function text(params: Params, name: string): string | null {
  const value = params[name]
  if (typeof value === 'object') throw invalidParameter(name, 'Invalid string: a hash was given')
  return value === undefined || value === '' ? null : value
}

export function requiredText(params: Params, name: string): string {
  const value = text(params, name)
  if (value === null) throw missingParameter(name)
  return value
}

export const flag = (params: Params, name: string) => text(params, name) === 'true'

export function choice<Name extends string>(
  params: Params,
  name: string,
  names: readonly Name[],
): Name | null {
  const value = text(params, name)
  if (value === null || names.includes(value as Name)) return value as Name | null
  throw invalidParameter(name, `Invalid ${name}: must be one of ${names.join(', ')}`)
}

/** A positive amount in minor units, within Stripe's eight digits. */
export function amount(params: Params, name: string): number | null {
  const value = text(params, name)
  if (value === null) return null
  if (!/^-?\d+$/.test(value))
    throw invalidParameter(name, `Invalid integer: ${value}`, 'parameter_invalid_integer')
  if (Number(value) < 1) {
    throw invalidParameter(
      name,
      'This value must be greater than or equal to 1.',
      'parameter_invalid_integer',
    )
  }
  if (Number(value) > 99_999_999) {
    throw invalidParameter(name, 'Amount must be no more than 99999999', 'amount_too_large')
  }
  return Number(value)
}

export function currency(params: Params): string {
  const code = requiredText(params, 'currency').toLowerCase()
  if (!/^[a-z]{3}$/.test(code))
    throw invalidParameter('currency', `Invalid currency: ${code}`, 'invalid_currency')
  return code
}

export const list = (params: Params, name: string): string[] =>
  Object.values(group(params, name)).filter((value) => typeof value === 'string')

export const group = (params: Params, name: string): Params => {
  const value = params[name]
  return typeof value === 'object' ? value : emptyParams()
}

/** Merges metadata: an empty value deletes its key, an empty `metadata` deletes all keys. */
export function mergeMetadata(params: Params, before: Metadata = {}): Metadata {
  if (params.metadata === '') return {}
  const merged = { ...before }
  for (const [key, value] of Object.entries(group(params, 'metadata'))) {
    if (typeof value !== 'string' || value.length > 500 || key.length > 40) {
      throw invalidParameter(`metadata[${key}]`, 'Metadata keys hold up to 40, values up to 500 characters')
    }
    if (value === '') delete merged[key]
    else merged[key] = value
  }
  if (Object.keys(merged).length > 50) throw invalidParameter('metadata', 'Metadata can have up to 50 keys')
  return merged
}
