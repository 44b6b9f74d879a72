import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSources } from './support/sources.ts'

const EXPORTED_TYPE = /^export (?:declare |abstract )*(?:interface|type|class) (\w+)/gm

const exportedTypes = (text: string): Set<string> =>
  new Set([...text.matchAll(EXPORTED_TYPE)].map(([, name = '']) => name))

test('the rule finds exported types, interfaces and classes', () => {
  const code =
    'export interface Place {}\nexport type Right = string\nexport abstract class Job {}\ninterface Own {}\n'
  assert.deepEqual([...exportedTypes(code)], ['Place', 'Right', 'Job'])
})

test('an exported type has a name of its own in shared', async () => {
  const files = new Map<string, string[]>()
  for (const { path, text } of await readSources('shared'))
    for (const name of exportedTypes(text)) files.set(name, [...(files.get(name) ?? []), path])
  const shared = [...files].filter(([, paths]) => paths.length > 1)
  assert.deepEqual(Object.fromEntries(shared), {})
})
