import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormatsModule, { type FormatsPlugin } from 'ajv-formats'
import type { TSchema } from 'typebox'
import { type Fault, ValidationError } from '#shared/platform/validation.ts'

// Past this many faults the rest are left out: a body of a megabyte could hold a quarter of a million.
const MOST_FAULTS = 20

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
  const isWritten = ajv.formats['date-time'] as { validate: (text: string) => boolean }
  ajv.addFormat('date-time', (text: string) => isWritten.validate(text) && isMoment(text))
}

const FIRST = Date.parse('0001-01-01T00:00:00Z')
const LAST = Date.parse('9999-12-31T23:59:59.999Z')
const FAR_OFFSET = /[+-](1[6-9]|2\d)(:?\d\d)?$/

/** One that JavaScript and PostgreSQL know too: no leap second, no year 0, no clock that is 16 hours off. */
const isMoment = (text: string): boolean => {
  const at = Date.parse(text)
  return at >= FIRST && at <= LAST && !FAR_OFFSET.test(text)
}

export type Part = 'path' | 'query' | 'body'

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
  if (check(value)) return part === 'body' ? [] : endlessNumbers(part, value as object)
  return (check.errors ?? [])
    .filter((error) => error.keyword !== 'if' && error.keyword !== 'anyOf')
    .slice(0, MOST_FAULTS)
    .map((error) => toFault(part, error))
}

// Ajv reads the text 1e400 as Infinity, and holds no bound against that.
const endlessNumbers = (part: Part, value: object): Fault[] =>
  Object.entries(value)
    .filter(([, number]) => typeof number === 'number' && !Number.isFinite(number))
    .map(([name]) => ({ loc: [part, name], msg: 'Input should be a finite number', type: 'finite_number' }))

export function refuse(faults: Fault[]): void {
  if (faults.length) throw new ValidationError(faults.slice(0, MOST_FAULTS))
}

type Translated = [type: string, msg: string, ctx?: Record<string, unknown>]

/** One fault in the vocabulary of Pydantic 2, which the interface document's error shape comes from. */
function toFault(part: Part, error: ErrorObject): Fault {
  const path = error.instancePath.split('/').slice(1).map(unescapePointer)
  const extra =
    error.params.missingProperty ?? error.params.additionalProperty ?? error.params.unevaluatedProperty
  if (extra !== undefined) path.push(extra)
  const [type, msg, ctx] = translate(part, error)
  const input = briefInput(extra === undefined ? error.data : undefined)
  return {
    loc: [part, ...path],
    msg,
    type,
    ...(input === undefined ? {} : { input }),
    ...(ctx ? { ctx } : {}),
  }
}

function translate(part: Part, error: ErrorObject): Translated {
  const { params, keyword } = error
  switch (keyword) {
    case 'required':
      return ['missing', 'Field required']
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return ['extra_forbidden', 'Extra inputs are not permitted']
    case 'type':
      return typeFault(part, [params.type].flat())
    case 'minimum':
      return [
        'greater_than_equal',
        `Input should be greater than or equal to ${params.limit}`,
        { ge: params.limit },
      ]
    case 'maximum':
      return [
        'less_than_equal',
        `Input should be less than or equal to ${params.limit}`,
        { le: params.limit },
      ]
    case 'exclusiveMinimum':
      return ['greater_than', `Input should be greater than ${params.limit}`, { gt: params.limit }]
    case 'exclusiveMaximum':
      return ['less_than', `Input should be less than ${params.limit}`, { lt: params.limit }]
    case 'minLength':
      return [
        'string_too_short',
        `String should have at least ${params.limit} characters`,
        { min_length: params.limit },
      ]
    case 'maxLength':
      return [
        'string_too_long',
        `String should have at most ${params.limit} characters`,
        { max_length: params.limit },
      ]
    case 'minItems':
      return ['too_short', `List should have at least ${params.limit} items`, { min_length: params.limit }]
    case 'maxItems':
      return ['too_long', `List should have at most ${params.limit} items`, { max_length: params.limit }]
    case 'pattern':
      return patternFault(error)
    case 'format':
      return formatFault(params.format)
    case 'enum':
      return enumFault(params.allowedValues)
    case 'const':
      return enumFault([params.allowedValue])
    default:
      return ['value_error', error.message ?? 'Invalid value']
  }
}

const TYPE_NAMES: Record<string, [type: string, parsing: string, noun: string]> = {
  string: ['string_type', 'string_type', 'a valid string'],
  integer: ['int_type', 'int_parsing', 'a valid integer'],
  number: ['float_type', 'float_parsing', 'a valid number'],
  boolean: ['bool_type', 'bool_parsing', 'a valid boolean'],
  object: ['dict_type', 'dict_type', 'an object'],
  array: ['list_type', 'list_type', 'a list'],
  null: ['none_required', 'none_required', 'null'],
}

function typeFault(part: Part, types: string[]): Translated {
  const known = types.map((type) => TYPE_NAMES[type]).filter((names) => names !== undefined)
  const [first] = known
  if (!first) return ['value_error', 'Input has the wrong type']
  const nouns = known.map(([, , noun]) => noun).join(' or ')
  return [part === 'body' ? first[0] : first[1], `Input should be ${nouns}`]
}

function patternFault({ params, parentSchema }: ErrorObject): Translated {
  if (parentSchema?.title === 'UUID') return ['uuid_parsing', 'Input should be a valid UUID']
  return [
    'string_pattern_mismatch',
    `String should match pattern '${params.pattern}'`,
    { pattern: params.pattern },
  ]
}

function formatFault(format: string): Translated {
  if (format === 'date-time')
    return ['datetime_parsing', 'Input should be a date and time with a time zone (ISO 8601)']
  if (format === 'date') return ['date_parsing', 'Input should be a date, YYYY-MM-DD']
  if (format === 'uri') return ['url_parsing', 'Input should be a valid URL']
  return ['value_error', `Input should be a valid ${format}`]
}

const enumFault = (allowed: unknown[]): Translated => [
  'enum',
  `Input should be ${allowed.map((value) => `'${value}'`).join(', ')}`,
  { expected: allowed },
]

const LONGEST_INPUT = 200

/** Echoes small plain values only: a large or deep input is not sent back. */
function briefInput(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > LONGEST_INPUT ? `${value.slice(0, LONGEST_INPUT)}…` : value
  return typeof value === 'object' ? undefined : value
}

const unescapePointer = (step: string): string | number => {
  const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
  return /^\d+$/.test(name) ? Number(name) : name
}
