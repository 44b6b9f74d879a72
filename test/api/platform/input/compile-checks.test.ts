import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { endpoints } from '#api/endpoints.ts'
import { compileChecks, compileCompleteChecks } from '#api/platform/input/input.ts'
import { faultsOf, type PartCheck, prepareCheck } from '#api/platform/input/validate.ts'
import { Shape, Uuid } from '#shared/platform/http/schema.ts'

// Ajv writes the code of each check, and compiles it by the constructor of functions.
let compiled = 0
const original = globalThis.Function
globalThis.Function = new Proxy(original, {
  construct(target, args) {
    compiled++
    return Reflect.construct(target, args)
  },
})
after(() => {
  globalThis.Function = original
})

function countCompiled(run: () => void): number {
  const before = compiled
  run()
  return compiled - before
}

const checks: PartCheck[] = endpoints.flatMap(({ params, query, body }) => [
  ...(params ? [prepareCheck('path', params)] : []),
  ...(query ? [prepareCheck('query', query)] : []),
  ...(body ? [prepareCheck('body', body)] : []),
])

test('a check that was not compiled before is compiled by its first value', () => {
  const check = prepareCheck('body', Shape({ id: Uuid }))

  const byFirst = countCompiled(() => faultsOf(check, { id: 1 }))
  const bySecond = countCompiled(() => faultsOf(check, { id: 1 }))

  assert.deepEqual({ didFirst: byFirst > 0, bySecond }, { didFirst: true, bySecond: 0 })
})

test('after compileChecks and compileCompleteChecks, checking a value compiles nothing', async () => {
  compileChecks(endpoints)
  await compileCompleteChecks(endpoints)

  const byFirst = countCompiled(() => {
    for (const check of checks) check.first()
  })
  const byAll = countCompiled(() => {
    for (const check of checks) check.all()
  })

  assert.deepEqual({ byFirst, byAll, isMany: checks.length > 400 }, { byFirst: 0, byAll: 0, isMany: true })
})
