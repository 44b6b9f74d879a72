import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { readSources } from '#test/rules/support/sources.ts'

/** The files that may use a driver's internals, each covered by contract tests. */
const INTERNALS: { pattern: RegExp; files: RegExp }[] = [
  {
    pattern: /__knex|\.(acquire|release)Connection\b|\.client\.transaction\b/,
    files: /^shared\/platform\/db\/knex-internals\.ts$/,
  },
  {
    pattern: /\bparsedStatements\b|\bSubmittable\b|\bprocessID\b/,
    files: /^shared\/platform\/db\/pg-internals\.ts$/,
  },
  { pattern: /from 'objection'/, files: /^shared\/platform\/db\/model\.ts$/ },
  { pattern: /\.getDb\(\)/, files: /^shared\/platform\/jobs\/pg-boss-internals\.ts$/ },
  {
    pattern: /\bpgboss\.|\bJOB_TABLE\b/,
    files: /^shared\/(platform\/jobs\/|mail\/queue-mail\.ts$)/,
  },
]
const DRIVERS = ['knex', 'objection', 'pg', 'pg-boss']

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')

for (const { pattern, files } of INTERNALS)
  test(`only ${files.source} uses ${pattern.source}`, async () => {
    const sources = (await Promise.all(['api', 'shared', 'workers', 'migrations'].map(readSources))).flat()

    const wrong = sources.filter(({ path, text }) => !files.test(path) && pattern.test(withoutComments(text)))

    assert.deepEqual(
      wrong.map(({ path }) => path),
      [],
    )
  })

test('package.json pins the exact version of each dependency', async () => {
  const { dependencies, devDependencies } = JSON.parse(await readFile('package.json', 'utf8'))
  const all = Object.entries<string>({ ...dependencies, ...devDependencies })

  const ranges = all.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))

  assert.deepEqual(ranges, [])
  for (const driver of DRIVERS) assert.ok(dependencies[driver], driver)
})
