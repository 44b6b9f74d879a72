import assert from 'node:assert/strict'
import { Ajv, type ValidateFunction } from 'ajv'
import addFormatsModule, { type FormatsPlugin } from 'ajv-formats'
import type { TSchema } from 'typebox'
import { endpoints } from '#api/endpoints.ts'
import { ChallengeErrors } from '#api/platform/challenge/errors.ts'
import type { Operation } from '#api/platform/operation/operation.ts'
import { recordReturnedCode } from '#test/support/runner/returned-codes.ts'

const ajv = (addFormatsModule as unknown as FormatsPlugin)(new Ajv({ allErrors: true, strict: false }))
const checks = new Map<Operation, ValidateFunction>()
const patterns = endpoints.map((operation) => ({
  operation,
  pattern: new RegExp(`^${operation.path.replace(/:\w+/g, '[^/]+')}$`),
}))

/** Raised by the service around every operation, so no operation lists them. */
const ANYWHERE = /^(request|rate_limit|server|idempotency)\.|^(validation\.failed|response\.too_large)$/

const listedCodes = ({ errors, access, challenge }: Operation): string[] =>
  [...errors, ...access.errors, ...(challenge ? [ChallengeErrors.required] : [])].map(({ kind }) => kind.code)

/** Fails when a response differs from its operation's description: status, shape of `data`, error code. */
export function assertDescribed(
  method: string,
  path: string,
  status: number,
  body: { data: unknown; meta: unknown; error_code: string | null },
): void {
  const [pathname = ''] = path.split('?')
  // A fixed path wins over one with a parameter, as in the router, which lists it first.
  const found = patterns.find(
    ({ operation, pattern }) => operation.method === method.toLowerCase() && pattern.test(pathname),
  )
  if (!found) return
  const { operation } = found
  const name = `${method} ${operation.path}`
  if (body.error_code !== null) {
    assert.ok(
      ANYWHERE.test(body.error_code) || listedCodes(operation).includes(body.error_code),
      `${name} answers ${body.error_code}, which it does not list`,
    )
    recordReturnedCode(name, body.error_code)
    return
  }
  const statuses = operation.returns.slice(0, -1)
  assert.ok(statuses.includes(status), `${name} answers ${status}, which it does not list`)
  assert.equal(body.meta !== null, operation.paginated, `${name}: only paginated lists have meta`)
  const check = checks.get(operation) ?? ajv.compile(operation.returns.at(-1) as TSchema)
  checks.set(operation, check)
  assert.ok(check(body.data), `${name}: ${ajv.errorsText(check.errors, { dataVar: 'data' })}`)
}

/** Reads a response as JSON, and checks it like `assertDescribed`. For requests that are not made by `request`. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads what the operation answers
export async function readDescribed(method: string, path: string, response: Response): Promise<any> {
  // biome-ignore lint/suspicious/noExplicitAny: checked on the next line
  const json = (await response.json()) as any
  assertDescribed(method, path, response.status, json)
  return json
}
