import type { ErrorFactory } from '#shared/platform/errors.ts'
import { VALIDATION_FAILED } from '#shared/platform/validation.ts'

const FAILED = { loc: ['body', 'quantity'], msg: 'Field required', type: 'missing' }

interface Described {
  description: string
  content: { 'application/json': { schema: object; examples: Record<string, { value: object }> } }
}

// Stands for what only a real failure knows: `<limit>` where the text has a number.
const PLACEHOLDERS: Record<string, unknown> = new Proxy({}, { get: (_, name) => `<${String(name)}>` })

/** The failures of an operation by status, each code with the text that comes with it. */
export function describeErrors(
  errors: readonly ErrorFactory[],
  takesInput: boolean,
): Record<number, Described> {
  const described: Record<number, Described> = {}
  for (const { code, status, message } of errors.map(({ kind }) => kind)) {
    const error = typeof message === 'function' ? message(PLACEHOLDERS) : message
    add(described, status, code, { data: null, meta: null, error, error_code: code })
  }
  if (takesInput) {
    const { code, status, message } = VALIDATION_FAILED
    const error = typeof message === 'string' ? message : code
    add(described, status, code, { data: null, meta: null, error, error_code: code, detail: [FAILED] })
  }
  return described
}

function add(described: Record<number, Described>, status: number, code: string, value: object): void {
  const failsValidation = code === VALIDATION_FAILED.code
  const schema = { $ref: `#/components/schemas/${failsValidation ? 'ValidationFailure' : 'Error'}` }
  const known = described[status]?.content['application/json']
  const examples = { ...known?.examples, [code]: { value } }
  const schemas =
    known && JSON.stringify(known.schema) !== JSON.stringify(schema)
      ? { anyOf: [known.schema, schema] }
      : schema
  described[status] = {
    description: Object.keys(examples)
      .map((name) => `\`${name}\``)
      .join(', '),
    content: { 'application/json': { schema: schemas, examples } },
  }
}
