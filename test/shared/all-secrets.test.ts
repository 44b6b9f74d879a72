import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { allSecrets } from '#shared/all-secrets.ts'

const sources = await Promise.all(
  (await Array.fromAsync(glob('{shared,api,workers}/**/*.ts'))).map(async (file) => ({
    file,
    text: await readFile(file, 'utf8'),
  })),
)

test('every kind of secret that is declared stands in shared/all-secrets.ts', () => {
  const declared = sources.flatMap(({ text }) =>
    [...text.matchAll(/= defineSecrets\(\s*'([^']+)'/g)].map(([, kind]) => kind),
  )

  assert.deepEqual(allSecrets.map(({ kind }) => kind).sort(), declared.sort())
})

test('nothing is sealed but by such a declaration', () => {
  const sealers = sources.filter(({ text }) => /import \{[^}]*\b(un)?seal\b[^}]*\} from '[^']*'/.test(text))

  assert.deepEqual(
    sealers.map(({ file }) => file),
    ['shared/platform/secrets/secrets.ts'],
  )
})
