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

test('shared/all-secrets.ts lists every declared kind of secret', () => {
  const declared = sources.flatMap(({ text }) =>
    [...text.matchAll(/= defineSecrets\(\s*'([^']+)'/g)].map(([, kind]) => kind),
  )

  assert.deepEqual(allSecrets.map(({ kind }) => kind).sort(), declared.sort())
})

test('only secrets.ts calls seal and unseal', () => {
  const sealers = sources.filter(({ text }) => /import \{[^}]*\b(un)?seal\b[^}]*\} from '[^']*'/.test(text))

  assert.deepEqual(
    sealers.map(({ file }) => file),
    ['shared/platform/secrets/secrets.ts'],
  )
})
