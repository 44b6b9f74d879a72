import { type DeclaredError, describeMessage } from '#shared/platform/errors.ts'
import { VALIDATION_FAILED } from '#shared/platform/validation.ts'
import type { SharedResponses } from './common-responses.ts'

const FAILED = { loc: ['body', 'quantity'], msg: 'Field required', type: 'missing' }

interface Described {
  description: string
  content: { 'application/json': { schema: object; examples: Record<string, { $ref: string }> } }
}

/**
 * Collects the examples of errors, so that each is in the description only once. A hundred operations share the error
 * of a missing token.
 */
export class SharedExamples {
  readonly byName: Record<string, { value: object }> = {}

  /** Returns the reference to a code's example. A code with several messages has several examples. */
  refTo(code: string, value: object): { $ref: string } {
    const text = JSON.stringify(value)
    const isTaken = (name: string) => {
      const example = this.byName[name]
      return example !== undefined && JSON.stringify(example.value) !== text
    }
    let name = code
    for (let n = 2; isTaken(name); n++) name = `${code}.${n}`
    this.byName[name] = { value }
    return { $ref: `#/components/examples/${name}` }
  }
}

/** The examples and responses that operations share. */
export interface SharedErrors {
  examples: SharedExamples
  responses: SharedResponses
}

/** Describes the errors of an operation by status, each code with its message. */
export function describeErrors(
  errors: readonly DeclaredError[],
  takesInput: boolean,
  { examples, responses }: SharedErrors,
): Record<string, object> {
  const described: Record<number, Described> = {}
  const add = (status: number, code: string, value: object) =>
    addExample(described, status, code, examples.refTo(code, value))
  for (const { kind } of errors) {
    const { code, status } = kind
    const error = describeMessage(kind)
    add(status, code, { data: null, meta: null, error, error_code: code })
  }
  if (takesInput) {
    const { code, status } = VALIDATION_FAILED
    const error = describeMessage(VALIDATION_FAILED)
    add(status, code, { data: null, meta: null, error, error_code: code, detail: [FAILED] })
  }
  return Object.fromEntries(
    Object.entries(described).map(([status, response]) => [
      status,
      responses.share(Object.keys(response.content['application/json'].examples), response),
    ]),
  )
}

function addExample(
  described: Record<number, Described>,
  status: number,
  code: string,
  example: { $ref: string },
): void {
  const failsValidation = code === VALIDATION_FAILED.code
  const schema = { $ref: `#/components/schemas/${failsValidation ? 'ValidationFailure' : 'Error'}` }
  const known = described[status]?.content['application/json']
  const examples = { ...known?.examples, [code]: example }
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
