import { Ajv, type ValidateFunction } from 'ajv'
import addFormatsModule, { type FormatsPlugin } from 'ajv-formats'
import type { TSchema } from 'typebox'
import type { Fault } from '#shared/platform/validation.ts'
import { RequestValidationError } from './request-part.ts'
import { type Part, toFault } from './to-fault.ts'

// Past this many faults the rest are left out: a body of a megabyte could hold a quarter of a million.
const MAX_FAULTS = 20

const addFormats = addFormatsModule as unknown as FormatsPlugin
const options = {
  allErrors: true,
  useDefaults: true,
  strict: true,
  strictTypes: false,
  verbose: true,
} as const
const bodies = addFormats(new Ajv({ ...options }))
/** Path, query and header values arrive as text. */
const texts = addFormats(new Ajv({ ...options, coerceTypes: true }))
for (const ajv of [bodies, texts]) {
  ajv.addKeyword('example')
  for (const [format, isKnown] of [
    ['date-time', (text: string) => isRepresentable(text)],
    ['date', (text: string) => isRepresentable(`${text}T00:00:00Z`)],
  ] as const) {
    const isWritten = ajv.formats[format] as { validate: (text: string) => boolean }
    ajv.addFormat(format, (text: string) => isWritten.validate(text) && isKnown(text))
  }
}

const FIRST = Date.parse('0001-01-01T00:00:00Z')
const LAST = Date.parse('9999-12-31T23:59:59.999Z')
const FAR_OFFSET = /[+-](1[6-9]|2\d)(:?\d\d)?$/

/** One that JavaScript and PostgreSQL know too: no leap second, no year 0, no clock that is 16 hours off. */
const isRepresentable = (text: string): boolean => {
  const at = Date.parse(text)
  return at >= FIRST && at <= LAST && !FAR_OFFSET.test(text)
}

export interface PartCheck {
  part: Part
  compiled(): ValidateFunction
}

/**
 * Prepares the check of one part of a request. Defaults are filled in; text parts are coerced. The first request that
 * needs it compiles it: all of them together would be a fifth of a process's start.
 */
export function prepareCheck(part: Part, schema: TSchema): PartCheck {
  let check: ValidateFunction | undefined
  return {
    part,
    compiled() {
      check ??= (part === 'body' ? bodies : texts).compile(schema)
      return check
    },
  }
}

/** The faults of one part against its schema, at most 20. */
export function faultsOf({ part, compiled }: PartCheck, value: unknown): Fault[] {
  const check = compiled()
  if (check(value)) return part === 'body' ? [] : infiniteNumbers(part, value as object)
  return (check.errors ?? [])
    .filter((error) => error.keyword !== 'if' && error.keyword !== 'anyOf')
    .slice(0, MAX_FAULTS)
    .map((error) => toFault(part, error))
}

// Ajv reads the text 1e400 as Infinity, and holds no bound against that.
const infiniteNumbers = (part: Part, value: object): Fault[] =>
  Object.entries(value)
    .filter(([, number]) => typeof number === 'number' && !Number.isFinite(number))
    .map(([name]) => ({ loc: [part, name], msg: 'Input should be a finite number', type: 'finite_number' }))

export function throwFaults(faults: Fault[]): void {
  if (faults.length) throw new RequestValidationError(faults.slice(0, MAX_FAULTS))
}
