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

/** The folders of the README's table, by URL. */
function foldersOfReadme(readme: string): Map<string, string> {
  const table = /\| URL \| Folder \|\n\| --- \| --- \|\n((?:\|.+\|\n)+)/.exec(readme)?.[1] ?? ''
  const rows = [...table.matchAll(/^\| (.+) \| `([\w-]+)` \|$/gm)]
  return new Map(
    rows.flatMap(([, urls = '', folder = '']) =>
      [...urls.matchAll(/`([^`]+)`/g)].map(([, url = '']) => [withoutNames(url), folder] as const),
    ),
  )
}

const withoutNames = (url: string): string => url.replace(/\{\w+\}|:\w+/g, '{}')

/** The row of the table that a path belongs to: the longest URL that begins it, with or without its audience. */
function rowOf(path: string, folders: ReadonlyMap<string, string>): string | undefined {
  const whole = withoutNames(path)
  const spellings = [whole, whole.replace(/^\/(super-admin|admin)(?=\/)/, '')]
  return [...folders.keys()]
    .filter((url) => spellings.some((one) => one === url || one.startsWith(`${url}/`)))
    .sort((a, b) => b.length - a.length)[0]
}

const nounOf = (path: string): string => path.replace(/^\/(super-admin|admin)(?=\/)/, '').split('/')[1] ?? ''

test('control: the longest URL of the table that fits a path counts', () => {
  const folders = foldersOfReadme(
    '| URL | Folder |\n| --- | --- |\n| `/auth`, `/me` | `identity` |\n| `/auth/{id}/a` | `b` |\n',
  )
  assert.equal(rowOf('/admin/auth/login', folders), '/auth')
  assert.equal(rowOf('/auth/:name/a', folders), '/auth/{}/a')
  assert.equal(rowOf('/authors', folders), undefined)
})

test('the folder of an operation is the noun of its URL, or what the README says', async () => {
  const folders = foldersOfReadme(await readFile('README.md', 'utf8'))
  const used = new Set<string>()
  const misplaced: string[] = []
  for (const { file, paths } of await filesOfOperations())
    for (const path of paths) {
      const row = rowOf(path, folders)
      if (row) used.add(row)
      const folder = (row && folders.get(row)) ?? nounOf(path)
      if (file.split('/')[1] !== folder) misplaced.push(`${path} is in ${file}`)
    }

  assert.deepEqual(misplaced, [])
  assert.deepEqual(
    [...folders.keys()].filter((url) => !used.has(url)),
    [],
    'rows that no operation needs',
  )
})
