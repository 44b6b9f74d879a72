import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { describeConfig } from '#shared/platform/config/config.ts'
import { DEFAULT_PATHS } from '#shared/stores/settings/links.ts'
import { importsOf } from '#test/rules/support/sources.ts'

const readme = await readFile('README.md', 'utf8')

test('the README lists every environment variable with its default and meaning', () => {
  for (const { name, fallback, description } of describeConfig()) {
    const row = `| \`${name}\` | ${fallback === undefined ? '' : `\`${fallback}\``} | ${description} |`
    assert.ok(readme.includes(row), `README.md lacks the row\n${row}`)
  }
})

test('the README names each page that mails link to', () => {
  const missing = Object.values(DEFAULT_PATHS).filter((path) => !readme.includes(`\`${path}\``))

  assert.deepEqual(missing, [])
})

test('the README names commands that exist', async () => {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8'))
  const named = [...readme.matchAll(/npm (?:run )?(start|test|[a-z:-]+)\b/g)].map(([, name]) => name)
  const unknown = named.filter(
    (name) => !['ci', 'install', 'run'].includes(name ?? '') && !scripts[name ?? ''],
  )
  assert.deepEqual(unknown, [])
})

test('the README names files that exist', () => {
  const named = [...readme.matchAll(/`((?:api|workers|shared|migrations|test)\/[\w./-]+\.\w+)`/g)].map(
    ([, file]) => file ?? '',
  )
  assert.ok(named.length > 3)
  assert.deepEqual(
    named.filter((file) => !existsSync(file)),
    [],
  )
})

const MAX_FILES_OF_FLOW = 7

/** The flows of the README: paths joined by arrows. A name without a folder is in the folder of the file before it. */
const flowsOf = (text: string): string[][] =>
  [...text.matchAll(/`[\w./-]+\.ts`(?:\s*→\s*`[\w./-]+\.ts`)+/g)].map(([flow]) => {
    let folder = ''
    return [...flow.matchAll(/`([^`]+)`/g)].map(([, name = '']) => {
      const path = name.includes('/') ? name : `${folder}/${name}`
      folder = dirname(path)
      return path
    })
  })

test('control: the rule resolves the names of a flow', () => {
  const text = 'API: `api/a/admin.ts` → `read.ts` →\n  `shared/b/verb.ts` → `other.ts`. Then `c.ts`.'
  assert.deepEqual(flowsOf(text), [
    ['api/a/admin.ts', 'api/a/read.ts', 'shared/b/verb.ts', 'shared/b/other.ts'],
  ])
})

test('the flows of the README have at most seven files, and each of them exists', () => {
  const flows = flowsOf(readme)
  assert.ok(flows.length > 3)
  assert.deepEqual(
    flows.filter((files) => files.length > MAX_FILES_OF_FLOW),
    [],
  )
  assert.deepEqual(
    flows.flat().filter((file) => !existsSync(file)),
    [],
  )
})

test('each file of a flow is imported by an earlier file of the flow', async () => {
  const unconnected: string[] = []
  for (const flow of flowsOf(readme)) {
    const imported = new Set<string>()
    for (const [position, path] of flow.entries()) {
      if (position > 0 && !imported.has(path)) unconnected.push(`${path} in the flow from ${flow[0]}`)
      for (const { target } of importsOf([{ path, text: await readFile(path, 'utf8') }])) imported.add(target)
    }
  }
  assert.deepEqual(unconnected, [])
})

test('the README names the Node versions of package.json', async () => {
  const { engines, devEngines } = JSON.parse(await readFile('package.json', 'utf8'))

  assert.ok(readme.includes(`You need Node ${devEngines.runtime.version.replace('>=', '')} or later`))
  assert.ok(readme.includes(`You need Node ${engines.node.replace('>=', '')} or later (`))
})
