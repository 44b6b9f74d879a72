import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Operation } from '#api/platform/operation/operation.ts'

/** Files and folders with other names, each with its reason. */
const EXCEPTIONS: Record<string, string> = {
  'api/identity/': 'its operations serve customers and staff alike',
  'api/identity-providers/auth.ts': 'its operations serve customers and staff alike',
  'api/super-admin/': 'the folder names the audience',
  'api/payments/webhook.ts': 'the payment gateway calls it',
}

/** The audience of an operation, by its path. */
const audienceOf = (path: string): string => /^\/(super-admin|admin)(?=\/)/.exec(path)?.[1] ?? 'storefront'

/** The audiences of a file's operations that its name does not begin with. */
function audiencesMissingIn(file: string, paths: readonly string[]): string[] {
  const [, audience] = /\/(super-admin|admin|storefront)(?:-[^/]+)?\.ts$/.exec(file) ?? []
  return [...new Set(paths.map(audienceOf))].filter((one) => one !== audience)
}

/** The files of the list of operations, with the paths of their operations. */
async function filesOfOperations(): Promise<{ file: string; paths: string[] }[]> {
  const list = await readFile('api/endpoints.ts', 'utf8')
  const files = [...list.matchAll(/^import \* as \w+ from '#(.+)'$/gm)].map(([, file = '']) => file)
  return Promise.all(
    files.map(async (file) => {
      const operations: Operation[] = Object.values(await import(`#${file}`))
      return { file, paths: operations.map(({ path }) => path) }
    }),
  )
}

test('control: a file is named after the audience of all its operations', () => {
  assert.deepEqual(audiencesMissingIn('api/tax/admin-rates.ts', ['/admin/tax/rates']), [])
  assert.deepEqual(audiencesMissingIn('api/tax/super-admin.ts', ['/super-admin/tax']), [])
  assert.deepEqual(audiencesMissingIn('api/tax/rates.ts', ['/admin/tax/rates', '/rates']), [
    'admin',
    'storefront',
  ])
  assert.deepEqual(audiencesMissingIn('api/tax/admin.ts', ['/admin/tax', '/administrators']), ['storefront'])
  assert.deepEqual(audiencesMissingIn('api/tax/administer.ts', ['/admin/tax']), ['admin'])
})

test('a file of operations is named <audience>.ts or <audience>-<part>.ts', async () => {
  const files = await filesOfOperations()
  const misnamed = files
    .map(({ file, paths }) => ({ file, missing: audiencesMissingIn(file, paths) }))
    .filter(({ missing }) => missing.length)
  const isExcepted = (file: string) => Object.keys(EXCEPTIONS).some((path) => file.startsWith(path))
  const unused = Object.keys(EXCEPTIONS).filter((path) => !misnamed.some(({ file }) => file.startsWith(path)))

  assert.deepEqual(
    misnamed.filter(({ file }) => !isExcepted(file)),
    [],
  )
  assert.deepEqual(unused, [], 'exceptions that no file needs')
  assert.ok(files.length > 50, 'the rule finds the files')
})
